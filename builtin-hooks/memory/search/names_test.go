package search

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// People are found by their names in the other script.
// BM-FND-14.
func TestNamesAreFoundInTheOtherScript(t *testing.T) {
	t.Parallel()
	l := lexiconOf(t, t.TempDir())
	docs := []Doc{
		{ID: "zhangwei", Content: "张伟负责账单服务，改动要他点头"},
		{ID: "lixiaoming", Content: "发版找李小明，备份是前端组"},
		{ID: "chenjing", Content: "Chen Jing keeps the keys of the signing server"},
		{ID: "ouyang", Content: "The scanner firmware is maintained by zengqi, ask before flashing"},
		{ID: "zhao", Content: "Zhao Lihua reviews migrations of the ledger"},
		{ID: "lv", Content: "吕方管着实验室的示波器"},
		{ID: "nana", Content: "欧阳娜娜管年会的节目单"},
		{ID: "zhuge", Content: "诸葛亮每周检查冷库温度"},
		{ID: "sima", Content: "仓库盘点归司马相如"},
		{ID: "lvbing", Content: "吕兵修理打印机"},
		{ID: "lvbu", Content: "吕布给花浇水"},
		{ID: "shangguan", Content: "Shangguan Wan'er signs the travel forms"},
		{ID: "laochen", Content: "老陈每月初对账，别在那两天迁移"},
		{ID: "other", Content: "章威负责仓库的叉车"},
		{ID: "none", Content: "We long ago gave up on fan-out by hand; Heng is a word nobody uses"},
	}
	for i := range docs {
		docs[i].Kind = "fact"
	}
	s := snapshotOf(t, docs, l)
	vague := []string{"赵丽华审什么", "wei.zhang@example.com bill", "陈静负责什么"} // more is asked than the name
	for question, want := range map[string]string{
		"what does Li Xiaoming do":     "lixiaoming",
		"xiaoming li":                  "lixiaoming",
		"lixiaoming":                   "lixiaoming",
		"陈静负责什么":                       "chenjing",
		"when does Lao Chen reconcile": "laochen",
		"laochen":                      "laochen",
		"曾琪":                           "ouyang",
		"赵丽华审什么":                       "zhao",
		"Ouyang Nana":                  "nana",
		"what does Nana Ouyang do":     "nana",
		"ouyangnana":                   "nana",
		"Ou Yang Nana":                 "nana",
		"Zhuge Liang":                  "zhuge",
		"Sima Xiangru":                 "sima",
		"上官婉儿":                         "shangguan",
		"Lü Bing":                      "lvbing",
		"Lu\u0308 Bing":                "lvbing",
		"Lǚ Bù":                        "lvbu",
		"Lü Bu":                        "lvbu",
		"Lǐ Xiǎomíng":                  "lixiaoming",
		"Lv Fang":                      "lv",
		"who is Lu Fang":               "lv",
		"张伟":                           "zhangwei",
		"Is Zhang Wei in billing?":     "zhangwei",
		"wei.zhang@example.com bill":   "zhangwei",
	} {
		t.Run(question, func(t *testing.T) {
			hits := Search(s, Query{Text: question, Max: 3})
			if len(hits) == 0 || hits[0].ID != want || hits[0].Weak && !slices.Contains(vague, question) {
				t.Errorf("found %v, want %q first", hits, want)
			}
		})
	}
}

// What is no name leads nowhere: words that could be read as syllables, and characters that
// are no usual surname.
func TestWordsAreNotTakenForNames(t *testing.T) {
	t.Parallel()
	s := snapshotOf(t, []Doc{{ID: "1", Kind: "fact", Content: "黄色的线是接地，白色的是数据；方法见手册"}}, nil)
	for _, text := range []string{"run the linter", "he can man a long song", "banana", "open a panel", "xiang", "", "'", "zh ang"} {
		t.Run(text, func(t *testing.T) {
			if got := s.latinNames(text); len(got) > 0 {
				t.Errorf("%q: %v", text, got)
			}
		})
	}
}

// A name that memories had, and have no more, is none.
func TestANameThatIsGoneLeadsNowhere(t *testing.T) {
	t.Parallel()
	docs := []Doc{{ID: "1", Kind: "fact", Content: "张伟负责账单服务"}, {ID: "2", Kind: "fact", Content: "仓库的叉车在维修"}}
	file := filepath.Join(t.TempDir(), "all")
	s := New("", nil)
	for _, c := range []struct{ text, found string }{{"x", "张伟"}, {"xy", ""}} {
		must.Write(t, file, c.text)
		must.Do(t, s.Refresh([]Source{{Name: "all", Path: file, Read: func([]byte) []Doc { return docs }}}, day, 0))
		got := ""
		for _, n := range s.latinNames("zhang wei") {
			got = n[0].text
		}
		if got != c.found {
			t.Errorf("of %d memories: %q, want %q", len(docs), got, c.found)
		}
		docs = docs[1:]
	}
}

// Letters are read as so many syllables at most, the longest of them too.
func TestSyllables(t *testing.T) {
	t.Parallel()
	for letters, want := range map[string]string{
		"wei": "[[wei]]", "zhuangwei": "[[zhuang wei]]", "weizhuang": "[[wei zhuang]]", "xian": "[[xian] [xi an]]", "xi'an": "[[xi an]]",
		"weiweiwei": "[]", "zzz": "[]", "": "[]",
	} {
		t.Run(letters, func(t *testing.T) {
			if got := fmt.Sprint(syllables(letters, 2)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

func TestEverySyllableIsFound(t *testing.T) {
	t.Parallel()
	for syllable, chars := range map[string]string{"a": "阿", "zuo": "左", "zhang": "张", "wei": "伟", "lv": "吕", "lu": "吕", "e": "鄂"} {
		t.Run(syllable, func(t *testing.T) {
			if got := read(pinyin, syllable); len(got) == 0 || !strings.Contains(got, chars) {
				t.Errorf("%q", got)
			}
		})
	}
	for _, none := range []string{"", "zh", "zzz", "b", "张"} {
		if got := read(pinyin, none); got != "" {
			t.Errorf("%q is read as %q", none, got)
		}
	}
}
