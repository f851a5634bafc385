package main

import (
	"maps"
	"strings"
)

// A project is a small one that works, and the command that proves it.
type project struct {
	files   map[string]string
	command string
	breaks  []breakage
}

// A breakage is one way to break a project: in a file, old is replaced by new; without
// old the file is new, and with an empty new it is removed. mend describes the repair
// in plain words.
type breakage struct{ name, file, old, new, mend string }

// broken are the files of the project after a breakage.
func (p *project) broken(b breakage) map[string]string {
	files := maps.Clone(p.files)
	switch {
	case b.old != "":
		files[b.file] = strings.Replace(files[b.file], b.old, b.new, 1)
	case b.new == "":
		delete(files, b.file)
	default:
		files[b.file] = b.new
	}
	return files
}

func projects() []project { return []project{goProject, nodeProject, pythonProject} }

var goProject = project{
	command: "go test ./...",
	files: map[string]string{
		"go.mod":     "module example.com/shop\n\ngo 1.21\n\nrequire example.com/lib v1.0.0\n\nreplace example.com/lib => ./lib\n",
		"lib/go.mod": "module example.com/lib\n\ngo 1.21\n", "lib/lib.go": "package lib\n\nfunc Double(n int) int { return 2 * n }\n",
		"rates.json": `{"vat": 20}`, "settings": "SHOP_TOKEN=1\n",
		"total/total.go": `package total

import (
	"encoding/json"
	"os"
	"strings"

	"example.com/lib"
)

type Item struct {
	Name  string
	Price int
}

func Sum(items []Item) (sum int) {
	names := map[string]int{}
	for _, i := range items {
		names[strings.ToLower(i.Name)]++
		sum += i.Price
	}
	return sum
}

func First(items []Item) Item {
	if len(items) == 0 {
		return Item{}
	}
	return items[0]
}

func Later(n int) int {
	done := make(chan int, 1)
	done <- lib.Double(n)
	return <-done
}

func Rate() (int, error) {
	b, err := os.ReadFile("../rates.json")
	if err != nil {
		return 0, err
	}
	var r struct{ VAT int }
	return r.VAT, json.Unmarshal(b, &r)
}

func Token() string {
	b, err := os.ReadFile("../settings")
	if err != nil || !strings.HasPrefix(string(b), "SHOP_TOKEN=") {
		panic("environment variable SHOP_TOKEN is not set")
	}
	return "1"
}
`,
		"total/total_test.go": `package total

import "testing"

func TestAll(t *testing.T) {
	Token()
	if got := Sum([]Item{{"A", 2}, {"b", 3}}); got != 5 {
		t.Errorf("Sum is %d, want 5", got)
	}
	if First(nil) != (Item{}) || Later(4) != 8 {
		t.Error("First or Later")
	}
	if _, err := Rate(); err != nil {
		t.Fatal(err)
	}
}
`,
	},
	breaks: []breakage{
		{"unused import", "total/total.go", "import (\n", "import (\n\t\"fmt\"\n", "remove the import that is not used"},
		{"import gone", "total/total.go", "\t\"strings\"\n", "", "add the import of the package whose name is undefined"},
		{"wrong type", "total/total.go", "sum += i.Price", "sum += i.Name", "convert the value to the type that is wanted"},
		{"renamed", "lib/lib.go", "Double", "Twice", "use the name that the function has now, where it is defined"},
		{"requirement gone", "go.mod", "require example.com/lib v1.0.0\n", "", "run go mod tidy so that go.mod lists the module that provides the package"},
		{"calculation", "total/total.go", "sum += i.Price", "sum = i.Price", "compare expected and actual value of the assertion and mend the calculation"},
		{"nil map", "total/total.go", "names := map[string]int{}", "var names map[string]int", "make the map before it is written: it is nil"},
		{"index", "total/total.go", "if len(items) == 0 {\n\t\treturn Item{}\n\t}\n", "", "check the length before the index is used"},
		{"brace", "total/total.go", "\treturn <-done\n}", "\treturn <-done\n", "close the brace at the line of the syntax error"},
		{"file gone", "rates.json", "", "", "make the file that is missing, or correct its path"},
		{"bad JSON", "rates.json", "20}", "20,}", "mend the JSON where the parser stops at the invalid character"},
		{"variable", "settings", "SHOP_TOKEN", "SHOP", "set the environment variable that is missing in the configuration"},
		{"deadlock", "total/total.go", "make(chan int, 1)", "make(chan int)", "let another goroutine receive, or buffer the channel, so that none waits for ever in a deadlock"},
		{"two packages", "total/more.go", "", "package other\n", "give all files of the folder one package name"},
	},
}

var nodeProject = project{
	command: "node test.js",
	files: map[string]string{
		"package.json":                        `{"name": "shop", "version": "1.0.0", "dependencies": {"pad-start": "1.0.0"}}`,
		"node_modules/pad-start/package.json": `{"name": "pad-start", "version": "1.0.0", "main": "index.js"}`,
		"node_modules/pad-start/index.js":     "module.exports = (s) => String(s).padStart(3)\n",
		"config.json":                         `{"vat": 20}`, "settings": "SHOP_TOKEN=1\n",
		"lib/total.js": `const fs = require('fs')
function sum(items) {
  let total = 0
  for (const i of items) total += i.price
  return total
}
function city(user) {
  return user.address ? user.address.city : ''
}
function vat() {
  return JSON.parse(fs.readFileSync('config.json', 'utf8')).vat
}
function token() {
  if (!fs.readFileSync('settings', 'utf8').startsWith('SHOP_TOKEN=')) throw new Error('environment variable SHOP_TOKEN is not set')
}
async function later() {
  return sum([{ price: 1 }])
}
module.exports = { sum, city, vat, token, later }
`,
		"test.js": `const assert = require('assert')
const pad = require('pad-start')
const { sum, city, vat, token, later } = require('./lib/total')
token()
assert.strictEqual(sum([{ price: 2 }, { price: 3 }]), 5)
assert.strictEqual(city({}), '')
assert.strictEqual(vat(), 20)
assert.strictEqual(pad(1), '  1')
later().then((n) => assert.strictEqual(n, 1))
`,
	},
	breaks: []breakage{
		{"dependency gone", "node_modules/pad-start/index.js", "", "", "install the dependencies that package.json names into node_modules"},
		{"path", "test.js", "./lib/total", "./lib/totals", "correct the path of the file that is imported"},
		{"bracket", "lib/total.js", "function vat() {", "function vat( {", "close the bracket at the line of the syntax error"},
		{"undefined property", "lib/total.js", "user.address ? user.address.city : ''", "user.address.city", "check that the value is there before a property of undefined is read"},
		{"not declared", "lib/total.js", "  let total = 0\n", "", "declare the variable whose name is not defined"},
		{"calculation", "lib/total.js", "total += i.price", "total = i.price", "compare expected and actual value of the assertion and mend the calculation"},
		{"import in a script", "lib/total.js", "const fs = require('fs')", "import fs from 'fs'\nconst path = require('path')", "decide between ES modules and CommonJS: set type in package.json, or use require"},
		{"type module", "package.json", `"version"`, `"type": "module", "version"`, "decide between ES modules and CommonJS: set type in package.json, or name the file .cjs"},
		{"file gone", "config.json", "", "", "make the file that is missing, or correct its path"},
		{"bad JSON", "config.json", "20}", "20,}", "mend the JSON where the parser stops at the unexpected token"},
		{"variable", "settings", "SHOP_TOKEN", "SHOP", "set the environment variable that is missing in the configuration"},
		{"not exported", "lib/total.js", "{ sum, city, vat", "{ sum, vat", "export the function under the name that is called: it is not a function"},
		{"constant", "lib/total.js", "let total", "const total", "declare with let what is assigned to again: it is a constant variable"},
	},
}

var pythonProject = project{
	command: "python3 -m unittest",
	files: map[string]string{
		"conf.json": `{"vat": 20}`, "settings": "SHOP_TOKEN=1\n", "names.txt": "Zoë\n", "vendored.py": "def pad(s):\n    return str(s).rjust(3)\n",
		"shop.py": `import json
import vendored


def total(items):
    result = 0
    for item in items:
        result += item["price"]
    return result


def mean(items):
    if not items:
        return 0
    return total(items) / len(items)


def city(user):
    address = user.get("address") or {}
    return address.get("city", "")


def vat():
    with open("conf.json") as f:
        return json.load(f)["vat"]


def names():
    with open("names.txt", encoding="utf-8") as f:
        return f.read()


def token():
    with open("settings") as f:
        if not f.read().startswith("SHOP_TOKEN="):
            raise RuntimeError("environment variable SHOP_TOKEN is not set")
`,
		"test_shop.py": `import unittest
import shop


class Shop(unittest.TestCase):
    def test_all(self):
        shop.token()
        self.assertEqual(shop.total([{"price": 2}, {"price": 3}]), 5)
        self.assertEqual(shop.mean([]), 0)
        self.assertEqual(shop.city({}), "")
        self.assertEqual(shop.vat(), 20)
        self.assertTrue(shop.names())
`,
	},
	breaks: []breakage{
		{"module gone", "vendored.py", "", "", "install the module that is missing into the environment that runs"},
		{"indentation", "shop.py", "    result = 0\n", "      result = 0\n", "indent the block as the lines around it"},
		{"colon", "shop.py", "def vat():", "def vat()", "mend the syntax error at the line that is named"},
		{"name", "shop.py", "    result = 0\n", "", "set the variable before it is used: the name is not defined"},
		{"text and number", "shop.py", "result = 0", "result = \"\"", "convert the value to the type that is wanted"},
		{"key", "shop.py", `["vat"]`, `["VAT"]`, "use the key that is there, or a default for one that is missing"},
		{"none", "shop.py", `user.get("address") or {}`, `user.get("address")`, "check for None before an attribute is read"},
		{"calculation", "shop.py", "result += item", "result = item", "compare expected and actual value of the assertion and mend the calculation"},
		{"file gone", "conf.json", "", "", "make the file that is missing, or correct its path"},
		{"bad JSON", "conf.json", "20}", "20,}", "mend the JSON where the parser stops"},
		{"variable", "settings", "SHOP_TOKEN", "SHOP", "set the environment variable that is missing in the configuration"},
		{"circular import", "vendored.py", "", "from shop import total\n\n\ndef pad(s):\n    return str(s).rjust(3)\n", "break the circular import: move what both need into a module of its own"},
		{"division", "shop.py", "    if not items:\n        return 0\n", "", "guard against zero before the division"},
	},
}
