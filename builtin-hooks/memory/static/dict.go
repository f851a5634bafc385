package static

import "hash/fnv"

// texts are many texts in one, by number.
type texts struct{ places, all []byte }

func (t texts) count() int { return len(t.places)/4 - 1 }

func (t texts) of(i int) []byte {
	if i < 0 || i >= t.count() {
		return nil
	}
	from, to := number(t.places, i), number(t.places, i+1)
	if from > to || to > len(t.all) {
		return nil
	}
	return t.all[from:to]
}

// A dict finds a text's number.
type dict struct {
	texts
	slots []byte
}

const slotSize = 8

func powerOfTwo(n int) bool { return n&(n-1) == 0 }

func (d dict) whole() bool {
	return len(d.places) >= 4 && len(d.slots)%slotSize == 0 && powerOfTwo(len(d.slots)/slotSize)
}

// Hash is the hash of a text for the slots.
func Hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	sum := h.Sum64()
	return sum ^ sum>>29
}

// find is the number of a text; -1 if there is none.
func (d dict) find(text string) int {
	const basis, prime = 14695981039346656037, 1099511628211
	sum := uint64(basis)
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * prime
	}
	return d.hashed(sum^sum>>29, text)
}

func (d dict) hashed(hash uint64, text string) int {
	n := len(d.slots) / slotSize
	if n == 0 {
		return -1
	}
	at := int(hash & uint64(n-1))
	for range n {
		slot := d.slots[slotSize*at:]
		id := number(slot, 1)
		if id == 0 {
			return -1
		}
		if uint32(number(slot, 0)) == uint32(hash>>32) && string(d.of(id-1)) == text {
			return id - 1
		}
		at = (at + 1) & (n - 1)
	}
	return -1
}

// A Slot of a hash table.
type Slot struct{ Hash, Value uint32 }

// Slots are the slots of texts, with their numbers; texts that take excludes cannot be found.
func Slots(list []string, take func(i int) bool) []Slot {
	n := 1
	for n < 2*len(list) {
		n *= 2
	}
	out := make([]Slot, n)
	for i, text := range list {
		if !take(i) {
			continue
		}
		h := Hash(text)
		at := h & uint64(n-1)
		for out[at].Value != 0 {
			at = (at + 1) & uint64(n-1)
		}
		out[at] = Slot{uint32(h >> 32), uint32(i) + 1}
	}
	return out
}

// A Merge joins two tokens into one; lower ranks come first.
type Merge struct{ Left, Right, Rank, New uint32 }

func mergeHash(left, right uint32) uint64 {
	h := (uint64(left)<<32 | uint64(right)) * 0x9E3779B97F4A7C15
	return h ^ h>>31
}

// MergeSlots are the slots of merges. If two have the same tokens, the first one counts.
func MergeSlots(list []Merge) []Merge {
	if len(list) == 0 {
		return nil
	}
	n := 1
	for n < 2*len(list) {
		n *= 2
	}
	out := make([]Merge, n)
	for _, m := range list {
		at := mergeHash(m.Left, m.Right) & uint64(n-1)
		for out[at].Left != 0 && (out[at].Left != m.Left+1 || out[at].Right != m.Right) {
			at = (at + 1) & uint64(n-1)
		}
		if out[at].Left == 0 {
			m.Left++
			out[at] = m
		}
	}
	return out
}

// merge is the token that two tokens are joined into, and its rank.
func (m *Model) merge(left, right int) (rank, id int, ok bool) {
	n := len(m.merges) / mergeSize
	if n == 0 {
		return 0, 0, false
	}
	at := int(mergeHash(uint32(left), uint32(right)) & uint64(n-1))
	for range n {
		slot := m.merges[mergeSize*at:]
		switch {
		case number(slot, 0) == 0:
			return 0, 0, false
		case number(slot, 0) == left+1 && number(slot, 1) == right:
			id = number(slot, 3)
			return number(slot, 2), id, id < m.Tokens
		}
		at = (at + 1) & (n - 1)
	}
	return 0, 0, false
}
