// Makes the small models of this folder, and what the tokenizers library itself and
// the arithmetic of Model2Vec's encode make of some texts:
//
//   npm install tokenizers && node reference.mjs
//
// The tokens of expected.json are that library's (tokenizers 0.23.2, which is written in Rust); the vectors are computed
// here, from the same bytes that model.safetensors holds.
import { createRequire } from 'node:module'
import { mkdirSync, writeFileSync } from 'node:fs'
const { Tokenizer } = createRequire(process.cwd() + '/')('tokenizers')

let seed = 7
const random = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648)
const corpus = `the deployment of the database server times out when the cache is cold; we roll back a release with make revert.
Tests run on every commit, unless the branch is a draft. Tokens expire after 15 minutes; the gateway refreshes them 30 seconds earlier.
数据库 连接池 超时 回滚 部署 缓存 测试 提交 分支 命令行 配置 文件 服务器 备份 恢复 日志 监控
résumé naïve café Übergröße façade data-base http://example.org/a_b?c=1 user@example.org v2.10.3 x86_64 C++ don't we'll`

const texts = [
  'the cache', 'How do we roll back a release?', '数据库连接超时怎么办', 'Résumé NAÏVE café e\u0301 ﬁle ①', '', '   ', 'zzzqqq ☃ 🙂',
  'user@example.org  sends\tdata-base\r\nv2.10.3', "don't we'll I'M", '한국어 서버', '数据库 timeout after 15 minutes, ok?', 'a\u0000b\u200bc\ufeffd\u00a0e',
  'x'.repeat(120) + ' the', '[UNK] the [PAD] cache', 'multi word token here', 'ＦＵＬＬ　ｗｉｄｔｈ', 'İstanbul ΣΑΣ', '(parens) [brackets] {braces} $5 +1 ^x `y` ~z|w',
  'the   server    is  cold', 'hello_world snake_case CamelCase 12345 ١٢٣', 'แบบไทย हिन्दी',
]

function grams(list, most) {
  const counts = new Map()
  for (const w of list) { const c = [...w]; for (let i = 0; i < c.length; i++) for (let j = i + 1; j <= Math.min(c.length, i + most); j++) { const g = c.slice(i, j).join(''); counts.set(g, (counts.get(g) || 0) + 1) } }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}
const words = corpus.toLowerCase().normalize('NFD').replace(/\p{Mn}/gu, '').split(/[\s]+|(?=[^\p{L}\p{N}])|(?<=[^\p{L}\p{N}])/u).filter(Boolean)

function wordPiece() {
  const vocab = { '[PAD]': 0, '[UNK]': 1 }
  const add = t => { if (!(t in vocab)) vocab[t] = Object.keys(vocab).length }
  for (const c of new Set(words.join(''))) { add(c); add('##' + c) }
  for (const [g, n] of grams(words, 5).slice(0, 260)) if (n > 1) { add(g); add('##' + g) }
  return vocab
}
function bpe(pieces, chars) {
  const vocab = {}; const add = t => { if (!(t in vocab)) vocab[t] = Object.keys(vocab).length }
  chars.forEach(add)
  let list = pieces.map(p => [...p]); const merges = []
  for (let n = 0; n < 150; n++) {
    const counts = new Map()
    for (const l of list) for (let i = 0; i + 1 < l.length; i++) { const k = l[i] + '\n' + l[i + 1]; counts.set(k, (counts.get(k) || 0) + 1) }
    const best = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]
    if (!best) break
    const [a, b] = best[0].split('\n'); merges.push(n % 2 ? [a, b] : [a, b]); add(a + b)
    list = list.map(l => { const o = []; for (const x of l) { if (o.length && o[o.length - 1] === a && x === b) o[o.length - 1] = a + b; else o.push(x) } return o })
  }
  return { vocab, merges }
}
// A double array as SentencePiece has it, laid out in the simplest way there is.
function charsmap(table) {
  const keys = Object.keys(table); let texts = ''; const places = {}
  for (const k of keys) { places[k] = Buffer.byteLength(texts); texts += table[k] + '\0' }
  const root = { kids: new Map() }
  for (const k of keys) { let n = root; for (const b of Buffer.from(k)) { if (!n.kids.has(b)) n.kids.set(b, { kids: new Map() }); n = n.kids.get(b) } n.value = places[k] }
  const units = []; let free = 256
  const place = (n, at) => {
    const base = free; free += 256 // children lie at base ^ byte, and a value at base
    let offset = base ^ at
    let u = units[at] || 0
    u = (u | ((offset << 10) >>> 0)) >>> 0
    if (n.value !== undefined) { u = (u | (1 << 8)) >>> 0; units[base] = ((1 << 31) | n.value) >>> 0 }
    units[at] = u
    for (const [b, kid] of n.kids) { units[base ^ b] = b; place(kid, base ^ b) }
  }
  place(root, 0)
  const out = Buffer.alloc(4 + 4 * free); out.writeUInt32LE(4 * free, 0)
  for (let i = 0; i < free; i++) out.writeUInt32LE(units[i] || 0, 4 + 4 * i)
  return Buffer.concat([out, Buffer.from(texts)]).toString('base64')
}
const byteAlphabet = (() => { const out = []; let n = 0; for (let b = 0; b < 256; b++) out.push((b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174 ? String.fromCharCode(b) : String.fromCharCode(256 + n++)); return out })()
const spelled = t => [...Buffer.from(t)].map(b => byteAlphabet[b]).join('')

const pieces = corpus.split(/\s+/).map(w => '▁' + w)
const unigram = [['<s>', 0], ['<pad>', 0], ['</s>', 0], ['<unk>', 0], ['▁', -4.5]]
for (const [g, n] of grams(pieces, 6)) if (g !== '▁' && unigram.length < 420) unigram.push([g, Math.round(-1e4 * (12 - Math.log(n) - 0.9 * [...g].length)) / 1e4])
const gpt = bpe(corpus.split(/(?= )/).map(spelled), byteAlphabet)
const llama = bpe(pieces, ['<unk>', ...Array.from({ length: 256 }, (_, i) => '<0x' + i.toString(16).toUpperCase().padStart(2, '0') + '>'), ...new Set(pieces.join(''))])
const level = { '[UNK]': 0, '12': 1 }; for (const w of new Set(words)) if (!(w in level)) level[w] = Object.keys(level).length
const added = (id, content, more) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true, ...more })
const base = { version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null }
const wp = wordPiece(), wpn = Object.keys(wp).length

const models = {
  wordpiece: {
    type: 'F32', dims: 12, normalize: true,
    tokenizer: { ...base, added_tokens: [added(0, '[PAD]'), added(1, '[UNK]'), added(wpn, 'multi word token', { normalized: true, special: false })], normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true }, pre_tokenizer: { type: 'BertPreTokenizer' }, model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab: wp } },
  },
  unigram: {
    type: 'F16', dims: 8, normalize: true, rows: 64,
    tokenizer: { ...base, normalizer: { type: 'Sequence', normalizers: [{ type: 'Precompiled', precompiled_charsmap: charsmap({ 'ﬁ': 'fi', '①': '1', 'é': 'é', '\u00a0': ' ', '\u3000': ' ', '\u0000': '', '\u200b': ' ', '\ufeff': '', '\t': ' ', '\r': ' ', '\n': ' ', ...Object.fromEntries([...'ＦＵＬｗｉｄｔｈ'].map(c => [c, c.normalize('NFKC')])) }) }, { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' }, { type: 'Lowercase' }] }, pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true }] }, model: { type: 'Unigram', unk_id: 3, vocab: unigram, byte_fallback: false } },
  },
  gpt2: {
    type: 'I8', dims: 16, normalize: false,
    tokenizer: { ...base, pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true }, model: { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: false, byte_fallback: false, ignore_merges: false, vocab: gpt.vocab, merges: gpt.merges } },
  },
  llama: {
    type: 'F32', dims: 8, normalize: false,
    tokenizer: { ...base, normalizer: { type: 'Sequence', normalizers: [{ type: 'NFC' }, { type: 'Prepend', prepend: '▁' }, { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] }, model: { type: 'BPE', dropout: null, unk_token: '<unk>', continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: true, byte_fallback: true, ignore_merges: false, vocab: llama.vocab, merges: llama.merges.map(m => m.join(' ')) } },
  },
  wordlevel: {
    type: 'F64', dims: 6, normalize: true,
    tokenizer: { ...base, normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Lowercase' }, { type: 'NFD' }, { type: 'StripAccents' }, { type: 'Strip', strip_left: true, strip_right: true }] }, pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Whitespace' }, { type: 'Punctuation', behavior: 'Isolated' }, { type: 'Split', pattern: { Regex: '[0-9]{2}' }, behavior: 'MergedWithNext', invert: false }, { type: 'Digits', individual_digits: false }] }, model: { type: 'WordLevel', unk_token: '[UNK]', vocab: level } },
  },
}

function half(x) { // round to nearest even, of normal numbers
  const f = new Float32Array([x]), u = new Uint32Array(f.buffer)[0], s = u >>> 31, e = ((u >>> 23) & 255) - 112, m = u & 0x7fffff
  if (e <= 0) return [s << 15, 0]
  let h = (e << 10) | (m >>> 13); const rest = m & 0x1fff
  if (rest > 0x1000 || (rest === 0x1000 && h & 1)) h++
  return [(s << 15) | h, (s ? -1 : 1) * (1 + (h & 1023) / 1024) * 2 ** ((h >> 10) - 15)]
}
const cell = {
  F64: x => [Buffer.from(new Float64Array([x]).buffer), x], F32: x => { const f = new Float32Array([x]); return [Buffer.from(f.buffer), f[0]] },
  F16: x => { const [h, v] = half(x); return [Buffer.from(new Uint16Array([h]).buffer), v] }, I8: x => { const n = Math.round(x * 100); return [Buffer.from([n & 255]), n] },
}
function tensors(all) {
  const head = {}; let at = 0; const data = []
  for (const [name, t] of Object.entries(all)) { head[name] = { dtype: t.dtype, shape: t.shape, data_offsets: [at, at + t.bytes.length] }; at += t.bytes.length; data.push(t.bytes) }
  let text = JSON.stringify(head); while (text.length % 8) text += ' '
  const size = Buffer.alloc(8); size.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([size, Buffer.from(text), ...data])
}

for (const [name, m] of Object.entries(models)) {
  mkdirSync(name, { recursive: true })
  const t = Tokenizer.fromString(JSON.stringify(m.tokenizer)), tokens = t.getVocabSize(true), rows = m.rows || tokens
  const table = [], bytes = []
  for (let i = 0; i < rows; i++) { table.push([]); for (let j = 0; j < m.dims; j++) { const [b, v] = cell[m.type](2 * random() - 1); bytes.push(b); table[i].push(v) } }
  const all = { embeddings: { dtype: m.type, shape: [rows, m.dims], bytes: Buffer.concat(bytes) } }
  let weights, mapping
  if (m.rows) {
    mapping = Array.from({ length: tokens }, () => Math.floor(random() * rows)); weights = Array.from({ length: tokens }, () => Math.fround(random()))
    all.weights = { dtype: 'F32', shape: [tokens], bytes: Buffer.from(new Float32Array(weights).buffer) }
    all.mapping = { dtype: 'I64', shape: [tokens], bytes: Buffer.from(new BigInt64Array(mapping.map(BigInt)).buffer) }
  }
  writeFileSync(name + '/model.safetensors', tensors(all)); writeFileSync(name + '/tokenizer.json', JSON.stringify(m.tokenizer)); writeFileSync(name + '/config.json', JSON.stringify({ normalize: m.normalize, seq_length: 1000000 }) + '\n')
  const unk = m.tokenizer.model.unk_token ? t.tokenToId(m.tokenizer.model.unk_token) : null
  const lengths = Array.from({ length: tokens }, (_, i) => [...(t.idToToken(i) ?? '')].length).sort((a, b) => a - b), median = Math.floor((lengths[(tokens - 1) >> 1] + lengths[tokens >> 1]) / 2)
  const expected = []
  for (const text of [...texts, corpus, (corpus + ' ').repeat(6)]) {
    let ids = (await t.encode([...text].slice(0, 512 * median).join(''), null, { addSpecialTokens: false })).getIds()
    if (unk !== null) ids = ids.filter(i => i !== unk)
    ids = ids.slice(0, 512)
    let v = null
    if (ids.length) {
      v = Array.from({ length: m.dims }, (_, j) => ids.reduce((s, i) => s + table[mapping ? mapping[i] : i][j] * (weights ? weights[i] : 1), 0) / ids.length)
      if (m.normalize) { const n = Math.hypot(...v); v = v.map(x => x / n) }
      v = v.map(x => Math.round(x * 1e6) / 1e6)
    }
    expected.push({ text, ids, vector: v })
  }
  writeFileSync(name + '/expected.json', '[\n' + expected.map(e => JSON.stringify(e)).join(',\n') + '\n]\n')
}
