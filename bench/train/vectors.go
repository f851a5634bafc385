package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

const (
	window = 8 // words on each side
	// workers share the work by rows, so that their number does not change any sum.
	workers = 2
	// For the decomposition: how many more columns than are kept, and rounds.
	more, rounds = 24, 3
)

// A matrix is sparse: for each row it has the columns and their values.
type matrix struct {
	start  []int
	column []int32
	value  []float32
	wide   int
}

// A tally counts pairs of numbers.
type tally struct {
	keys   []uint64
	counts []uint32
	n      int
}

func (t *tally) add(key uint64, by uint32) {
	if t.n*10 >= len(t.keys)*7 {
		old := *t
		size := max(1<<20, 2*len(old.keys))
		t.keys, t.counts, t.n = make([]uint64, size), make([]uint32, size), 0
		for i, k := range old.keys {
			if k != 0 {
				t.add(k, old.counts[i])
			}
		}
	}
	mask := uint64(len(t.keys) - 1)
	for at := (key * 0x9e3779b97f4a7c15) >> 20 & mask; ; at = (at + 1) & mask {
		if t.keys[at] == 0 {
			t.keys[at] = key
			t.n++
		} else if t.keys[at] != key {
			continue
		}
		t.counts[at] += by
		return
	}
}

// together counts which words occur near which, and weighs it: positive pointwise
// mutual information, with smoothed contexts.
func together(v vocabulary, texts [][]int32) matrix {
	tallies := [workers]tally{}
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for _, text := range texts {
				for i, a := range text {
					if int(a)%workers != w {
						continue
					}
					for j := max(0, i-window); j <= min(len(text)-1, i+window); j++ {
						if b := text[j]; j != i && b < contexts && a != b {
							tallies[w].add(uint64(a+1)<<32|uint64(b), uint32(window+1-max(i-j, j-i)))
						}
					}
				}
			}
		})
	}
	wait.Wait()
	rows, columns, all := make([]float64, len(v.words)), make([]float64, contexts), 0.0
	type cell struct {
		at uint64
		n  uint32
	}
	var cells []cell
	for _, t := range tallies {
		for i, k := range t.keys {
			if k != 0 {
				cells = append(cells, cell{k, t.counts[i]})
			}
		}
	}
	tallies = [workers]tally{}
	slices.SortFunc(cells, func(a, b cell) int {
		if a.at < b.at {
			return -1
		}
		return 1
	})
	for _, c := range cells {
		n := float64(c.n)
		rows[c.at>>32-1] += n
		columns[uint32(c.at)] += n
		all += n
	}
	smooth := 0.0
	for i, n := range columns {
		columns[i] = math.Pow(n, 0.75)
		smooth += columns[i]
	}
	m := matrix{start: []int{0}, wide: contexts}
	row := 0
	for _, c := range cells {
		for int(c.at>>32)-1 > row {
			m.start = append(m.start, len(m.column))
			row++
		}
		if c.n < 2*window {
			continue
		}
		if x := math.Log(float64(c.n) * smooth / (rows[row] * columns[uint32(c.at)])); x > 0 {
			m.column = append(m.column, int32(uint32(c.at)))
			m.value = append(m.value, float32(x))
		}
	}
	for len(m.start) <= len(v.words) {
		m.start = append(m.start, len(m.column))
	}
	return m
}

func (m matrix) turned() matrix {
	t := matrix{start: make([]int, m.wide+1), column: make([]int32, len(m.column)), value: make([]float32, len(m.value)), wide: len(m.start) - 1}
	for _, c := range m.column {
		t.start[c+1]++
	}
	for i := range m.wide {
		t.start[i+1] += t.start[i]
	}
	at := slices.Clone(t.start)
	for row := range len(m.start) - 1 {
		for i := m.start[row]; i < m.start[row+1]; i++ {
			c := m.column[i]
			t.column[at[c]], t.value[at[c]] = int32(row), m.value[i]
			at[c]++
		}
	}
	return t
}

// A dense matrix has its rows one after another.
type dense struct {
	rows, wide int
	data       []float32
}

func newDense(rows, wide int) dense { return dense{rows, wide, make([]float32, rows*wide)} }

func (d dense) row(i int) []float32 { return d.data[i*d.wide : (i+1)*d.wide] }

// times is the product with a dense matrix. Products are rounded before they are added,
// so that every machine gets the same result.
func (m matrix) times(x dense) dense {
	out := newDense(len(m.start)-1, x.wide)
	each(out.rows, func(r int) {
		sum := out.row(r)
		for i := m.start[r]; i < m.start[r+1]; i++ {
			v, from := m.value[i], x.row(int(m.column[i]))
			for j := range sum {
				sum[j] += float32(v * from[j])
			}
		}
	})
	return out
}

func each(n int, f func(i int)) {
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wait.Wait()
}

// orthonormal makes the columns of a matrix orthonormal (Gram-Schmidt, twice).
func (d dense) orthonormal() {
	cols := make([][]float64, d.wide)
	each(d.wide, func(j int) {
		cols[j] = make([]float64, d.rows)
		for i := range d.rows {
			cols[j][i] = float64(d.data[i*d.wide+j])
		}
	})
	unit := func(c []float64) {
		n := 1 / math.Sqrt(dot(c, c))
		for i := range c {
			c[i] *= n
		}
	}
	for j := range cols {
		unit(cols[j])
		each(len(cols)-j-1, func(i int) {
			c := cols[j+1+i]
			by := dot(c, cols[j])
			for k, x := range cols[j] {
				c[k] -= float64(by * x)
			}
		})
	}
	for j, c := range cols {
		for i := range d.rows {
			d.data[i*d.wide+j] = float32(c[i])
		}
	}
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// decompose gives each row a vector of dims numbers: the singular vectors of the matrix
// times the square roots of its singular values.
func decompose(m matrix, dims int) dense {
	random := rand.New(rand.NewPCG(18, 1))
	t := m.turned()
	x := newDense(m.wide, dims+more)
	for i := range x.data {
		x.data[i] = float32(random.NormFloat64())
	}
	y := m.times(x)
	for range rounds {
		y.orthonormal()
		z := t.times(y)
		z.orthonormal()
		y = m.times(z)
	}
	y.orthonormal()
	b := t.times(y)
	k := dims + more
	gram := make([][]float64, k)
	cols := make([][]float64, k)
	for j := range k {
		cols[j] = make([]float64, b.rows)
		for i := range b.rows {
			cols[j][i] = float64(b.data[i*k+j])
		}
	}
	each(k, func(i int) {
		gram[i] = make([]float64, k)
		for j := range k {
			gram[i][j] = dot(cols[i], cols[j])
		}
	})
	values, vectors := eigen(gram)
	out := newDense(y.rows, dims)
	each(y.rows, func(r int) {
		from, to := y.row(r), out.row(r)
		for d := range dims {
			var sum float64
			for j := range k {
				sum += float64(float64(from[j]) * vectors[j][d])
			}
			to[d] = float32(sum * math.Pow(max(values[d], 0), 0.25))
		}
	})
	return out
}

// eigen decomposes a symmetric matrix by Jacobi rotations: its values, the largest
// first, and their column vectors.
func eigen(a [][]float64) (values []float64, vectors [][]float64) {
	n := len(a)
	v := make([][]float64, n)
	for i := range v {
		v[i] = make([]float64, n)
		v[i][i] = 1
	}
	for range 30 {
		off := 0.0
		for p := range n {
			for q := p + 1; q < n; q++ {
				off += float64(a[p][q] * a[p][q])
				if math.Abs(a[p][q]) < 1e-12*math.Sqrt(math.Abs(a[p][p]*a[q][q])) {
					continue
				}
				theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
				c := 1 / math.Sqrt(float64(t*t)+1)
				s := t * c
				for k := range n {
					x, y := a[k][p], a[k][q]
					a[k][p], a[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
				}
				for k := range n {
					x, y := a[p][k], a[q][k]
					a[p][k], a[q][k] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
				}
				for k := range n {
					x, y := v[k][p], v[k][q]
					v[k][p], v[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
				}
			}
		}
		if off < 1e-9 {
			break
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		if a[x][x] > a[y][y] {
			return -1
		} else if a[x][x] < a[y][y] {
			return 1
		}
		return 0
	})
	vectors = make([][]float64, n)
	for i := range vectors {
		vectors[i] = make([]float64, n)
		for j, o := range order {
			vectors[i][j] = v[i][o]
		}
	}
	for _, o := range order {
		values = append(values, a[o][o])
	}
	return values, vectors
}
