package skills

import (
	"fmt"
	"time"

	"github.com/dlclark/regexp2"
)

// matchLimit is how long one expression may take on one text: it is a
// stranger's, and so is the text. The matcher looks at the time every 100 ms.
const matchLimit = 100 * time.Millisecond

// An expression is a compiled regular expression, of the dialect that matchers
// of hooks are written in; the zero value finds nothing.
type expression struct {
	source string
	re     *regexp2.Regexp
}

// compile compiles an expression. An error is the text's fault.
func compile(source string) (e expression, err error) {
	e.source = source
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("compiling the regular expression failed: %v", p)
		}
	}()
	re, err := regexp2.Compile(source, regexp2.None)
	if err != nil {
		return e, err
	}
	re.MatchTimeout = matchLimit
	e.re = re
	return e, nil
}

// wrong says why there is nothing to match with.
func (e expression) wrong() error {
	if e.re != nil || e.source == "" {
		return nil
	}
	_, err := compile(e.source)
	return err
}

// found reports whether the expression is in a text. One that does not finish is not: a
// prompt guards nothing, and is better left out than given where it does not belong.
func (e expression) found(text string) (ok bool) {
	if e.re == nil {
		return false
	}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	ok, err := e.re.MatchString(text)
	return ok && err == nil
}
