package main

import (
	"html"
	"strings"
)

// A block is one paragraph of a page.
type block struct{ tag, id, text string }

func blocksOf(page string) (out []block) {
	page = notProse.ReplaceAllString(page, " ")
	for _, m := range blocks.FindAllStringSubmatch(page, -1) {
		b := block{tag: strings.ToLower(m[1]), text: oneLine(html.UnescapeString(tags.ReplaceAllString(m[3], " ")))}
		if id := idOf.FindStringSubmatch(m[2]); id != nil {
			b.id = id[1]
		}
		if b.text != "" {
			out = append(out, b)
		}
	}
	return out
}

// page reads a page, paired with the English one if it is Chinese.
func (c *corpus) page(name, text string, files map[string][]byte) {
	list := blocksOf(text)
	if !chinesePath.MatchString(name) {
		for _, b := range list {
			c.paragraph(b.text)
		}
		return
	}
	for _, english := range []string{"en-US", "en"} {
		var other []byte
		ok := false
		for _, from := range []string{"zh-CN", "zh-cn", "zh_CN"} {
			if b, has := files[strings.ReplaceAll(name, from, english)]; has && from != english && strings.Contains(name, from) {
				other, ok = b, true
			}
		}
		if !ok || string(other) == text {
			continue
		}
		c.beside(blocksOf(string(other)), list)
		break
	}
	for _, b := range list {
		c.paragraph(b.text)
	}
}

// beside pairs the paragraphs of two pages: by their ids or, if both have as many of
// each kind, by their positions.
func (c *corpus) beside(en, zh []block) {
	byID := map[string]string{}
	for _, b := range en {
		if b.id != "" {
			byID[b.id] = b.text
		}
	}
	matched := 0
	for _, b := range zh {
		if t := byID[b.id]; b.id != "" && t != "" {
			c.pair(t, b.text)
			matched++
		}
	}
	if matched > len(zh)/4 {
		return
	}
	for _, tag := range []string{"p", "li", "dd", "dt", "td", "th", "h1", "h2", "h3", "h4"} {
		of := func(list []block) (out []string) {
			for _, b := range list {
				if b.tag == tag {
					out = append(out, b.text)
				}
			}
			return out
		}
		a, b := of(en), of(zh)
		if len(a) != len(b) {
			continue
		}
		for i := range a {
			c.pair(a[i], b[i])
		}
	}
}
