package host

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestPathsAreShownAsTheyAreTyped(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("paths of Unix")
	}
	h := New([]string{"HOME=/home/me"}, "linux", "/home/me/work", "/bin/agents-hooks", time.Now)
	for _, tc := range []struct{ path, short, shown, relative string }{
		{"/home/me/work/a/b", "~/work/a/b", "a/b", "a/b"},
		{"/home/me/work", "~/work", ".", "."},
		{"/home/me", "~", "~", "/home/me"},
		{"/home/me/x", "~/x", "~/x", "/home/me/x"},
		{"/home/meagre/x", "/home/meagre/x", "/home/meagre/x", "/home/meagre/x"},
		{"/home/me/a b", "~/a b", "'/home/me/a b'", "/home/me/a b"},
		{"/home/me/work/it's", "~/work/it's", `'it'\''s'`, "it's"},
		{"/etc/~x", "/etc/~x", "'/etc/~x'", "/etc/~x"},
	} {
		t.Run(tc.path, func(t *testing.T) {
			if got := h.Short(tc.path); got != tc.short {
				t.Errorf("Short(%s) = %s, want %s", tc.path, got, tc.short)
			}
			if got := h.Shown(tc.path); got != tc.shown {
				t.Errorf("Shown(%s) = %s, want %s", tc.path, got, tc.shown)
			}
			if got := h.Relative(tc.path); got != tc.relative {
				t.Errorf("Relative(%s) = %s, want %s", tc.path, got, tc.relative)
			}
		})
	}
	for in, want := range map[string]string{"~": "/home/me", "~/x": "/home/me/x", "~x": "/home/me/work/~x", "a/../b": "/home/me/work/b", "/c/./d": "/c/d"} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			if got, err := h.Abs(in); err != nil || filepath.ToSlash(got) != want {
				t.Errorf("Abs(%s) = %s (%v), want %s", in, got, err, want)
			}
		})
	}
	h.GOOS, h.Home = "windows", `C:\Users\Jane Doe`
	for path, want := range map[string]string{`C:\Users\Jane Doe\x`: `"C:\Users\Jane Doe\x"`, `D:\x`: `D:\x`, `D:\R&D`: `"D:\R&D"`, `D:\$x`: `'D:\$x'`} {
		t.Run(path, func(t *testing.T) {
			if got := h.Shown(path); got != want {
				t.Errorf("Shown(%s) = %s, want %s", path, got, want)
			}
		})
	}
	h.WorkDir = ""
	if got, err := h.Abs("x"); err == nil {
		t.Errorf("without a working directory x is %s", got)
	}
}
