package model2vec

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
)

// Limits of a tensors file.
const (
	headerMax = 1 << 20
	mostDims  = 4096
	mostRows  = 4 << 20
)

// A tensor of a file, with its place.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []uint64 `json:"shape"`
	Offsets []uint64 `json:"data_offsets"`
}

// width is the size of a number in bytes.
func width(dtype string) int {
	switch dtype {
	case "F64", "I64", "U64":
		return 8
	case "F32", "I32", "U32":
		return 4
	case "F16", "BF16", "I16", "U16":
		return 2
	case "I8", "U8":
		return 1
	}
	return 0
}

// tensors are the tensors of a safetensors file.
type tensors struct {
	f    *os.File
	data int64 // where their data begins
	of   map[string]tensor
}

func readTensors(f *os.File) (*tensors, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var first [8]byte
	if _, err := f.ReadAt(first[:], 0); err != nil {
		return nil, fmt.Errorf("it has %d bytes, too few for its header: download it again", info.Size())
	}
	size := binary.LittleEndian.Uint64(first[:])
	if size > headerMax || size > uint64(info.Size()-8) {
		return nil, fmt.Errorf("byte 0: its header says that it is %d bytes long, of a file of %d (at most %d are read): it is no safetensors file, or not whole", size, info.Size(), headerMax)
	}
	head := make([]byte, size)
	if _, err := f.ReadAt(head, 8); err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(head, &raw); err != nil {
		return nil, fmt.Errorf("its header, from byte 8: %w", err)
	}
	t := &tensors{f, 8 + int64(size), map[string]tensor{}}
	room := uint64(info.Size()) - 8 - size
	for name, r := range raw {
		if name == "__metadata__" {
			continue
		}
		var x tensor
		if err := json.Unmarshal(r, &x); err != nil {
			return nil, fmt.Errorf("its tensor %.40q: %w", name, err)
		}
		if err := x.check(room); err != nil {
			return nil, fmt.Errorf("its tensor %.40q: %w", name, err)
		}
		t.of[name] = x
	}
	return t, nil
}

// check checks that a tensor is inside the file, and as long as its shape says.
func (x tensor) check(room uint64) error {
	w := uint64(width(x.Type))
	if w == 0 {
		return fmt.Errorf("numbers of the type %.20q: want F32, F16, BF16, F64 or I8", x.Type)
	}
	if len(x.Offsets) != 2 || x.Offsets[0] > x.Offsets[1] || x.Offsets[1] > room {
		return fmt.Errorf("it says that it lies at %v, of %d bytes: the file is not whole, or lies", x.Offsets, room)
	}
	size := w
	for _, n := range x.Shape {
		if n > 0 && size > math.MaxInt64/n {
			return fmt.Errorf("its shape %v is larger than any file", x.Shape)
		}
		size *= n
	}
	if size != x.Offsets[1]-x.Offsets[0] {
		return fmt.Errorf("its shape %v takes %d bytes, and it has %d", x.Shape, size, x.Offsets[1]-x.Offsets[0])
	}
	return nil
}

// reader reads a tensor's numbers, as bytes.
func (t *tensors) reader(x tensor) io.Reader {
	return io.NewSectionReader(t.f, t.data+int64(x.Offsets[0]), int64(x.Offsets[1]-x.Offsets[0]))
}

func floats(r io.Reader, dtype string, buf []byte, out []float32) error {
	w := width(dtype)
	b := buf[:w*len(out)]
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	for i := range out {
		var x float64
		switch p := b[w*i:]; dtype {
		case "F64":
			x = math.Float64frombits(binary.LittleEndian.Uint64(p))
		case "F32":
			x = float64(math.Float32frombits(binary.LittleEndian.Uint32(p)))
		case "BF16":
			x = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(p)) << 16))
		case "F16":
			x = fromHalf(binary.LittleEndian.Uint16(p))
		case "I8":
			x = float64(int8(p[0]))
		default:
			return fmt.Errorf("numbers of the type %q are no vectors: want F32, F16, BF16, F64 or I8", dtype)
		}
		if math.IsNaN(x) || math.Abs(x) > math.MaxFloat32/mostDims {
			return fmt.Errorf("the number %v, which no vector can have", x)
		}
		out[i] = float32(x)
	}
	return nil
}

func fromHalf(h uint16) float64 {
	exp, part := int(h>>10)&31, float64(h&1023)
	var x float64
	switch exp {
	case 0:
		x = part / (1 << 24)
	case 31:
		x = math.Inf(1)
		if part != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(1+part/1024, exp-15)
	}
	if h>>15 != 0 {
		return -x
	}
	return x
}

// toHalf rounds to the nearest half, of two to the even one. x is below 65,504.
func toHalf(x float32) uint16 {
	sign := uint16(math.Float32bits(x)>>31) << 15
	a := math.Abs(float64(x))
	if a < 1.0/(1<<14) {
		return sign | uint16(math.RoundToEven(a*(1<<24)))
	}
	part, exp := math.Frexp(a) // part from 0.5
	n := uint16(math.RoundToEven((part*2 - 1) * 1024))
	return sign + uint16(exp+14)<<10 + n // a part that is rounded up to 1024 increments the exponent
}

// line reads a tensor of one dimension: weights, or a mapping.
func (t *tensors) line(name string, most int) (out []float64, err error) {
	x, ok := t.of[name]
	if !ok {
		return nil, nil
	}
	if len(x.Shape) != 1 || x.Shape[0] > uint64(most) {
		return nil, fmt.Errorf("its tensor %q has the shape %v: want one number a token", name, x.Shape)
	}
	b, err := io.ReadAll(t.reader(x))
	if err != nil {
		return nil, err
	}
	w := width(x.Type)
	for i := range int(x.Shape[0]) {
		p := b[w*i:]
		var v float64
		switch x.Type {
		case "I64", "U64":
			v = float64(int64(binary.LittleEndian.Uint64(p)))
		case "I32":
			v = float64(int32(binary.LittleEndian.Uint32(p)))
		case "U32":
			v = float64(binary.LittleEndian.Uint32(p))
		case "I16":
			v = float64(int16(binary.LittleEndian.Uint16(p)))
		case "U16":
			v = float64(binary.LittleEndian.Uint16(p))
		case "U8":
			v = float64(p[0])
		default:
			one := make([]float32, 1)
			if err := floats(bytes.NewReader(p[:w]), x.Type, make([]byte, 8), one); err != nil {
				return nil, fmt.Errorf("its tensor %q, number %d: %w", name, i, err)
			}
			v = float64(one[0])
		}
		out = append(out, v)
	}
	return out, nil
}
