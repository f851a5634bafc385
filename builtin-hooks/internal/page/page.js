const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);

// node makes an element. Text only ever becomes text.
function node(tag, about, ...inside) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(about || {})) {
    if (v === undefined || v === false || v === null) continue;
    if (k === 'click') e.addEventListener('click', v);
    else e.setAttribute(k, v === true ? '' : v);
  }
  for (const x of inside) if (x !== null && x !== undefined && x !== '') e.append(x);
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

// The state is the part of the address behind #, so that "back" works: view, q
// and lang, and what the view's own read and write make of it.
let own, state, t, terms, observer;
function read() {
  const p = new URLSearchParams(location.hash.slice(1)), names = Object.keys(own.views);
  state = {
    view: names.includes(p.get('view')) ? p.get('view') : names[0], q: p.get('q') || '',
    lang: own.words[p.get('lang')] ? p.get('lang') : own.words[data.language] ? data.language : 'en', ...own.read(p),
  };
  t = own.words[state.lang];
  terms = fold(state.q).split(/\s+/).filter(Boolean);
}
function go(change, quiet) {
  const s = { ...state, ...change }, p = new URLSearchParams();
  if (s.view !== Object.keys(own.views)[0]) p.set('view', s.view);
  if (s.q) p.set('q', s.q);
  own.write(s, p);
  if (s.lang !== data.language) p.set('lang', s.lang);
  const hash = '#' + p;
  if (hash === (location.hash || '#')) return;
  if (quiet) location.replace(hash); else location.hash = hash;
}

// fits reports whether an entry has all that is looked for; found is its text,
// folded.
const fits = x => terms.every(w => x.found.includes(w));

// marked is a text with what was looked for made visible.
function marked(text) {
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

function render() {
  if (observer) observer.disconnect();
  observer = null;
  read();
  document.documentElement.lang = state.lang === 'zh' ? 'zh-CN' : 'en';
  document.title = data.name + ' · ' + t[state.view];
  $('name').textContent = data.name;
  $('about').textContent = data.dir;
  $('language').textContent = t.other;
  const q = $('query');
  q.placeholder = t.search; q.setAttribute('aria-label', t.search);
  if (q.value !== state.q && document.activeElement !== q) q.value = state.q;
  const counts = own.counts();
  $('views').replaceChildren(...Object.keys(own.views).map(v => node('button', { type: 'button', 'aria-current': v === state.view ? 'page' : false, click: () => go({ view: v, ...own.fresh }) }, t[v], v in counts ? node('span', null, String(counts[v])) : '')));
  $('filters').replaceChildren();
  own.filters($('filters'));
  const main = $('main');
  main.replaceChildren();
  if (!own.views[state.view](main)) main.append(node('p', { class: 'none' }, own.filtered() ? t.noHit : t.nothing));
  const made = local(data.made);
  $('foot').textContent = t.foot(data.dir, made ? made.day + ' ' + made.time : data.made);
  document.documentElement.dataset.ready = state.view;
}

// show begins. A page has: words (of en and zh), views (functions that fill main
// and return how much there is), counts of views, read and write of its own
// state, fresh (what of that a change of view forgets), filters (a function that
// fills the bar) and filtered (whether anything is left out).
function show(page) {
  own = page;
  let typing;
  $('query').addEventListener('input', e => { clearTimeout(typing); typing = setTimeout(() => go({ q: e.target.value.trim() }, true), 120); });
  $('language').addEventListener('click', () => go({ lang: state.lang === 'zh' ? 'en' : 'zh' }, true));
  addEventListener('keydown', e => {
    if (e.key === '/' && document.activeElement !== $('query')) { e.preventDefault(); $('query').focus(); $('query').select(); }
    if (e.key === 'Escape' && document.activeElement === $('query')) { $('query').value = ''; go({ q: '' }, true); $('query').blur(); }
  });
  addEventListener('hashchange', render);
  render();
}
