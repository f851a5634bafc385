package model2vec_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/model2vec"
	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// written is a folder of a model's files.
func folder(t *testing.T, tensors, tokenizer, config string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{model2vec.Tensors: tensors, model2vec.Tokenizer: tokenizer, model2vec.Config: config} {
		if content == "" {
			continue
		}
		must.Write(t, filepath.Join(dir, name), content)
	}
	return dir
}

func safetensors(head, data string) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(head)))) + head + data
}

const twoWords = `{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_tok\u0065n": "b"}}`

func f32(list ...float32) string {
	var b []byte
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return string(b)
}

func embeddings(dtype string, shape string, from, to int) string {
	return fmt.Sprintf(`{"embeddings":{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}}`, dtype, shape, from, to)
}

var good = safetensors(embeddings("F32", "[2,2]", 0, 16), f32(1, 2, 3, 4))

// A model may be a stranger's: whatever it says, the answer is an error that names
// the file, soon, and nothing is read that it does not have.
// BM-MDL-04.
func TestFilesThatLieAreRefused(t *testing.T) {
	t.Parallel()
	whole := map[string][3]string{
		"no header":                          {"", twoWords, "{}"},
		"a few bytes":                        {"abc", twoWords, "{}"},
		"a header beyond the end":            {string(binary.LittleEndian.AppendUint64(nil, 1000)) + "{}", twoWords, "{}"},
		"a huge header":                      {string(binary.LittleEndian.AppendUint64(nil, math.MaxUint64)) + "{}", twoWords, "{}"},
		"a header of 2 MB":                   {safetensors(strings.Repeat(" ", 2<<20), ""), twoWords, "{}"},
		"no JSON":                            {safetensors("hello", ""), twoWords, "{}"},
		"an archive":                         {"PK\x03\x04" + strings.Repeat("x", 100), twoWords, "{}"},
		"no tensor":                          {safetensors("{}", ""), twoWords, "{}"},
		"another tensor":                     {safetensors(strings.Replace(embeddings("F32", "[2,2]", 0, 16), "embeddings", "lm_head", 1), f32(1, 2, 3, 4)), twoWords, "{}"},
		"cut off":                            {good[:len(good)-1], twoWords, "{}"},
		"offsets beyond the end":             {safetensors(embeddings("F32", "[2,2]", 16, 32), f32(1, 2, 3, 4)), twoWords, "{}"},
		"offsets backwards":                  {safetensors(embeddings("F32", "[2,2]", 16, 0), f32(1, 2, 3, 4)), twoWords, "{}"},
		"negative offsets":                   {safetensors(embeddings("F32", "[2,2]", -16, 0), f32(1, 2, 3, 4)), twoWords, "{}"},
		"a shape that overflows":             {safetensors(embeddings("F32", "[4294967296,4294967296]", 0, 0), ""), twoWords, "{}"},
		"a shape that overflows to its size": {safetensors(embeddings("F32", "[4611686018427387905,4]", 0, 16), f32(1, 2, 3, 4)), twoWords, "{}"},
		"a larger shape":                     {safetensors(embeddings("F32", "[3,2]", 0, 16), f32(1, 2, 3, 4)), twoWords, "{}"},
		"a shape of one":                     {safetensors(embeddings("F32", "[4]", 0, 16), f32(1, 2, 3, 4)), twoWords, "{}"},
		"no rows":                            {safetensors(embeddings("F32", "[0,2]", 0, 0), ""), twoWords, "{}"},
		"no numbers a row":                   {safetensors(embeddings("F32", "[2,0]", 0, 0), ""), twoWords, "{}"},
		"an unknown type":                    {safetensors(embeddings("F8_E4M3", "[2,2]", 0, 4), "abcd"), twoWords, "{}"},
		"whole numbers":                      {safetensors(embeddings("I32", "[2,2]", 0, 16), f32(1, 2, 3, 4)), twoWords, "{}"},
		"NaN":                                {safetensors(embeddings("F32", "[2,2]", 0, 16), f32(1, 2, float32(math.NaN()), 4)), twoWords, "{}"},
		"infinity":                           {safetensors(embeddings("F16", "[2,2]", 0, 8), "\x00\x00\x00\x00\x00\x00\x00\x7c"), twoWords, "{}"},
		"nothing but zeros":                  {safetensors(embeddings("F32", "[2,2]", 0, 16), f32(0, 0, 0, 0)), twoWords, "{}"},
		"vectors of others":                  {safetensors(embeddings("F32", "[3,1]", 0, 12), f32(1, 2, 3)), twoWords, "{}"},
		"a mapping that leads out": {safetensors(`{"embeddings":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"mapping":{"dtype":"I64","shape":[2],"data_offsets":[8,24]}}`,
			f32(1, 2)+strings.Repeat("\x07\x00\x00\x00\x00\x00\x00\x00", 2)), twoWords, "{}"},
		"a negative mapping": {safetensors(`{"embeddings":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"mapping":{"dtype":"I64","shape":[2],"data_offsets":[8,24]}}`,
			f32(1, 2)+strings.Repeat("\xff", 16)), twoWords, "{}"},
		"weights of others": {safetensors(`{"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"weights":{"dtype":"F32","shape":[1],"data_offsets":[16,20]}}`,
			f32(1, 2, 3, 4, 5)), twoWords, "{}"},
		"no tokenizer":              {good, "", "{}"},
		"a tokenizer cut off":       {good, twoWords[:30], "{}"},
		"a deep tokenizer":          {good, strings.Repeat(`{"normalizer":`, 100_000), "{}"},
		"deep lists":                {good, `{"model": ` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "{}"},
		"sequences in sequences":    {good, `{"normalizer": ` + strings.Repeat(`{"type":"Sequence","normalizers":[`, 100) + strings.Repeat("]}", 100) + `, "model": {}}`, "{}"},
		"no model":                  {good, `{}`, "{}"},
		"an unknown model":          {good, `{"model": {"type": "Whisper"}}`, "{}"},
		"an unknown step":           {good, `{"normalizer": {"type": "Shell"}, "model": {}}`, "{}"},
		"a broken expression":       {good, `{"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(("}}, "model": {}}`, "{}"},
		"an empty vocabulary":       {good, `{"model": {"type": "WordLevel", "vocab": {}}}`, "{}"},
		"a number far away":         {good, `{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 2000000000}}}`, "{}"},
		"a number below":            {good, `{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": -1}}}`, "{}"},
		"one number twice":          {good, `{"model": {"type": "WordLevel", "vocab": {"a": 1, "b": 1}}}`, "{}"},
		"an unknown unknown":        {good, `{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_tok\u0065n": "c"}}`, "{}"},
		"a score that is none":      {good, `{"model": {"type": "Unigram", "vocab": [["a", "x"], ["b", 1]]}}`, "{}"},
		"a huge score":              {good, `{"model": {"type": "Unigram", "vocab": [["a", 1e300], ["b", 1]]}}`, "{}"},
		"an unknown number":         {good, `{"model": {"type": "Unigram", "unk_id": 2, "vocab": [["a", 1], ["b", 1]]}}`, "{}"},
		"a merge of nothing":        {good, `{"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b"]}}`, "{}"},
		"an added token far away":   {good, `{"added_tokens": [{"id": 1999999999, "content": "x"}], "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}}}`, "{}"},
		"a charsmap that leads out": {good, `{"normalizer": {"type": "Precompiled", "precompiled_charsmap": "/////w=="}, "model": {}}`, "{}"},
		"a charsmap in circles":     {good, `{"normalizer": {"type": "Precompiled", "precompiled_charsmap": "` + circles() + `"}, "model": {}}`, "{}"},
		"a config that is none":     {good, twoWords, `[`},
	}
	for name, files := range whole {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := converted(t, folder(t, files[0], files[1], files[2]))
			if err == nil {
				t.Fatal("it is taken for a model")
			}
			if text := err.Error(); !strings.Contains(text, model2vec.Tensors) && !strings.Contains(text, model2vec.Tokenizer) && !strings.Contains(text, model2vec.Config) || len(text) > 600 {
				t.Errorf("the error names no file, or is long: %.700v", err)
			}
		})
	}
	if m, err := converted(t, folder(t, good, twoWords, "")); err != nil || m.Vector("a") == nil || m.Vector("b") != nil {
		t.Errorf("what the others were made of: %v", err)
	}
}

// circles is a trie each of whose nodes leads to all others.
func circles() string {
	b := binary.LittleEndian.AppendUint32(nil, 4*256)
	for i := range uint32(256) {
		b = binary.LittleEndian.AppendUint32(b, i|i<<10)
	}
	text, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	return strings.Trim(string(text), `"`)
}

// A link in a model's folder leads nowhere else: what it leads to is not read, and
// a pipe is not waited for.
// BM-MDL-05.
func TestLinksOfAModelStayInItsFolder(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.json")
	must.Write(t, outside, twoWords)
	dir := folder(t, good, "", "{}")
	linktest.Make(t, outside, filepath.Join(dir, model2vec.Tokenizer))
	if _, err := model2vec.Open(dir); err == nil || !strings.Contains(err.Error(), "leads out of its folder") {
		t.Errorf("a link out: %v", err)
	}
	must.Do(t, os.Remove(filepath.Join(dir, model2vec.Tokenizer)))
	must.Write(t, filepath.Join(dir, "other.json"), twoWords)
	must.Do(t, os.Symlink("other.json", filepath.Join(dir, model2vec.Tokenizer)))
	if s, err := model2vec.Open(dir); err != nil {
		t.Errorf("a link that stays: %v", err)
	} else {
		s.Close()
	}
	// As a library for downloads lays its cache.
	cache := t.TempDir()
	for name, content := range map[string]string{"1a": good, "2b": twoWords} {
		must.Write(t, filepath.Join(cache, "blobs", name), content)
	}
	snapshot := filepath.Join(cache, "snapshots", "abc")
	must.Do(t, os.MkdirAll(snapshot, 0o700))
	for name, blob := range map[string]string{model2vec.Tensors: "1a", model2vec.Tokenizer: "2b"} {
		must.Do(t, os.Symlink(filepath.Join("..", "..", "blobs", blob), filepath.Join(snapshot, name)))
	}
	if s, err := model2vec.Open(snapshot); err != nil {
		t.Errorf("a cache of downloads: %v", err)
	} else {
		s.Close()
	}
}
