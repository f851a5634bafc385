const words = {
  en: {
    tree: 'Tree', log: 'Log', problems: 'Problems', about: 'About', search: 'Search  ( / )', other: '中文',
    pending: 'pending', planning: 'planning', implementing: 'in progress', validating: 'validating', monitoring: 'monitoring', completed: 'completed', failed: 'failed', cancelled: 'cancelled',
    nothing: 'There is nothing here yet.', noHit: 'Nothing fits.', more: 'show more', noDate: 'without a date', goal: 'Goal', rules: 'Rules', docs: 'Documents', memos: 'Memos', sessions: 'Bound sessions',
    requirement: 'Requirement', acceptance: 'Acceptance', conclusion: 'Conclusion', notes: 'Notes', problem: 'Problem', next: 'Next step', refs: 'Refers to', logs: 'Log', focus: 'focus', held: 'problem', own: 'workspace',
    allLogs: n => 'all ' + n + ' rows', only: name => 'only ' + name, progress: (n, all) => n + ' of ' + all + ' nodes are done', isolated: 'isolated: hears nothing of the nodes above', over: 'over', foldAll: 'fold', openAll: 'unfold', folds: 'children',
    shown: (n, all) => n === all ? n + ' nodes' : n + ' of ' + all + ' nodes', rows: n => n === 1 ? '1 row' : n + ' rows', noProblem: 'Nothing is in the way.', info_collection: 'research', info_summary: 'summary', validation: 'validation', archived: 'archived',
    foot: (dir, at) => 'Made from ' + dir + ' on ' + at + '. The files there are the truth; this page is a picture of that moment.',
  },
  zh: {
    tree: '任务树', log: '日志', problems: '问题', about: '概况', search: '搜索（按 /）', other: 'English',
    pending: '待开始', planning: '规划中', implementing: '进行中', validating: '验证中', monitoring: '监控中', completed: '已完成', failed: '已失败', cancelled: '已取消',
    nothing: '这里还没有内容。', noHit: '没有符合条件的内容。', more: '显示更多', noDate: '没有日期', goal: '目标', rules: '规则', docs: '文档', memos: '备忘', sessions: '绑定的会话',
    requirement: '需求', acceptance: '验收标准', conclusion: '结论', notes: '备注', problem: '问题', next: '下一步', refs: '引用', logs: '日志', focus: '聚焦', held: '有问题', own: '工作区',
    allLogs: n => '全部 ' + n + ' 条', only: name => '只看 ' + name, progress: (n, all) => '共 ' + all + ' 个节点，已结束 ' + n + ' 个', isolated: '已隔离：不继承上级节点的内容', over: '已结束', foldAll: '折叠', openAll: '展开', folds: '子节点',
    shown: (n, all) => n === all ? n + ' 个节点' : n + ' / ' + all + ' 个节点', rows: n => n + ' 条', noProblem: '没有阻碍。', info_collection: '信息收集', info_summary: '信息总结', validation: '验证', archived: '已归档',
    foot: (dir, at) => '由 ' + dir + ' 于 ' + at + ' 生成。以那里的文件为准，此页只是当时的样子。',
  },
};
const statuses = ['implementing', 'validating', 'planning', 'monitoring', 'pending', 'completed', 'failed', 'cancelled'];
const signs = { pending: '○', planning: '●', implementing: '●', validating: '◐', monitoring: '◐', completed: '✓', failed: '✗', cancelled: '–' };
const isDone = n => ['completed', 'failed', 'cancelled'].includes(n.status);
const known = s => statuses.includes(s) ? s : 'pending';

const byID = new Map(), kids = new Map(), rowsOf = new Map();
for (const n of data.nodes) {
  byID.set(n.id, n);
  kids.set(n.parent, [...(kids.get(n.parent) || []), n]);
  n.found = fold([n.title, n.id, n.requirement, n.conclusion, n.notes, n.problem, n.next].join('\n'));
  n.when = local(n.time);
}
for (const l of data.logs) {
  l.when = local(l.time);
  l.found = fold(l.text + '\n' + (byID.has(l.node) ? byID.get(l.node).title : ''));
  rowsOf.set(l.node, [...(rowsOf.get(l.node) || []), l]);
}
for (const m of data.memos) m.when = local(m.time);
for (const s of data.sessions) s.when = local(s.time);
const tasks = data.nodes.filter(n => n.id !== 'root');
const stuck = data.nodes.filter(n => n.problem || n.next);
// part counts what is below a node: done and all of it.
function part(n) {
  let done = 0, all = 0;
  for (const k of kids.get(n.id) || []) {
    const p = part(k);
    done += p[0] + (isDone(k) ? 1 : 0); all += p[1] + 1;
  }
  return [done, all];
}
for (const n of data.nodes) n.part = part(n);

// A large tree begins folded, but for the way to the focus and to what is in the
// way or, if there is neither, to the work at hand.
const folded = new Set();
if (data.nodes.length > 60) {
  const open = new Set(), way = n => { for (let at = n; at && !open.has(at.id); at = byID.get(at.parent)) open.add(at.id); };
  data.nodes.filter(n => n.id === data.focus || n.problem).forEach(way);
  if (!open.size) data.nodes.filter(n => ['implementing', 'validating'].includes(n.status)).forEach(way);
  for (const n of data.nodes) if (kids.has(n.id) && !open.has(n.id) && n.parent) folded.add(n.id);
}

const sign = s => node('span', { class: 'sign', title: t[s] || s }, signs[s] || '?');
const chip = (id, text) => node('button', { type: 'button', class: 'chip', click: () => go({ view: 'tree', node: id, q: '', status: [] }) }, text || (byID.has(id) ? byID.get(id).title : id));
const heading = name => node('h4', null, name);
const field = (name, text) => text.trim() ? [heading(name), node('p', { class: 'text' }, marked(text))] : [];
const doc = d => node('li', null, node('span', { class: d.expired ? 'past' : '' }, marked(d.about && d.about !== d.path ? d.about + ' ' : '')), node('code', { class: d.expired ? 'past' : '' }, d.path));

function detail(n) {
  const rows = rowsOf.get(n.id) || [];
  const refs = n.references.map(id => { const m = data.memos.find(m => m.id === id); return byID.has(id) ? chip(id) : m ? node('button', { type: 'button', class: 'chip', click: () => go({ view: 'about', node: null }) }, m.title) : node('code', null, id); });
  return node('div', { class: 'card detail ' + known(n.status) + (n.problem ? ' problem' : '') }, node('h3', { class: 'heard' }, n.title),
    ...field(t.problem, n.problem), ...field(t.next, n.next), ...field(t.requirement, n.requirement),
    ...(n.acceptance.length ? [heading(t.acceptance), node('table', null, ...n.acceptance.map(c => node('tr', null, node('td', null, marked(c.when)), node('td', null, marked(c.then)))))] : []),
    ...field(t.conclusion, n.conclusion), ...field(t.notes, n.notes),
    ...(n.docs.length ? [heading(t.docs), node('ul', null, ...n.docs.map(doc))] : []),
    ...(refs.length ? [heading(t.refs), node('div', { class: 'meta' }, ...refs)] : []),
    ...(rows.length ? [heading(t.logs), node('ol', { class: 'log bare' }, ...rows.slice(0, 5).map(l => logRow(l, true)))] : []),
    rows.length > 5 ? node('button', { type: 'button', class: 'chip all', click: () => go({ view: 'log', node: n.id, q: '' }) }, t.allLogs(rows.length)) : '',
    node('div', { class: 'meta' }, node('span', { class: 'state' }, t[n.status] || n.status), note(n.role && (t[n.role] || n.role)), note(n.isolated && t.isolated), moment(n, true), node('code', null, n.id)));
}

// visible are the nodes that fit, and what is above them.
function visible() {
  if (!terms.length && !state.status.length) return null;
  const hit = new Set(), all = new Set();
  for (const n of data.nodes) {
    if (!fits(n) || state.status.length && (!state.status.includes(n.status) || n.id === 'root')) continue;
    hit.add(n.id);
    for (let at = n; at && !all.has(at.id); at = byID.get(at.parent)) all.add(at.id);
  }
  return { hit, all };
}

function branch(list, seen) {
  const box = node('ol', { class: 'tree' });
  for (const n of list) {
    if (seen && !seen.all.has(n.id)) continue;
    const below = (kids.get(n.id) || []).filter(k => !seen || seen.all.has(k.id)), shut = !seen && folded.has(n.id), here = state.node === n.id;
    const row = node('div', { class: 'row ' + known(n.status) + (n.type === 'planning' ? ' plan' : '') + (here ? ' here' : '') + (seen && !seen.hit.has(n.id) ? ' dimmed' : '') },
      below.length && !seen ? node('button', { type: 'button', class: 'fold', 'aria-expanded': String(!shut), 'aria-label': t.folds, click: () => { if (shut) folded.delete(n.id); else folded.add(n.id); render(); } }, shut ? '▸' : '▾') : node('span', { class: 'fold' }),
      node('button', { type: 'button', class: 'name', 'aria-pressed': String(here), click: () => go({ node: here ? null : n.id }) }, sign(n.status), node('span', { class: 'what' }, marked(n.title)),
        n.part[1] ? node('span', { class: 'part' }, n.part[0] + '/' + n.part[1]) : '', n.id === data.focus ? node('span', { class: 'flag focus' }, t.focus) : '', n.problem ? node('span', { class: 'flag bad' }, t.held) : ''));
    box.append(node('li', null, row, here ? detail(n) : '', below.length && !shut ? branch(below, seen) : ''));
  }
  return box;
}

function tree(main) {
  const seen = visible();
  if (!seen) main.append(...summary());
  if (seen ? !seen.hit.size : !data.nodes.length) return 0;
  main.append(branch(kids.get('') || [], seen));
  return data.nodes.length;
}
// summary is the goal and how far it is.
function summary() {
  const out = data.goal ? [node('p', { class: 'goal' }, data.goal)] : [];
  if (!tasks.length) return out;
  const bar = node('div', { class: 'progress', role: 'img', 'aria-label': t.progress(tasks.filter(isDone).length, tasks.length) }), legend = node('p', { class: 'legend' }, t.progress(tasks.filter(isDone).length, tasks.length));
  for (const s of ['completed', 'failed', 'validating', 'implementing', 'monitoring', 'planning', 'pending', 'cancelled']) {
    const n = tasks.filter(x => x.status === s).length;
    if (!n) continue;
    const i = node('i', { class: s, title: t[s] + ': ' + n });
    i.style.setProperty('--n', n);
    bar.append(i);
  }
  return [...out, bar, legend];
}

function logRow(l, bare) {
  return node('li', null, l.when ? node('time', { datetime: l.time, title: l.when.day + ' ' + l.when.time }, (bare ? l.when.day.slice(5) + ' ' : '') + l.when.time) : node('time'), node('span', { class: 'who ' + (l.operator === 'Human' ? 'Human' : '') }, l.operator),
    node('p', { class: 'text' }, bare ? '' : l.node ? chip(l.node) : node('span', { class: 'chip' }, t.own), marked(l.text)));
}
function log(main) {
  const list = data.logs.filter(l => fits(l) && (state.node === null || l.node === state.node)), per = new Map();
  for (const l of list) { const d = l.when ? l.when.day : ''; per.set(d, (per.get(d) || 0) + 1); }
  let day = null, rows;
  grow(main, list, l => {
    const d = l.when ? l.when.day : '';
    if (d !== day) {
      day = d; rows = node('ol', { class: 'log' });
      main.append(node('h2', null, d || t.noDate, node('small', null, t.rows(per.get(d)))), rows);
    }
    rows.append(logRow(l, false));
  });
  return list.length;
}
function problems(main) {
  const list = stuck.filter(fits), cards = node('ol', { class: 'cards' });
  const own = (data.problem || data.next) && fits({ found: fold(data.problem + '\n' + data.next) });
  main.append(cards);
  if (own) cards.append(node('li', { class: 'card problem' }, node('div', null, node('h3', null, data.name), ...field(t.problem, data.problem), ...field(t.next, data.next))));
  for (const n of list) cards.append(node('li', { class: 'card problem ' + known(n.status) }, sign(n.status), node('div', null, node('h3', null, marked(n.title)), ...field(t.problem, n.problem), ...field(t.next, n.next), node('div', { class: 'meta' }, node('span', { class: 'state' }, t[n.status] || n.status), moment(n, true), chip(n.id, '→ ' + t.tree)))));
  if (!list.length && !own && !terms.length) { cards.append(node('li', { class: 'none' }, t.noProblem)); return 1; }
  return list.length + (own ? 1 : 0);
}
function about(main) {
  const paper = node('section', { class: 'paper' });
  if (data.status !== 'active') paper.append(node('p', null, node('span', { class: 'flag' }, t[data.status] || data.status)));
  if (data.goal) paper.append(node('h3', null, t.goal), node('p', null, marked(data.goal)));
  if (data.rules.length) paper.append(node('h3', null, t.rules), node('ul', null, ...data.rules.map(r => node('li', null, marked(r)))));
  if (data.docs.length) paper.append(node('h3', null, t.docs), node('ul', null, ...data.docs.map(doc)));
  if (data.sessions.length) paper.append(node('h3', null, t.sessions), node('ul', null, ...data.sessions.map(s => node('li', null, node('code', null, s.id), ' ', byID.has(s.node) ? chip(s.node) : '', ' ', node('span', { class: 'part' }, moment(s, true), s.over ? ' · ' + t.over : '')))));
  paper.append(node('p', null, node('code', null, data.id)));
  main.append(paper);
  const list = data.memos.filter(m => terms.every(w => fold(m.title + m.summary + m.text).includes(w)));
  if (list.length) main.append(node('h2', null, t.memos), node('ol', { class: 'cards' }, ...list.map(m => node('li', { class: 'card' }, node('div', null, node('h3', null, marked(m.title)), node('p', { class: 'text' }, marked(m.summary)),
    m.text.trim() ? node('details', null, node('summary', null, t.more), node('p', { class: 'text' }, marked(m.text))) : '', node('div', { class: 'meta' }, moment(m, true), ...m.tags.map(x => node('span', { class: 'chip' }, x)), node('code', null, m.id)))))));
  return 1;
}

function filters(box) {
  if (state.view === 'log' && state.node !== null) box.append(node('button', { type: 'button', class: 'toggle', 'aria-pressed': 'true', click: () => go({ node: null }) }, t.only(byID.has(state.node) ? byID.get(state.node).title : state.node || t.own) + ' ✕'));
  if (state.view !== 'tree') return;
  for (const s of statuses) {
    const n = tasks.filter(x => x.status === s).length, on = state.status.includes(s);
    if (n || on) box.append(node('button', { type: 'button', class: 'toggle status ' + s, 'aria-pressed': String(on), click: () => go({ status: on ? state.status.filter(x => x !== s) : [...state.status, s] }) }, signs[s] + ' ' + t[s], node('b', null, String(n))));
  }
  const seen = visible();
  if (!seen && data.nodes.some(n => n.parent && kids.has(n.id))) {
    const shut = folded.size > 0;
    box.append(node('button', { type: 'button', class: 'toggle', click: () => { for (const n of data.nodes) if (kids.has(n.id) && n.parent) { if (shut) folded.delete(n.id); else folded.add(n.id); } render(); } }, shut ? t.openAll : t.foldAll));
  }
  box.append(node('span', { class: 'count', 'aria-live': 'polite' }, t.shown(seen ? seen.hit.size : data.nodes.length, data.nodes.length)));
}

show({
  words, filters, views: { tree, log, problems, about },
  counts: () => ({ tree: tasks.length, log: data.logs.length, problems: stuck.length + (data.problem || data.next ? 1 : 0) }),
  read: p => ({ node: p.get('node'), status: statuses.filter(s => (p.get('status') || '').split(' ').includes(s)) }),
  write: (s, p) => {
    if (s.node !== null) p.set('node', s.node);
    if (s.status.length) p.set('status', s.status.join(' '));
  },
  fresh: { node: null, status: [] }, filtered: () => state.q || state.status.length || state.view === 'log' && state.node !== null,
});
