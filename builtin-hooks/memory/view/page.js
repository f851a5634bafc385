'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const words = {
  en: {
    timeline: 'Timeline', entities: 'Entities', sessions: 'Sessions', core: 'Core memory', search: 'Search  ( / )', other: '中文',
    W: 'world', B: 'happened', O: 'preference', S: 'stage', replaced: 'replaced', showOld: 'show replaced', session: 'session',
    auto: 'put together', decisions: 'Decisions', todos: 'To do', noEntity: 'about nothing named', all: 'all entities', noDate: 'without a date',
    nothing: 'Nothing is remembered here yet.', noHit: 'Nothing fits.', more: 'show more', from: 'from', seen: n => 'saved ' + n + ' times',
    shown: (n, all) => n === all ? n + ' facts' : n + ' of ' + all + ' facts', facts: n => n === 1 ? '1 fact' : n + ' facts', clear: 'clear',
    sure: n => n + ' % sure', noTopic: 'no topic', foot: (dir, at) => 'Made from ' + dir + ' on ' + at + '. The files there are the truth; this page is a picture of that moment.',
  },
  zh: {
    timeline: '时间线', entities: '实体', sessions: '会话', core: '核心记忆', search: '搜索（按 /）', other: 'English',
    W: '事实', B: '经过', O: '偏好', S: '阶段', replaced: '已被取代', showOld: '显示已被取代的', session: '会话',
    auto: '自动拼成', decisions: '决策', todos: '待办', noEntity: '未指明对象', all: '全部实体', noDate: '没有日期',
    nothing: '这里还没有任何记忆。', noHit: '没有符合条件的内容。', more: '显示更多', from: '来自', seen: n => '保存过 ' + n + ' 次',
    shown: (n, all) => n === all ? n + ' 条事实' : n + ' / ' + all + ' 条事实', facts: n => n + ' 条事实', clear: '清除',
    sure: n => '把握 ' + n + '%', noTopic: '没有主题', foot: (dir, at) => '由 ' + dir + ' 于 ' + at + ' 生成。以那里的文件为准，此页只是当时的样子。',
  },
};
const views = ['timeline', 'entities', 'sessions', 'core'];
const kinds = ['W', 'B', 'O', 'S'];
const page = 200; // entries that are made at once
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
function local(stamp) {
  const d = new Date(stamp);
  if (!stamp || isNaN(d)) return null;
  return { at: d, day: d.getFullYear() + '-' + two(d.getMonth() + 1) + '-' + two(d.getDate()), time: two(d.getHours()) + ':' + two(d.getMinutes()) };
}
for (const f of data.facts) {
  f.when = local(f.time);
  f.found = fold([f.text, f.id, f.session, f.origin, ...f.entities].join('\n'));
}
for (const s of data.sessions) {
  s.when = local(s.time);
  s.found = fold([s.topic, s.text, s.session, s.id, ...s.decisions, ...s.todos].join('\n'));
}
const ofSession = new Map();
for (const f of data.facts) if (f.session) ofSession.set(f.session, [...(ofSession.get(f.session) || []), f]);
// A session that has facts and no summary is a session too.
const sessions = [...data.sessions];
{
  const known = new Set(sessions.map(s => s.session));
  for (const [id, facts] of ofSession) {
    if (known.has(id)) continue;
    sessions.push({ id: '', session: id, topic: '', text: '', decisions: [], todos: [], time: facts[0].time, when: facts[0].when, found: fold(id) });
  }
  sessions.sort((a, b) => a.time < b.time ? 1 : a.time > b.time ? -1 : 0);
}

// The state is the part of the address behind #, so that "back" works.
let state, t, terms, observer;
function read() {
  const p = new URLSearchParams(location.hash.slice(1));
  state = {
    view: views.includes(p.get('view')) ? p.get('view') : 'timeline',
    q: p.get('q') || '', types: kinds.filter(k => (p.get('types') || '').includes(k)),
    entity: p.get('entity'), days: /^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/.test(p.get('days')) ? p.get('days') : '', old: p.get('old') === '1',
    lang: words[p.get('lang')] ? p.get('lang') : words[data.language] ? data.language : 'en',
  };
  t = words[state.lang];
  terms = fold(state.q).split(/\s+/).filter(Boolean);
}
function go(change, quiet) {
  const s = { ...state, ...change }, p = new URLSearchParams();
  if (s.view !== 'timeline') p.set('view', s.view);
  if (s.q) p.set('q', s.q);
  if (s.types.length) p.set('types', s.types.join(''));
  if (s.entity !== null) p.set('entity', s.entity);
  if (s.days) p.set('days', s.days);
  if (s.old) p.set('old', '1');
  if (s.lang !== data.language) p.set('lang', s.lang);
  const hash = '#' + p;
  if (hash === (location.hash || '#')) return;
  if (quiet) location.replace(hash); else location.hash = hash;
}

const fits = x => terms.every(w => x.found.includes(w));
const inDays = x => {
  if (!state.days) return true;
  const [from, to] = state.days.split('..');
  return x.when && x.when.day >= from && x.when.day <= to;
};
const wanted = f => (state.old || !f.old) && (!state.types.length || state.types.includes(f.type)) && fits(f);

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
const named = (name, count) => node('button', { type: 'button', class: 'chip', click: () => go({ view: 'entities', entity: name, days: '' }) }, name ? marked(name) : t.noEntity, count ? node('b', null, String(count)) : '');

function factCard(f, day) {
  return node('li', { class: 'card ' + (kinds.includes(f.type) ? f.type : '') + (f.old ? ' old' : '') },
    node('span', { class: 'badge', title: kinds.includes(f.type) ? t[f.type] : f.type }, kinds.includes(f.type) ? f.type : '?'),
    node('div', null, node('p', { class: 'text' }, marked(f.text)),
      node('div', { class: 'meta' }, moment(f, day), ...f.entities.map(e => named(e)), note(f.old && t.replaced), note(f.origin && t.from + ' ' + f.origin),
        note(f.seen > 1 && t.seen(f.seen)), note(f.confidence < 0.8 && t.sure(Math.round(f.confidence * 100))), node('code', null, f.id))));
}
function listed(title, items) {
  return items.length ? [node('h4', null, title), node('ul', null, ...items.map(i => node('li', null, marked(i))))] : [];
}
function sessionCard(s, full) {
  const facts = (ofSession.get(s.session) || []).filter(f => state.old || !f.old);
  let inner = '';
  if (full && facts.length) {
    inner = node('details', null, node('summary', null, t.facts(facts.length)));
    inner.addEventListener('toggle', () => inner.childElementCount === 1 && inner.append(node('ol', { class: 'cards' }, ...facts.map(f => factCard(f, true)))));
  }
  return node('li', { class: 'card sum' }, node('span', { class: 'badge', title: t.session }, '§'),
    node('div', null, node('h3', null, s.topic ? marked(s.topic) : s.text ? t.noTopic : s.session), node('p', { class: 'text' }, marked(s.text)),
      ...listed(t.decisions, s.decisions), ...listed(t.todos, s.todos),
      node('div', { class: 'meta' }, moment(s, full), note(s.auto && t.auto), s.session ? node('code', null, s.session) : ''), inner));
}

// grow shows entries a page at a time; make puts one of them into the document.
function grow(main, list, make) {
  let n = 0;
  const more = node('button', { type: 'button', class: 'more', click: () => next() }, t.more);
  function next() {
    for (const end = Math.min(n + page, list.length); n < end; n++) make(list[n]);
    if (n < list.length) main.append(more); else { more.remove(); if (observer) observer.disconnect(); }
  }
  next();
  if (n < list.length) {
    observer = new IntersectionObserver(seen => { if (seen.some(s => s.isIntersecting)) next(); }, { rootMargin: '600px' });
    observer.observe(more);
  }
}

// chart is a bar for each of at most sixty spans of days.
function chart(list) {
  const days = list.filter(x => x.when).map(x => x.when.day).sort();
  if (!days.length || days[0] === days[days.length - 1] && !state.days) return [];
  const one = 864e5, start = Date.parse(days[0]), all = Math.round((Date.parse(days[days.length - 1]) - start) / one) + 1;
  const span = Math.ceil(all / 60), bars = new Array(Math.ceil(all / span)).fill(0);
  for (const d of days) bars[Math.floor(Math.round((Date.parse(d) - start) / one) / span)]++;
  const top = Math.max(...bars), name = n => new Date(start + n * one).toISOString().slice(0, 10);
  const box = node('div', { class: 'chart' });
  bars.forEach((n, i) => {
    const from = name(i * span), to = name(Math.min(i * span + span, all) - 1), days = from + '..' + to, label = (from === to ? from : from + ' – ' + to) + ': ' + n;
    const b = node('button', { type: 'button', title: label, 'aria-label': label, 'aria-pressed': String(state.days === days), disabled: !n, click: () => go({ days: state.days === days ? '' : days }) });
    b.style.setProperty('--h', n ? Math.max(6, 100 * n / top) + '%' : '0');
    box.append(b);
  });
  return [box, node('div', { class: 'scale' }, node('span', null, days[0]), node('span', null, days[days.length - 1]))];
}

function timeline(main) {
  const all = [...data.facts.filter(wanted), ...(state.types.length ? [] : data.sessions.filter(fits))];
  all.sort((a, b) => a.time < b.time ? 1 : a.time > b.time ? -1 : 0);
  const list = all.filter(inDays);
  main.append(...chart(all));
  const per = new Map();
  for (const x of list) { const d = x.when ? x.when.day : ''; per.set(d, (per.get(d) || 0) + 1); }
  let day = null, cards;
  grow(main, list, x => {
    const d = x.when ? x.when.day : '';
    if (d !== day) {
      day = d; cards = node('ol', { class: 'cards' });
      main.append(node('h2', null, d || t.noDate, node('small', null, String(per.get(d)))), cards);
    }
    cards.append('type' in x ? factCard(x, false) : sessionCard(x, false));
  });
  return list.length;
}
function entities(main) {
  const list = data.facts.filter(wanted);
  if (state.entity === null) {
    const count = new Map();
    for (const f of list) for (const e of f.entities.length ? f.entities : ['']) count.set(e, (count.get(e) || 0) + 1);
    const names = [...count].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const cloud = node('div', { class: 'cloud' });
    main.append(cloud);
    grow(main, names, ([name, n]) => cloud.append(named(name, n)));
    return names.length;
  }
  const key = fold(state.entity), own = list.filter(f => key ? f.entities.some(e => fold(e) === key) : !f.entities.length);
  const cards = node('ol', { class: 'cards' });
  main.append(node('h2', null, state.entity || t.noEntity, node('small', null, t.facts(own.length)), ' ', node('button', { type: 'button', class: 'chip', click: () => go({ entity: null }) }, '← ' + t.all)), cards);
  grow(main, own, f => cards.append(factCard(f, true)));
  return own.length;
}
function sessionList(main) {
  const list = sessions.filter(s => fits(s) || terms.length && (ofSession.get(s.session) || []).some(wanted));
  const cards = node('ol', { class: 'cards' });
  main.append(node('h2', null), cards);
  grow(main, list, s => cards.append(sessionCard(s, true)));
  return list.length;
}
function core(main) {
  let n = 0;
  for (const text of [data.core, data.notes]) {
    if (!text.trim()) continue;
    const paper = node('section', { class: 'paper' });
    let list = null;
    for (const line of text.split('\n')) {
      const head = /^#{1,6}\s+(.*)/.exec(line), item = /^\s*[-*]\s+(.*)/.exec(line);
      if (!item) list = null;
      if (head) paper.append(node('h3', null, marked(head[1])));
      else if (item) { if (!list) paper.append(list = node('ul')); list.append(node('li', null, marked(item[1]))); }
      else if (line.trim()) paper.append(node('p', null, marked(line)));
    }
    main.append(paper); n++;
  }
  return n;
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
  const holds = data.facts.filter(f => !f.old).length, names = new Set(data.facts.filter(f => !f.old).flatMap(f => f.entities)).size;
  const counts = { timeline: holds + data.sessions.length, entities: names, sessions: sessions.length };
  $('views').replaceChildren(...views.map(v => node('button', { type: 'button', 'aria-current': v === state.view ? 'page' : false, click: () => go({ view: v, entity: null, days: '' }) }, t[v], v in counts ? node('span', null, String(counts[v])) : '')));
  filters(holds);
  const main = $('main');
  main.replaceChildren();
  const n = { timeline, entities, sessions: sessionList, core }[state.view](main);
  if (!n) main.append(node('p', { class: 'none' }, state.q || state.types.length || state.days ? t.noHit : t.nothing));
  const made = local(data.made);
  $('foot').textContent = t.foot(data.dir, made ? made.day + ' ' + made.time : data.made);
  document.documentElement.dataset.ready = state.view;
}
function filters(holds) {
  const box = $('filters');
  box.replaceChildren();
  if (state.view !== 'timeline' && state.view !== 'entities') return;
  for (const k of kinds) {
    const on = state.types.includes(k);
    box.append(node('button', { type: 'button', class: 'toggle ' + k, 'aria-pressed': String(on), click: () => go({ types: on ? state.types.filter(x => x !== k) : [...state.types, k] }) }, k + ' ' + t[k]));
  }
  if (data.facts.some(f => f.old)) box.append(node('button', { type: 'button', class: 'toggle', 'aria-pressed': String(state.old), click: () => go({ old: !state.old }) }, t.showOld));
  if (state.days && state.view === 'timeline') box.append(node('button', { type: 'button', class: 'toggle', 'aria-pressed': 'true', click: () => go({ days: '' }) }, state.days.replace('..', ' – ') + ' ✕'));
  const n = data.facts.filter(f => wanted(f) && (state.view !== 'timeline' || inDays(f))).length;
  box.append(node('span', { class: 'count', 'aria-live': 'polite' }, t.shown(n, state.old ? data.facts.length : holds)));
}

let typing;
$('query').addEventListener('input', e => { clearTimeout(typing); typing = setTimeout(() => go({ q: e.target.value.trim() }, true), 120); });
$('language').addEventListener('click', () => go({ lang: state.lang === 'zh' ? 'en' : 'zh' }, true));
addEventListener('keydown', e => {
  if (e.key === '/' && document.activeElement !== $('query')) { e.preventDefault(); $('query').focus(); $('query').select(); }
  if (e.key === 'Escape' && document.activeElement === $('query')) { $('query').value = ''; go({ q: '' }, true); $('query').blur(); }
});
addEventListener('hashchange', render);
render();
})();
