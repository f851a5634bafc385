package habits

import (
	"regexp"
	"sync"
)

// A pattern is an expression that is compiled when it is first looked for. There are fifty
// of them, and every command of the program would wait two milliseconds for all.
type pattern func() *regexp.Regexp

func patternOf(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
