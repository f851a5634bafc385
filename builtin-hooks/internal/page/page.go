// Package page writes a single HTML file for people: what a behaviour keeps, as it
// stands at one moment.
//
// The file asks nobody for anything: its style and its script lie in it, and its
// content security policy allows just these two, by their hashes, and nothing
// else; no request leaves it. What it shows lies in it as JSON, which the script
// makes text of and never markup: data that says </script> is shown as that.
//
// A view brings its own style and script, which follow the shared ones: frame,
// search, languages, state in the address, light and dark. The script ends with
// a call of show, which says what the page has; see page.js. The data is an
// object with at least language, name, dir and made. Package pagetest opens a
// page in a browser.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
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
	Language string // zh or en
	Title    string // what it is of
	Kind     string // what it shows, as its title says
	Style    string // CSS of its own
	Script   string // JavaScript of its own
	Data     any    // becomes JSON
}

// Write writes the page.
func (d Document) Write(w io.Writer) error {
	// json.Marshal spells <, > and & so that nothing in a string can end the
	// element that it stands in.
	data, err := json.Marshal(d.Data)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	language := "en"
	if d.Language == "zh" {
		language = "zh-CN"
	}
	style := style + d.Style
	script := "'use strict';\n(() => {\n" + script + d.Script + "})();\n"
	_, err = strings.NewReplacer(
		"{{policy}}", Policy(style, script),
		"{{language}}", language,
		"{{title}}", html.EscapeString(d.Title),
		"{{kind}}", html.EscapeString(d.Kind),
		"{{style}}", style,
		"{{script}}", script,
		"{{data}}", string(data),
	).WriteString(w, frame)
	return err
}

// Policy is the content security policy of a page with one style and one script.
func Policy(style, script string) string {
	return "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
}

// hash names an inline element in a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
