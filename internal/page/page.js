const all = JSON.parse(document.getElementById('data').textContent);
const begin = {}; // the scripts of the parts
const $ = id => document.getElementById(id);
// bare is a table that holds what was put into it and nothing else: a hook called
// "constructor" finds no word there.
const bare = o => {
  if (o === null || typeof o !== 'object' || Array.isArray(o)) return o;
  const out = Object.create(null);
  for (const k of Object.keys(o)) out[k] = bare(o[k]);
  return out;
};
const frame = bare({
  en: { views: 'Views', parts: 'What to look at', docs: 'Which one', whole: n => 'show all ' + n + ' characters', lines: n => 'show all ' + n + ' lines', language: 'Language: 中文', blank: 'Nothing here yet.', search: 'Search  ( / )', other: '中文', foot: (dir, at) => 'Made on ' + at + '.' },
  zh: { views: '视图', parts: '查看内容', docs: '选择', whole: n => '显示全部 ' + n + ' 个字符', lines: n => '显示全部 ' + n + ' 行', language: '语言：English', blank: '这里还没有内容。', search: '搜索（按 /）', other: 'English', foot: (dir, at) => '生成于 ' + at + '。' },
});

// A text that nobody reads to its end is shown in part: one of a megabyte costs a
// browser seconds.
const mostText = 4000;
function long(text, done) {
  const out = document.createDocumentFragment(), rest = node('button', { type: 'button', class: 'rest', click: () => {
    rest.replaceWith(...pieces(text.slice(mostText)));
    if (done) done();
  } }, '… ' + frame[state.lang].whole(text.length));
  out.append(text.slice(0, mostText), rest);
  return out;
}
// pieces are a text in blocks: a browser would look through a word of a megabyte for
// minutes to find where its lines end.
function pieces(text) {
  const out = [];
  for (let at = 0; at < text.length;) {
    const most = text.slice(at, at + mostText), end = most.length < mostText ? most.length : Math.max(most.lastIndexOf('\n'), most.lastIndexOf(' ')) + 1 || mostText;
    out.push(node('span', { class: 'piece' }, most.slice(0, end)));
    at += end;
  }
  return out;
}

// node makes an element. Text only ever becomes text.
function node(tag, about, ...inside) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(about || {})) {
    if (v === undefined || v === false || v === null) continue;
    if (k === 'click') e.addEventListener('click', v);
    else e.setAttribute(k, v === true ? '' : v);
  }
  for (const x of inside) if (x !== null && x !== undefined && x !== '') e.append(typeof x === 'string' && x.length > mostText ? long(x) : x);
  return e;
}

const fold = s => s.normalize('NFKC').toLowerCase();
const two = n => String(n).padStart(2, '0');
// local is a time as the reader's clock has it, null if it is none.
function local(stamp) {
  const d = new Date(stamp);
  if (!stamp || isNaN(d)) return null;
  return { at: d, day: d.getFullYear() + '-' + two(d.getMonth() + 1) + '-' + two(d.getDate()), time: two(d.getHours()) + ':' + two(d.getMinutes()) };
}

// The state is the part of the address behind #, so that "back" works: part, doc,
// view, q and lang, and what the part's own read and write make of it.
let own, state, t, terms, observer, chosen, data;
const opened = new Map(); // what parts said of themselves, by part and document
function open(part, doc) {
  const key = part.name + ' ' + doc;
  if (!opened.has(key)) part.docs[doc] ? begin[part.name](part.docs[doc], page => opened.set(key, { ...page, words: bare(page.words) })) : opened.set(key, blank(part));
  return opened.get(key);
}
// blank is a part without a document: it says what there would be.
function blank(part) {
  const words = {};
  for (const lang in frame) words[lang] = { ...frame[lang], [part.name]: part[lang], nothing: frame[lang].blank, begin: part['begin_' + lang] };
  return { words, views: { [part.name]: () => 0 }, counts: () => ({}), read: () => ({}), write: () => {}, fresh: {}, filters: () => {}, filtered: () => false };
}
function read() {
  const p = new URLSearchParams(location.hash.slice(1));
  const part = all.parts.find(x => x.name === p.get('part')) || all.parts[0];
  const doc = Math.max(0, Math.min(parseInt(p.get('doc'), 10) || 0, part.docs.length - 1));
  const lang = frame[p.get('lang')] ? p.get('lang') : frame[all.language] ? all.language : 'en';
  // Whoever makes a part asks in which language long texts are to be shown.
  state = { lang };
  chosen = part; own = open(part, doc); data = part.docs[doc] || {};
  const names = Object.keys(own.views);
  state = { part: part.name, doc, lang, view: names.includes(p.get('view')) ? p.get('view') : names[0], q: p.get('q') || '', ...own.read(p) };
  t = own.words[lang];
  terms = fold(state.q).split(/\s+/).filter(Boolean);
}
// address is the one of a state; of another part or document nothing is kept but
// the language.
function address(change) {
  const s = { ...state, ...change }, p = new URLSearchParams();
  if (s.part !== all.parts[0].name) p.set('part', s.part);
  if (s.doc) p.set('doc', s.doc);
  if (s.part === state.part && s.doc === state.doc) {
    if (s.view !== Object.keys(own.views)[0]) p.set('view', s.view);
    if (s.q) p.set('q', s.q);
    own.write(s, p);
  } else for (const k of ['view', 'q']) if (change[k]) p.set(k, change[k]);
  if (s.lang !== all.language) p.set('lang', s.lang);
  return '#' + p;
}
function go(change, quiet) {
  const hash = address(change);
  if (hash === (location.hash || '#')) return;
  if (quiet) location.replace(hash); else location.hash = hash;
}

// fits reports whether an entry has all that is looked for; found is its text,
// folded.
const fits = x => terms.every(w => x.found.includes(w));

// marked is a text with what was looked for made visible.
function marked(text) {
  if (text.length > mostText) return long(text);
  const out = document.createDocumentFragment(), low = text.toLowerCase();
  if (!terms.length || low.length !== text.length) { out.append(text); return out; }
  for (let at = 0; at < text.length;) {
    let next = -1, size = 0;
    for (const w of terms) {
      const i = low.indexOf(w, at);
      if (i >= 0 && (next < 0 || i < next || i === next && w.length > size)) { next = i; size = w.length; }
    }
    if (next < 0) { out.append(text.slice(at)); break; }
    out.append(text.slice(at, next), node('mark', null, text.slice(next, next + size)));
    at = next + size;
  }
  return out;
}
const moment = (x, day) => x.when ? node('time', { datetime: x.time, title: x.time }, (day ? x.when.day + ' ' : '') + x.when.time) : '';
const note = text => text ? node('span', null, text) : '';

// grow shows entries two hundred at a time; make puts one of them into the
// document.
function grow(main, list, make) {
  let n = 0;
  const more = node('button', { type: 'button', class: 'more', click: () => next() }, t.more);
  function next() {
    for (const end = Math.min(n + 200, list.length); n < end; n++) make(list[n]);
    if (n < list.length) main.append(more); else { more.remove(); if (observer) observer.disconnect(); }
  }
  next();
  if (n < list.length) {
    observer = new IntersectionObserver(seen => { if (seen.some(s => s.isIntersecting)) next(); }, { rootMargin: '600px' });
    observer.observe(more);
  }
}

// diffed shows a unified diff, or what stands for one: lines that came and went by
// sign and colour. seen is called once nothing of it is folded away.
const mostLines = 300;
function diffed(text, label, seen) {
  const lines = text.replace(/\n$/, '').split('\n'), box = node('pre', { class: 'diff', tabindex: '0', role: 'group', 'aria-label': label });
  let folded = lines.filter(l => l.length > mostText).length + (lines.length > mostLines ? 1 : 0);
  const unfold = () => { if (--folded === 0 && seen) seen(); };
  const put = some => {
    for (const l of some) {
      const kind = /^(\+\+\+|---) /.test(l) ? 'file' : l[0] === '+' ? 'came' : l[0] === '-' ? 'went' : l[0] === '@' ? 'place' : '';
      box.append(node(kind === 'came' ? 'ins' : kind === 'went' ? 'del' : 'span', { class: kind || false }, l.length > mostText ? long(l, unfold) : l), '\n');
    }
  };
  put(lines.slice(0, mostLines));
  if (lines.length > mostLines) {
    const more = node('button', { type: 'button', class: 'rest', click: () => { more.remove(); put(lines.slice(mostLines)); unfold(); } }, '… ' + frame[state.lang].lines(lines.length));
    box.append(more);
  }
  if (!folded && seen) seen();
  return box;
}

// Where the keyboard is stays where it is while the page is made anew.
const stops = 'button, a, input, select, summary, [tabindex]';
function place() {
  const at = document.activeElement, box = at && at.closest('[id]');
  if (!box || box === at) return () => {};
  const key = at.closest('[data-key]'), i = [...box.querySelectorAll(stops)].indexOf(at);
  const k = key && key.dataset.key, j = key ? [...key.querySelectorAll(stops)].indexOf(at) : -1;
  return () => {
    const home = k && $(box.id).querySelector('[data-key="' + CSS.escape(k) + '"]');
    const to = home ? home.querySelectorAll(stops)[j] || home.querySelector(stops) : k ? null : $(box.id).querySelectorAll(stops)[i];
    if (to) to.focus({ preventScroll: true });
  };
}

function render() {
  const back = place();
  if (observer) observer.disconnect();
  observer = null;
  read();
  const f = frame[state.lang];
  document.documentElement.lang = state.lang === 'zh' ? 'zh-CN' : 'en';
  document.title = all.name + ' · ' + (all.parts.length > 1 ? chosen[state.lang] + ' · ' : '') + t[state.view];
  document.querySelectorAll('style').forEach((s, i) => { if (i) s.disabled = all.parts[i - 1] !== chosen; });
  $('name').textContent = all.name;
  $('about').textContent = all.dir;
  $('language').textContent = t.other;
  $('language').setAttribute('aria-label', f.language);
  const q = $('query');
  q.placeholder = t.search; q.setAttribute('aria-label', t.search);
  if (q.value !== state.q && document.activeElement !== q) q.value = state.q;
  $('parts-bar').hidden = all.parts.length < 2;
  $('parts').setAttribute('aria-label', f.parts);
  $('parts').replaceChildren(...all.parts.map(p => node('button', { type: 'button', 'aria-current': p === chosen ? 'page' : false, click: () => go({ part: p.name, doc: 0, view: '', q: '' }) }, p[state.lang], p.count ? node('span', null, String(p.count)) : '')));
  $('docs').hidden = chosen.docs.length < 2;
  $('docs').setAttribute('aria-label', f.docs);
  $('docs').replaceChildren(...chosen.docs.map((d, i) => node('option', { value: String(i), selected: i === state.doc }, d.name)));
  const counts = own.counts(), views = Object.keys(own.views);
  $('views').hidden = all.parts.length > 1 && views.length < 2;
  $('views').setAttribute('aria-label', f.views);
  $('views').replaceChildren(...views.map(v => node('button', { type: 'button', 'aria-current': v === state.view ? 'page' : false, click: () => go({ view: v, ...own.fresh }) }, t[v], v in counts ? node('span', null, String(counts[v])) : '')));
  $('filters').replaceChildren();
  own.filters($('filters'));
  const main = $('main');
  main.replaceChildren();
  if (!own.views[state.view](main)) main.append(empty());
  // Who hears the page goes by its headings: none of them hangs in the air.
  const first = main.querySelector('h2, h3, h4');
  if (first && first.tagName !== 'H2') main.prepend(node('h2', { class: 'heard' }, t[state.view]));
  const made = local(data.made || all.made);
  $('foot').textContent = t.foot(data.dir || all.dir, made ? made.day + ' ' + made.time : all.made);
  document.documentElement.dataset.ready = state.view;
  back();
}
// empty is what stands where there is nothing: what could be done about it, if the
// part knows.
const empty = () => node('div', { class: 'none' }, node('p', null, own.filtered() ? t.noHit : t.nothing), own.filtered() || !t.begin ? '' : node('p', { class: 'begin' }, ...spoken(t.begin)));
// spoken is a text in which commands stand “like this”.
const spoken = text => text.split(/“([^”]*)”/).map((x, i) => i % 2 ? node('code', null, x) : x);

// A part calls show, and says: words (of en and zh), views (functions that fill main
// and return how much there is), counts of views, read and write of its own
// state, fresh (what of that a change of view forgets), filters (a function that
// fills the bar) and filtered (whether anything is left out).
function start() {
  let typing;
  $('query').addEventListener('input', e => { clearTimeout(typing); typing = setTimeout(() => go({ q: e.target.value.trim() }, true), 120); });
  $('docs').addEventListener('change', e => go({ doc: Number(e.target.value), view: '', q: '' }));
  $('language').addEventListener('click', () => go({ lang: state.lang === 'zh' ? 'en' : 'zh' }, true));
  addEventListener('keydown', e => {
    if (e.key === '/' && !e.ctrlKey && !e.metaKey && !e.altKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) { e.preventDefault(); $('query').focus(); $('query').select(); }
    if (e.key === 'Escape' && document.activeElement === $('query')) { $('query').value = ''; go({ q: '' }, true); $('query').blur(); }
  });
  addEventListener('hashchange', render);
  render();
}
