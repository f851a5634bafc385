package lexicon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
)

// The lexicon is the one that training made, and no larger than a program may carry.
func TestTheLexiconIsTheOneThatWasMade(t *testing.T) {
	t.Parallel()
	all := unpacked(t)
	sum := sha256.Sum256(all)
	if id := hex.EncodeToString(sum[:8]); id != ID {
		t.Errorf("it is %s, and ID says %s: bench/train makes both", id, ID)
	}
	if len(all) > 8<<20 {
		t.Errorf("it has %d bytes", len(all))
	}
}

func unpacked(t *testing.T) []byte {
	t.Helper()
	var all bytes.Buffer
	if err := words.Unpack(&all); err != nil {
		t.Fatal(err)
	}
	return all.Bytes()
}

func open(t *testing.T) *Lexicon {
	t.Helper()
	cache := t.TempDir()
	if err := Lay(cache, words.Unpack); err != nil {
		t.Fatal(err)
	}
	l, err := Open(Path(cache))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// Words that mean nearly the same are nearer to each other than to others, and
// Chinese ones link to what they stand for.
func TestWordsThatMeanTheSameAreNear(t *testing.T) {
	t.Parallel()
	l := open(t)
	vector := func(t *testing.T, word string) []float32 {
		t.Helper()
		n, ok := l.Find(word)
		v := make([]float32, l.Dims())
		if !ok || !l.Add(n, 1, v) {
			t.Fatalf("%q has no vector", word)
		}
		return v
	}
	cosine := func(t *testing.T, a, b string) float64 {
		t.Helper()
		var ab, aa, bb float64
		x, y := vector(t, a), vector(t, b)
		for i := range x {
			ab, aa, bb = ab+float64(x[i]*y[i]), aa+float64(x[i]*x[i]), bb+float64(y[i]*y[i])
		}
		return ab / math.Sqrt(aa*bb)
	}
	for _, three := range [][3]string{
		{"password", "credential", "printer"}, {"rollback", "transaction", "phon"}, {"备份", "backup", "color"}, {"缓存", "cach", "invoic"}, {"rout", "gateway", "font"},
	} {
		t.Run(three[0], func(t *testing.T) {
			if near, far := cosine(t, three[0], three[1]), cosine(t, three[0], three[2]); near < far+0.2 {
				t.Errorf("%s is %.2f to %s and %.2f to %s", three[0], near, three[1], far, three[2])
			}
		})
	}
	for zh, en := range map[string]string{"备份": "backup", "密码": "password", "超时": "timeout", "部署": "deploy"} {
		t.Run(zh, func(t *testing.T) {
			links := func(from string) (out []string) {
				n, _ := l.Find(from)
				l.Links(n, func(other int, sure float32) {
					if sure <= 0 || sure > 1 {
						t.Errorf("%s is linked as surely as %v", from, sure)
					}
					out = append(out, l.Word(other))
				})
				return out
			}
			if !slices.Contains(links(zh), en) || !slices.Contains(links(en), zh) {
				t.Errorf("%s links to %q, %s to %q", zh, links(zh), en, links(en))
			}
		})
	}
	if _, ok := l.Find("xyzzyplugh"); ok {
		t.Error("it knows what is no word")
	}
	if _, ok := (*Lexicon)(nil).Find("backup"); ok {
		t.Error("no lexicon knows a word")
	}
}

// A file that is damaged is refused, and one of another version is cleared away.
// BM-FND-11.
func TestOnlyAWholeLexiconIsRead(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	dir := filepath.Join(cache, "memory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, name("0123456789abcdef"))
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Lay(cache, words.Unpack); err != nil {
			t.Fatal(err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%v: want the lexicon and its lock alone", entries)
	}
	all := string(unpacked(t))
	for what, text := range map[string]string{"cut": all[:len(all)-1], "longer": all + "x", "empty": "", "another": strings.Repeat("garbage ", 99)} {
		t.Run(what, func(t *testing.T) {
			if err := os.WriteFile(Path(cache), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(Path(cache)); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v", what, err)
			}
			if err := Lay(cache, words.Unpack); err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(Path(cache)); string(b) != all {
				t.Errorf("%s, and laid again: %d bytes, %v", what, len(b), err)
			}
		})
	}
	if Path("") != "" || Lay("", words.Unpack) != nil {
		t.Error("without a cache it lies nowhere")
	}
}

// What processes left that were killed while they wrote it goes with the next one that writes it,
// or with a clean-up, and never what another process is writing.
// BM-FND-11.
func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	left := func(name string) string {
		file := filepath.Join(cache, "memory", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("half"), 0o600)); err != nil {
			t.Fatal(err)
		}
		return file
	}
	first := left("lexicon-1.tmp")
	err := Lay(cache, func(w io.Writer) error {
		if _, err := os.Lstat(first); err == nil {
			t.Error("it is left while another one is written")
		}
		return words.Unpack(w)
	})
	second := left("lexicon-2.tmp")
	err = errors.Join(err, Lay(cache, words.Unpack), Clear(cache), Clear(""), Clear(t.TempDir()))
	if _, bad := os.Lstat(second); bad == nil || err != nil {
		t.Errorf("after a clean-up it is left: %v", err)
	}
}
