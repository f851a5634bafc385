package habits

import (
	"regexp"
	"sync"
)

// A pattern is an expression that is compiled on first use. There are fifty of them,
// and compiling all would cost every command of the program two milliseconds.
type pattern func() *regexp.Regexp

func patternOf(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
