package conformance

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// JSON writes the report as one document.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// TAP writes the report in the Test Anything Protocol, version 13.
func (r *Report) TAP(w io.Writer) {
	fmt.Fprintf(w, "TAP version 13\n1..%d\n", len(r.Cases))
	for i, c := range r.Cases {
		name := strings.ReplaceAll(c.ID+" - "+c.Title, "#", `\#`)
		switch c.Result {
		case Passed:
			fmt.Fprintf(w, "ok %d - %s\n", i+1, name)
		case Skipped:
			fmt.Fprintf(w, "ok %d - %s # SKIP %s\n", i+1, name, c.Reason)
		default:
			fmt.Fprintf(w, "not ok %d - %s\n  ---\n  requirements: [%s]\n", i+1, name, strings.Join(c.Spec, ", "))
			for _, p := range c.Problems {
				fmt.Fprintf(w, "  - step: %d\n    what: %s\n    wanted: %s\n    got: %s\n", p.Step, quote(p.What), quote(p.Want), quote(p.Got))
			}
			fmt.Fprintln(w, "  ...")
		}
	}
}

// quote is a text on one line, as JSON and so as YAML.
func quote(s string) string { return jsonString(s) }

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	Time    string     `xml:"time,attr"`
	Failure *junitText `xml:"failure"`
	Error   *junitText `xml:"error"`
	Skipped *junitText `xml:"skipped"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the report in the XML form that build servers read.
func (r *Report) JUnit(w io.Writer) error {
	suite := junitSuite{
		Name: "agents-hooks conformance: " + r.Subject.Name, Tests: len(r.Cases),
		Failures: r.Totals[Failed], Errors: r.Totals[Broken], Skipped: r.Totals[Skipped],
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		class, name, _ := cutLast(c.ID, "/")
		j := junitCase{Class: strings.ReplaceAll(class, "/", "."), Name: name + ": " + c.Title, Time: fmt.Sprintf("%.3f", c.Duration.Seconds())}
		switch c.Result {
		case Failed, Broken:
			var b strings.Builder
			c.text(&b)
			text := &junitText{Message: strings.Join(c.Spec, " "), Text: printable(b.String())}
			if c.Result == Failed {
				j.Failure = text
			} else {
				j.Error = text
			}
		case Skipped:
			j.Skipped = &junitText{Message: c.Reason}
		}
		suite.Cases = append(suite.Cases, j)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", " ")
	if err := enc.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(sep):], true
}

// printable leaves out what XML cannot hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
