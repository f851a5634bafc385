package search

import (
	"slices"
	"strings"
	"testing"
)

func TestPack(t *testing.T) {
	t.Parallel()
	sparse := make([]float32, 200)
	sparse[3], sparse[70], sparse[199] = 0.5, -0.7, 0.5
	dense := make([]float32, 300)
	for i := range dense {
		dense[i] = float32(i%7) - 3.5
	}
	for _, v := range [][]float32{Unit(sparse), Unit(dense)} {
		if c := cosine(v, Pack(v)); c < 0.99 || c > 1.01 {
			t.Errorf("a vector and itself: %v", c)
		}
	}
	if cosine(dense, Pack(Unit(sparse))) != 0 || Pack(make([]float32, 4)) != nil {
		t.Error("vectors that do not fit")
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"parseFrontMatter":      "pars front matter parsefrontmatter",
		"HTTPServer2":           "http server2 httpserver2",
		"max_open_conns":        "max open conn maxopenconn",
		"node.js":               "node js nodej",
		"C++ and c#":            "cplusplus and csharp",
		".NET 8":                "dotnet 8",
		"retries retried":       "retry retry",
		"数据库":                   "数 数据 据 据库 库",
		"用 Redis 做缓存":           "用 redis 做 做缓 缓 缓存 存",
		"ＡＢＣ":                   "abc",
		"don't":                 "don t dont",
		"cached caches caching": "cach cach cach",
	} {
		t.Run(text, func(t *testing.T) {
			got := Terms(text)
			w := strings.Fields(want)
			slices.Sort(got)
			slices.Sort(w)
			if !slices.Equal(got, w) {
				t.Errorf("%q: %v, want %v", text, got, w)
			}
		})
	}
}

// What is common is looked up by halves.
func TestCommonIsSorted(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(common[:]) || !isCommon("the") || !isCommon("的") || isCommon("database") {
		t.Error("the common words are not sorted")
	}
}
