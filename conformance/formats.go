package conformance

import (
	"bytes"
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

// JUnit writes the report in the XML form that build servers read.
func (r *Report) JUnit(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n",
		xml.Header, escaped("agents-hooks conformance: "+r.Subject.Name), len(r.Cases), r.Totals[Failed], r.Totals[Broken], r.Totals[Skipped])
	for i := range r.Cases {
		c := &r.Cases[i]
		class, name, _ := cutLast(c.ID, "/")
		fmt.Fprintf(&b, " <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\">", escaped(strings.ReplaceAll(class, "/", ".")), escaped(name+": "+c.Title), c.Duration.Seconds())
		switch c.Result {
		case Failed, Broken:
			element := map[string]string{Failed: "failure", Broken: "error"}[c.Result]
			var text strings.Builder
			c.text(&text)
			fmt.Fprintf(&b, "\n  <%s message=\"%s\">%s</%[1]s>\n ", element, escaped(strings.Join(c.Spec, " ")), escaped(printable(text.String())))
		case Skipped:
			fmt.Fprintf(&b, "\n  <skipped message=\"%s\"></skipped>\n ", escaped(c.Reason))
		}
		b.WriteString("</testcase>\n")
	}
	b.WriteString("</testsuite>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// escaped is a text for XML. An encoder would link what takes values of any type apart.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a builder takes everything
	return b.String()
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
