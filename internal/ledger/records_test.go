package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"runtime"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func numbered(n int) (k Key) {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	copy(k[:], sum[:])
	return k
}

// Whose a piece is, is found in a long ledger without reading all of it: of 50,000 records
// a few parts, whatever is asked for.
func TestALongLedgerIsReadInParts(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it is read whole there")
	}
	const many = 50_000
	state, root := t.TempDir(), t.TempDir()
	keys := make([]Key, many)
	for i := range keys {
		keys[i] = numbered(i)
	}
	must.Do(t, At(state, root).Let(Memory, keys))
	if err := At(state, root).Note(numbered(many)); err != nil { // behind the sorted ones
		t.Fatal(err)
	}
	most := 0
	for i := 0; i < many; i += 251 {
		l := At(state, root)
		if whose := l.Of(keys[i]); whose != Memory {
			t.Fatalf("piece %d: %q", i, whose)
		}
		if whose := l.Of(numbered(many + 1 + i)); whose != Nobody {
			t.Fatalf("a piece that nobody noted: %q", whose)
		}
		most = max(most, len(l.sorted.read))
	}
	if most > 8 {
		t.Errorf("%d parts of %d records were read for two pieces", most, partSize)
	}
	l := At(state, root)
	if whose := l.Of(numbered(many)); whose != Own {
		t.Errorf("what was noted last: %q", whose)
	}
	for i, k := range keys { // one ledger that is asked for everything
		if l.Of(k) != Memory {
			t.Fatalf("piece %d is lost", i)
		}
	}
	if n := At(state, root).Count(Memory); n != many {
		t.Errorf("%d were let in", n)
	}
}

// A long ledger that is cut, or of another version, knows nothing, and says so.
func TestALongLedgerThatIsDamaged(t *testing.T) {
	t.Parallel()
	state, root := t.TempDir(), t.TempDir()
	var keys []Key
	for i := range 5_000 {
		keys = append(keys, numbered(i))
	}
	must.Do(t, At(state, root).Let(Memory, keys))
	path := At(state, root).path
	whole, err := os.ReadFile(path)
	must.Do(t, err)
	for name, b := range map[string][]byte{"cut": whole[:len(whole)-recordSize], "no head": append([]byte("x"), whole...)} {
		t.Run(name, func(t *testing.T) {
			must.Write(t, path, b)
			l := At(state, root)
			told := false
			l.Failed = func(error) { told = true }
			if l.Of(keys[0]) != Nobody || l.Err() == nil || !told {
				t.Errorf("%v, %v, told %t", l.Of(keys[0]), l.Err(), told)
			}
		})
	}
}
