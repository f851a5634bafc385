const base = {
  en: {
    timeline: 'Timeline', entities: 'Entities', sessions: 'Sessions', core: 'Core memory', search: 'Search  ( / )', other: '中文',
    W: 'world', B: 'happened', O: 'preference', S: 'stage', replaced: 'replaced', edited: (day, by) => 'edited ' + day + (by && ' by ' + by), deletedOn: (day, by) => 'deleted ' + day + (by && ' by ' + by), showOld: 'show replaced', session: 'session',
    auto: 'put together', decisions: 'Decisions', todos: 'To do', noEntity: 'about nothing named', all: 'all entities', noDate: 'without a date',
    nothing: 'Nothing is remembered here yet.', noHit: 'Nothing fits.', more: 'show more', from: 'from', seen: n => 'saved ' + n + ' times',
    shown: (n, all) => n === all ? n + ' facts' : n + ' of ' + all + ' facts', facts: n => n === 1 ? '1 fact' : n + ' facts', clear: 'clear',
    sure: n => n + ' % sure', since: d => 'from ' + d, until: d => 'until ' + d, repository: 'from this repository', waiting: 'waits for your approval', noTopic: 'no topic', foot: (dir, at) => 'Made from ' + dir + ' on ' + at + '. The files there are the truth; this page is a picture of that moment.',
  },
  zh: {
    timeline: '时间线', entities: '实体', sessions: '会话', core: '核心记忆', search: '搜索（按 /）', other: 'English',
    W: '事实', B: '经过', O: '偏好', S: '阶段', replaced: '已被取代', edited: (day, by) => day + (by && ' 由 ' + by) + ' 修改', deletedOn: (day, by) => day + (by && ' 由 ' + by) + ' 删除', showOld: '显示已被取代的', session: '会话',
    auto: '自动拼成', decisions: '决策', todos: '待办', noEntity: '未指明对象', all: '全部实体', noDate: '没有日期',
    nothing: '这里还没有任何记忆。', noHit: '没有符合条件的内容。', more: '显示更多', from: '来自', seen: n => '保存过 ' + n + ' 次',
    shown: (n, all) => n === all ? n + ' 条事实' : n + ' / ' + all + ' 条事实', facts: n => n + ' 条事实', clear: '清除',
    sure: n => '把握 ' + n + '%', since: d => '自 ' + d + ' 起', until: d => '至 ' + d, repository: '来自此仓库', waiting: '等待你的批准', noTopic: '没有主题', foot: (dir, at) => '由 ' + dir + ' 于 ' + at + ' 生成。以那里的文件为准，此页只是当时的样子。',
  },
};
const words = {};
for (const lang in base) words[lang] = { ...base[lang], ...more.words[lang] };
const kinds = ['W', 'B', 'O', 'S'];
for (const f of data.facts) {
  f.when = local(f.time);
  f.found = fold([f.text, f.id, f.session, f.origin, f.author || '', ...f.entities].join('\n'));
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

const inDays = x => {
  if (!state.days) return true;
  const [from, to] = state.days.split('..');
  return x.when && x.when.day >= from && x.when.day <= to;
};
const wanted = f => more.open && more.open(f) || (state.old || !f.old) && (!state.types.length || state.types.includes(f.type)) && fits(f);

const named = (name, count) => node('button', { type: 'button', class: 'chip', click: () => go({ view: 'entities', entity: name, days: '' }) }, name ? marked(name) : t.noEntity, count ? node('b', null, String(count)) : '');

// A day is the first of those on which a fact holds, or the last.
// Days are those of the person: a fact ends when their day does.
const dayAt = at => [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(n => String(n).padStart(2, '0')).join('-');
const day = stamp => stamp ? dayAt(new Date(stamp)) : '';
const lastDay = stamp => stamp ? dayAt(new Date(Date.parse(stamp) - 1)) : '';
function factCard(f, full, tag, acts) {
  return node(tag || 'li', { class: 'card ' + (kinds.includes(f.type) ? f.type : '') + (f.old ? ' old' : ''), 'data-key': f.id + (f.whose || '') },
    node('span', { class: 'badge', title: kinds.includes(f.type) ? t[f.type] : f.type }, kinds.includes(f.type) ? f.type : '?'),
    node('div', null, node('p', { class: 'text' }, marked(f.text)),
      node('div', { class: 'meta' }, moment(f, full), ...f.entities.map(e => named(e)), note(f.old && t.replaced), note(f.origin && t.from + ' ' + f.origin),
        note(f.seen > 1 && t.seen(f.seen)), note(f.confidence < 0.8 && t.sure(Math.round(f.confidence * 100))),
        note(f.since && t.since(day(f.since))), note(f.until && t.until(lastDay(f.until))), note(f.author), note(f.edited && t.edited(day(f.edited), f.editedBy || '')), note(f.gone && f.goneAt && t.deletedOn(day(f.goneAt), f.goneBy || '')), note(f.branch), note(f.whose && t[f.whose]), node('code', null, f.id)),
      (acts || more.card)(f)));
}
function listed(title, items) {
  return items.length ? [node('h4', null, title), node('ul', null, ...items.map(i => node('li', null, marked(i))))] : [];
}
function sessionCard(s, full, acts) {
  const facts = (ofSession.get(s.session) || []).filter(f => state.old || !f.old);
  let inner = '';
  if (full && facts.length) {
    inner = node('details', null, node('summary', null, t.facts(facts.length)));
    inner.addEventListener('toggle', () => inner.childElementCount === 1 && inner.append(node('ol', { class: 'cards' }, ...facts.map(f => factCard(f, true)))));
  }
  return node('li', { class: 'card sum', 'data-key': s.id || false }, node('span', { class: 'badge', title: t.session }, '§'),
    node('div', null, node('h3', null, s.topic ? marked(s.topic) : s.text ? t.noTopic : s.session), node('p', { class: 'text' }, marked(s.text)),
      ...listed(t.decisions, s.decisions), ...listed(t.todos, s.todos),
      node('div', { class: 'meta' }, moment(s, full), note(s.auto && t.auto), note(s.whose && t[s.whose]), s.session ? node('code', null, s.session) : ''), (acts || more.session)(s), inner));
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
  more.begin(main);
  const all = [...data.facts.filter(wanted), ...(state.types.length ? [] : data.sessions.filter(fits))];
  all.sort((a, b) => a.time < b.time ? 1 : a.time > b.time ? -1 : 0);
  const list = all.filter(inDays);
  main.append(...chart(all));
  const per = new Map();
  for (const x of list) { const d = x.when ? x.when.day : ''; per.set(d, (per.get(d) || 0) + 1); }
  let last = null, cards;
  grow(main, list, x => {
    const d = x.when ? x.when.day : '';
    if (d !== last) {
      last = d; cards = node('ol', { class: 'cards' });
      main.append(node('h2', null, d || t.noDate, node('small', null, String(per.get(d)))), cards);
    }
    cards.append('type' in x ? factCard(x, false) : sessionCard(x, false));
  });
  return list.length;
}
function entities(main) {
  more.begin(main);
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
  more.begin(main);
  const list = sessions.filter(s => fits(s) || terms.length && (ofSession.get(s.session) || []).some(wanted));
  const cards = node('ol', { class: 'cards' });
  main.append(cards);
  grow(main, list, s => cards.append(sessionCard(s, true)));
  return list.length;
}
function core(main) {
  more.begin(main);
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
  return n + more.below(main);
}

const holding = () => data.facts.filter(f => !f.old);
function filters(box) {
  more.bar(box);
  if (state.view !== 'timeline' && state.view !== 'entities') return;
  for (const k of kinds) {
    const on = state.types.includes(k);
    box.append(node('button', { type: 'button', class: 'toggle ' + k, 'aria-pressed': String(on), click: () => go({ types: on ? state.types.filter(x => x !== k) : [...state.types, k] }) }, k + ' ' + t[k]));
  }
  if (data.facts.some(f => f.old)) box.append(node('button', { type: 'button', class: 'toggle', 'aria-pressed': String(state.old), click: () => go({ old: !state.old }) }, t.showOld));
  if (state.days && state.view === 'timeline') box.append(node('button', { type: 'button', class: 'toggle', 'aria-pressed': 'true', click: () => go({ days: '' }) }, state.days.replace('..', ' – ') + ' ✕'));
  const n = data.facts.filter(f => wanted(f) && (state.view !== 'timeline' || inDays(f))).length;
  box.append(node('span', { class: 'count', 'aria-live': 'polite' }, t.shown(n, state.old ? data.facts.length : holding().length)));
}

show({
  words, filters, views: { timeline, entities, sessions: sessionList, core, ...more.views },
  counts: () => ({ timeline: holding().length + data.sessions.length, entities: new Set(holding().flatMap(f => f.entities)).size, sessions: sessions.length, ...more.counts() }),
  read: p => ({
    types: kinds.filter(k => (p.get('types') || '').includes(k)), entity: p.get('entity'), old: p.get('old') === '1',
    days: /^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/.test(p.get('days')) ? p.get('days') : '',
  }),
  write: (s, p) => {
    if (s.types.length) p.set('types', s.types.join(''));
    if (s.entity !== null) p.set('entity', s.entity);
    if (s.days) p.set('days', s.days);
    if (s.old) p.set('old', '1');
  },
  fresh: { entity: null, days: '' }, filtered: () => state.q || state.types.length || state.days, hold: more.hold,
});
