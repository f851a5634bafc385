// Package page writes a single HTML file that shows the data of a behaviour, or the
// whole program's activity, at one moment.
//
// The file makes no requests: it contains its style and its script, and its content
// security policy allows only these, by hash. The data is embedded as JSON, which the
// script inserts as text and never as markup, so "</script>" in the data is shown
// literally. Characters that reverse or hide text ([protocol.Odd]) are escaped.
//
// A page consists of parts. Each part adds its style and script to the shared ones:
// frame, search, languages, state in the address, light and dark. The script ends with
// a call of show, which describes the part; see page.js. A part has one or more
// documents, each an object with at least a name; a page with one part and one document
// has no navigation. Package pagetest opens a page in a browser.
//
// A page that is served gets a live script ([Document.Live]) and may send requests to
// its own origin; its documentation describes the policy for that.
package page

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var (
	//go:embed page.html
	frame string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// A Document is one page.
type Document struct {
	Language string // zh or en, which the page begins in
	Name     string // what it is of
	Kind     string // what it shows, as its title says
	Dir      string // where that lies, as people write it
	Made     string // RFC 3339
	Parts    []Part
	Live     string // JavaScript of a page that is served, "" for a file
	After    string // the place from which a live page goes on
}

// A Part is a kind of thing that a page shows.
type Part struct {
	Name    string // a word for the address
	English string // as the navigation says
	Chinese string
	Count   int    // how much there is, as the navigation says; 0: nothing is said
	Style   string // CSS of its own
	Script  string // JavaScript of its own
	Docs    []any  // become JSON
	// What a person reads where there is none yet: how one comes about.
	BeginEnglish, BeginChinese string
}

// One is the page of one part, which begins in a language.
func One(language, name, kind, dir, made string, p Part) Document {
	return Document{Language: language, Name: name, Kind: kind, Dir: dir, Made: made, Parts: []Part{p}}
}

// about is a part as the script has it.
type about struct {
	Name    string `json:"name"`
	English string `json:"en"`
	Chinese string `json:"zh"`
	Count   int    `json:"count"`
	Docs    []any  `json:"docs"`
	BeginEN string `json:"begin_en"`
	BeginZH string `json:"begin_zh"`
}

// JSON is what a script is given of a part.
func (p Part) JSON() ([]byte, error) { return JSON(p.about()) }

func (p Part) about() about {
	return about{p.Name, p.English, p.Chinese, p.Count, append([]any{}, p.Docs...), p.BeginEnglish, p.BeginChinese}
}

// Write writes the page.
func (d Document) Write(w io.Writer) error {
	parts := make([]about, len(d.Parts))
	sheets, code := []string{style}, "'use strict';\n(() => {\n"+script
	for i, p := range d.Parts {
		parts[i] = p.about()
		sheets = append(sheets, p.Style)
		code += "begin['" + p.Name + "'] = (data, show) => {\n" + p.Script + "};\n"
	}
	code += d.Live + "start();\n})();\n"
	data, err := JSON(map[string]any{
		"language": cmp.Or(d.Language, "en"), "name": d.Name, "dir": d.Dir, "made": d.Made, "after": d.After, "parts": parts,
	})
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	language, styles := "en", ""
	if d.Language == "zh" {
		language = "zh-CN"
	}
	for _, s := range sheets {
		styles += "<style>" + s + "</style>\n"
	}
	// Names are data, and may hold anything; style and script are this program's own.
	_, err = strings.NewReplacer(
		"{{policy}}", html.EscapeString(d.policy(sheets, code)), "{{language}}", language,
		"{{title}}", html.EscapeString(d.Name), "{{kind}}", html.EscapeString(d.Kind),
		"{{styles}}", styles, "{{data}}", string(data), "{{script}}", code,
	).WriteString(w, frame)
	return err
}

// policy is the content security policy of the page. One that is served may ask the
// place that it came from.
func (d Document) policy(sheets []string, code string) string {
	p := Policy(sheets, code)
	if d.Live != "" {
		p += "; connect-src 'self'"
	}
	return p
}

// Policy is the content security policy of a page with some styles and one script.
func Policy(styles []string, script string) string {
	p := "default-src 'none'; style-src"
	for _, s := range styles {
		p += " '" + hash(s) + "'"
	}
	return p + "; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
}

// hash names an inline element in a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// JSON is a value as a page has it: JSON in which nothing in a string can end the element that it stands in
// (json.Marshal spells <, > and &), and what a person would not see is spelled as
// text: \u202e turns nothing around. What joins the parts of an emoji stays.
func JSON(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(len(b) + len(b)/64) // mutant: it grows anyway
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '\\' && b[i+1] == 'u':
			r, _ := strconv.ParseUint(string(b[i+2:i+6]), 16, 32)
			if protocol.Odd(rune(r)) && r != '\r' {
				out.WriteByte('\\')
			}
			out.Write(b[i : i+6])
			i += 6
		case c == '\\':
			if b[i+1] == 'b' || b[i+1] == 'f' {
				out.WriteByte('\\')
			}
			out.Write(b[i : i+2])
			i += 2
		case c < utf8.RuneSelf:
			out.WriteByte(c)
			i++
		default:
			r, n := utf8.DecodeRune(b[i:])
			if protocol.Odd(r) && !joins(r) {
				fmt.Fprintf(&out, `\\u{%x}`, r)
			} else {
				out.Write(b[i : i+n])
			}
			i += n
		}
	}
	return out.Bytes(), nil
}

// joins reports whether a character only joins or chooses the parts of an emoji,
// which honest texts have everywhere.
func joins(r rune) bool { return r == '\u200d' || r == '\ufe0e' || r == '\ufe0f' }
