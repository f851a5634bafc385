package discovery

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Hooks of a folder with very many are the same whoever reads them.
func TestTogetherIsAsAlone(t *testing.T) {
	w := newWorld(t)
	for i := range 2*crowd + 17 {
		name := fmt.Sprintf("h%d", i)
		dir := filepath.Join(w.hooksOf(UserLayer), name)
		switch i % 7 {
		case 0, 1:
			w.hook(UserLayer, name, preTool)
		case 2:
			w.file(filepath.Join(dir, "HOOK.md"), "---\nname: "+name+"\ntrigger: [\n---\n", 0o644)
		case 3:
			w.file(filepath.Join(dir, "HOOK.md"), "---\nname: theirs\nmetadata:\n  openclaw: {}\n---\n", 0o644)
		case 4:
			w.dir(dir)
		default:
			w.hook(UserLayer, name, session)
		}
	}
	load := func(procs int) *Set {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		return LoadEvent(w.src, preTool, w.project)
	}
	seen := func(s *Set) (out []string) {
		for _, h := range slices.Concat(s.Ready(preTool), s.Broken(preTool)) {
			out = append(out, fmt.Sprint(h.Dir, h.Status, h.Problems))
		}
		return out
	}
	alone, together := load(1), load(4)
	if a, b := seen(alone), seen(together); len(a) < crowd/2 || !reflect.DeepEqual(a, b) {
		t.Errorf("%d hooks alone, %d together", len(a), len(b))
	}
	if alone.Found != together.Found || !reflect.DeepEqual(alone.Problems, together.Problems) {
		t.Errorf("found %d and %d, problems %v and %v", alone.Found, together.Found, alone.Problems, together.Problems)
	}
}

// A panic of a thread that helps reaches the one that recovers; left alone it
// would end the program with 2, which blocks.
func TestTogetherHandsAPanicOn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "nil pointer") {
			t.Errorf("recovered %v", p)
		}
	}()
	newLoader(Sources{}, preTool).together(nil, make([]string, 4*crowd), UserLayer, 0)
	t.Error("a folder that is none was read")
}
