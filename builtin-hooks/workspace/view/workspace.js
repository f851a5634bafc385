const words = {
  en: {
    tree: 'Tree', board: 'Board', log: 'Log', problems: 'Problems', about: 'About', search: 'Search  ( / )', other: '中文',
    pending: 'pending', planning: 'planning', implementing: 'in progress', validating: 'validating', monitoring: 'monitoring', completed: 'completed', failed: 'failed', cancelled: 'cancelled',
    nothing: 'There is nothing here yet.', noHit: 'Nothing fits.', more: 'show more', noDate: 'without a date', goal: 'Goal', rules: 'Rules', docs: 'Documents', memos: 'Memos', sessions: 'Bound sessions',
    requirement: 'Requirement', acceptance: 'Acceptance', conclusion: 'Conclusion', notes: 'Notes', problem: 'Problem', next: 'Next step', refs: 'Refers to', logs: 'Log', focus: 'focus', held: 'problem', own: 'workspace',
    allLogs: n => 'all ' + n + ' rows', only: name => 'only ' + name, progress: (n, all) => n + ' of ' + all + ' nodes are done', isolated: 'isolated: hears nothing of the nodes above', over: 'over', foldAll: 'fold', openAll: 'unfold', folds: 'children',
    shown: (n, all) => n === all ? n + ' nodes' : n + ' of ' + all + ' nodes', rows: n => n === 1 ? '1 row' : n + ' rows', noProblem: 'Nothing is in the way.', info_collection: 'research', info_summary: 'summary', validation: 'validation', archived: 'archived',
    blocked: 'Waits', ready: 'Ready', atwork: 'In progress', check: 'To check', done: 'Done', waitsFor: 'waits for', has: 'has it', startedBy: 'begun by', doneBy: 'finished by', high: 'high', low: 'low', noProof: 'no evidence', none: 'nothing', moreDone: n => 'show ' + n + ' more',
    forYou: n => n === 1 ? '1 waits for you' : n + ' wait for you', plan: 'Approve the plan', dispatch: 'Bring home what subagents committed', problemWait: 'Answer', approve: 'Approve', answer: 'Answer', bring: 'Bring it home', yourAnswer: 'Your answer', aWord: 'A word to the agent (may be empty)', way: 'In which way', ways: { sequential: 'commit by commit', squash: 'as one commit', 'cherry-pick': 'without committing', skip: 'not now' },
    noAnswer: 'Write an answer first.', changed: 'Nothing was done: meanwhile it changed, or was answered elsewhere. Look at how it stands now.', told: 'Done. The agent is told with its next prompt.', mayNot: why => 'It cannot be answered here, because ' + why + '.', elsewhere: 'To answer it: “agents-hooks ui”, or tell your agent.',
    foot: (dir, at) => 'Made from ' + dir + ' on ' + at + '. The files there are the truth; this page is a picture of that moment.',
  },
  zh: {
    tree: '任务树', board: '看板', log: '日志', problems: '问题', about: '概况', search: '搜索（按 /）', other: 'English',
    pending: '待开始', planning: '规划中', implementing: '进行中', validating: '验证中', monitoring: '监控中', completed: '已完成', failed: '已失败', cancelled: '已取消',
    nothing: '这里还没有内容。', noHit: '没有符合条件的内容。', more: '显示更多', noDate: '没有日期', goal: '目标', rules: '规则', docs: '文档', memos: '备忘', sessions: '绑定的会话',
    requirement: '需求', acceptance: '验收标准', conclusion: '结论', notes: '备注', problem: '问题', next: '下一步', refs: '引用', logs: '日志', focus: '聚焦', held: '有问题', own: '工作区',
    allLogs: n => '全部 ' + n + ' 条', only: name => '只看 ' + name, progress: (n, all) => '共 ' + all + ' 个节点，已结束 ' + n + ' 个', isolated: '已隔离：不继承上级节点的内容', over: '已结束', foldAll: '折叠', openAll: '展开', folds: '子节点',
    shown: (n, all) => n === all ? n + ' 个节点' : n + ' / ' + all + ' 个节点', rows: n => n + ' 条', noProblem: '没有阻碍。', info_collection: '信息收集', info_summary: '信息总结', validation: '验证', archived: '已归档',
    blocked: '等待中', ready: '可开始', atwork: '进行中', check: '待验证', done: '已结束', waitsFor: '等待', has: '负责', startedBy: '开始者', doneBy: '完成者', high: '高', low: '低', noProof: '无证据', none: '无', moreDone: n => '再显示 ' + n + ' 个',
    forYou: n => '有 ' + n + ' 件事等你处理', plan: '批准计划', dispatch: '合并子智能体的提交', problemWait: '回答', approve: '批准', answer: '回答', bring: '合并', yourAnswer: '你的回答', aWord: '给智能体的话（可留空）', way: '方式', ways: { sequential: '逐个提交', squash: '合为一个提交', 'cherry-pick': '只应用不提交', skip: '暂不合并' },
    noAnswer: '请先写下回答。', changed: '没有执行：此期间内容已改变，或已在别处回答。请看现在的样子。', told: '完成。智能体会在下一条提示时得知。', mayNot: why => '这里无法回答，原因：' + why, elsewhere: '要回答：“agents-hooks ui”，或告诉你的智能体。',
    foot: (dir, at) => '由 ' + dir + ' 于 ' + at + ' 生成。以那里的文件为准，此页只是当时的样子。',
  },
};
const statuses = ['implementing', 'validating', 'planning', 'monitoring', 'pending', 'completed', 'failed', 'cancelled'];
const signs = { pending: '○', planning: '●', implementing: '●', validating: '◐', monitoring: '◐', completed: '✓', failed: '✗', cancelled: '–' };
const isDone = n => ['completed', 'failed', 'cancelled'].includes(n.status);
const known = s => statuses.includes(s) ? s : 'pending';

// who is the session that has a node: its agent, and the beginning of its id.
const who = n => (n.agent ? n.agent + ' ' : '') + (n.owner.length > 12 ? n.owner.slice(0, 12) + '…' : n.owner);
const sought = n => terms.every(w => /^\d+$/.test(w) ? n.words.includes(w) : n.found.includes(w));
const byID = new Map(), kids = new Map(), rowsOf = new Map();
for (const n of data.nodes) {
  byID.set(n.id, n);
  kids.set(n.parent, [...(kids.get(n.parent) || []), n]);
  // What is looked for is what can be seen: a number as a whole, a word as a part of one.
  n.found = fold(n.title + ' ' + (n.owner ? who(n) : '') + ' ' + n.id);
  n.words = n.found.split(/[^\p{L}\p{N}_]+/u);
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
const shown = all.shown || (all.shown = new Map());
const folded = shown.get(data.id) || new Set();
if (!shown.has(data.id) && data.nodes.length > 60) {
  const open = new Set(), way = n => { for (let at = n; at && !open.has(at.id); at = byID.get(at.parent)) open.add(at.id); };
  data.nodes.filter(n => n.id === data.focus || n.problem).forEach(way);
  if (!open.size) data.nodes.filter(n => ['implementing', 'validating'].includes(n.status)).forEach(way);
  for (const n of data.nodes) if (kids.has(n.id) && !open.has(n.id) && n.parent) folded.add(n.id);
}
const fresh = !shown.has(data.id); // nobody has looked at it yet
shown.set(data.id, folded);

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
    ...(n.acceptance.length ? [heading(t.acceptance), node('table', null, ...n.acceptance.map((c, i) => node('tr', null, node('td', null, marked(c.when)), node('td', null, marked(c.then)), node('td', { class: 'part' }, (n.unproven || []).includes(i + 1) ? t.noProof : ''))))] : []),
    ...field(t.conclusion, n.conclusion), ...field(t.notes, n.notes),
    ...(n.docs.length ? [heading(t.docs), node('ul', null, ...n.docs.map(doc))] : []),
    ...(refs.length ? [heading(t.refs), node('div', { class: 'meta' }, ...refs)] : []),
    ...(rows.length ? [heading(t.logs), node('ol', { class: 'log bare' }, ...rows.slice(0, 5).map(l => logRow(l, true)))] : []),
    rows.length > 5 ? node('button', { type: 'button', class: 'chip all', click: () => go({ view: 'log', node: n.id, q: '' }) }, t.allLogs(rows.length)) : '',
    node('div', { class: 'meta' }, node('span', { class: 'state' }, t[n.status] || n.status), note(n.role && (t[n.role] || n.role)), note(n.isolated && t.isolated), note(n.owner && who(n) + ' ' + t.has), note(n.started && t.startedBy + ' ' + n.started), note(n.done && t.doneBy + ' ' + n.done), ...(n.waits || []).map(id => node('span', null, t.waitsFor + ' ', chip(id))), moment(n, true), node('code', null, n.id)));
}

// visible are the nodes that fit, and what is above them.
function visible() {
  if (!terms.length && !state.status.length) return null;
  const hit = new Set(), all = new Set();
  for (const n of data.nodes) {
    if (!sought(n) || state.status.length && (!state.status.includes(n.status) || n.id === 'root')) continue;
    hit.add(n.id);
    for (let at = n; at && !all.has(at.id); at = byID.get(at.parent)) all.add(at.id);
  }
  return { hit, all };
}

const toggle = n => { if (folded.has(n.id)) folded.delete(n.id); else folded.add(n.id); render(); };
function branch(list, seen, level) {
  const box = node('ol', { class: 'tree', role: 'none' });
  for (const n of list) {
    if (seen && !seen.all.has(n.id)) continue;
    const below = (kids.get(n.id) || []).filter(k => !seen || seen.all.has(k.id)), shut = !seen && folded.has(n.id), here = state.node === n.id;
    const row = node('div', { role: 'treeitem', id: 'at-' + n.id.replace(/\s/g, '_'), tabindex: '-1', 'data-node': n.id, 'aria-level': String((level || 0) + 1), 'aria-selected': String(here), 'aria-expanded': below.length ? String(!shut) : false, class: 'row ' + known(n.status) + (n.type === 'planning' ? ' plan' : '') + (here ? ' here' : '') + (seen && !seen.hit.has(n.id) ? ' dimmed' : '') },
      node('span', { class: 'fold', 'aria-hidden': 'true', click: below.length && !seen ? () => { at = n.id; toggle(n); } : false }, below.length && !seen ? shut ? '▸' : '▾' : ''),
      node('span', { class: 'name', click: () => { at = n.id; go({ node: here ? null : n.id }); } }, sign(n.status), node('span', { class: 'heard' }, (t[n.status] || n.status) + ': '), node('span', { class: 'what' }, marked(n.title)),
        n.part[1] ? node('span', { class: 'part' }, n.part[0] + '/' + n.part[1]) : '', n.owner ? node('span', { class: 'flag owner' }, who(n)) : '', (n.waits || []).length ? node('span', { class: 'part' }, t.blocked) : '',
        n.id === data.focus ? node('span', { class: 'flag focus' }, t.focus) : '', n.problem ? node('span', { class: 'flag bad' }, t.held) : ''));
    const item = node('li', { role: 'none' }, row, here ? detail(n) : '');
    if (below.length && !shut) item.append(branch(below, seen, (level || 0) + 1));
    box.append(item);
  }
  return box;
}

// The keyboard is at one node of the tree; arrows go from there, as trees do.
let at = null;
function keys(box, seen) {
  const items = [...box.querySelectorAll('[role=treeitem]')], find = id => items.find(i => i.dataset.node === id);
  const first = find(at) || find(state.node) || find(data.focus) || items[0];
  if (first) first.tabIndex = 0;
  const to = (item, quiet) => { if (!item) return; items.forEach(i => { i.tabIndex = -1; }); item.tabIndex = 0; at = item.dataset.node; item.focus({ preventScroll: quiet }); if (!quiet) item.scrollIntoView({ block: 'nearest' }); };
  box.addEventListener('keydown', e => {
    const item = e.target, i = items.indexOf(item);
    if (i < 0 || e.ctrlKey || e.metaKey || e.altKey) return;
    const n = byID.get(item.dataset.node), below = (kids.get(n.id) || []).length && !seen, shut = folded.has(n.id);
    const does = { ArrowDown: () => to(items[i + 1]), ArrowUp: () => to(items[i - 1]), Home: () => to(items[0]), End: () => to(items[items.length - 1]),
      ArrowRight: () => below && shut ? turn(n) : below ? to(items[i + 1]) : null, ArrowLeft: () => below && !shut ? turn(n) : to(find(n.parent)),
      Enter: () => pick(n), ' ': () => pick(n) }[e.key];
    if (does) { e.preventDefault(); does(); }
  });
  const turn = n => { at = n.id; all.back = n.id; toggle(n); }, pick = n => { at = n.id; all.back = n.id; go({ node: state.node === n.id ? null : n.id }); };
  const back = all.back;
  all.back = null;
  if (back && find(back)) setTimeout(() => to(find(back), true));
  else if (fresh && !all.looked && first && data.nodes.length > 30 && !state.q && !location.hash.includes('node=')) { all.looked = true; setTimeout(() => first.scrollIntoView({ block: 'center' })); }
}

// waiting is what waits for the person, with what answers it on a page that is served.
function waiting() {
  const list = data.waits || [];
  if (!list.length) return [replied()];
  const cards = list.map(w => {
    const n = byID.get(w.node) || { id: w.node, title: w.node, problem: '', status: '' };
    return node('li', { class: 'card wait ' + w.kind, 'data-key': 'wait ' + w.kind + ' ' + w.node }, node('div', null, node('h3', null, w.kind === 'problem' ? t.problemWait : t[w.kind], ': ', chip(n.id, n.title)),
      w.kind === 'problem' ? node('p', { class: 'text' }, n.problem) : '', w.kind === 'plan' ? node('ol', { class: 'bare' }, ...(kids.get(n.id) || []).slice(0, 12).map(k => node('li', null, k.title))) : '', ...reply(w, n)));
  });
  return [node('section', { class: 'waits', 'aria-label': t.forYou(list.length) }, node('h2', null, t.forYou(list.length)), replied(), node('ol', { class: 'cards', id: 'waits' }, ...cards), data.may === '-' ? node('p', { class: 'part' }, ...spoken(t.elsewhere)) : '')];
}

function tree(main) {
  const seen = visible();
  if (!seen) main.append(...waiting(), ...summary());
  if (seen ? !seen.hit.size : !data.nodes.length) return 0;
  const box = branch(kids.get('') || [], seen, 0);
  // The rows are one tree to who hears the page; what is said of a node lies between them.
  main.append(node('div', { role: 'tree', 'aria-label': t.tree, 'aria-owns': [...box.querySelectorAll('[role=treeitem]')].map(i => i.id).join(' ') }), box);
  keys(box, seen);
  return data.nodes.length;
}

// board has the nodes that are work, in columns by what can be done with them.
const column = n => isDone(n) ? n.status === 'failed' ? 'failed' : 'done' : n.status === 'validating' ? 'check' : n.status !== 'pending' ? 'atwork' : (n.waits || []).length ? 'blocked' : 'ready';
const mostDone = 20;
function board(main) {
  const work = tasks.filter(n => !(kids.get(n.id) || []).length && sought(n));
  if (!terms.length) main.append(...waiting());
  if (!work.length) return 0;
  const box = node('div', { class: 'board', tabindex: '0', role: 'region', 'aria-label': t.board });
  for (const name of ['blocked', 'ready', 'atwork', 'check', 'failed', 'done']) {
    const list = work.filter(n => column(n) === name);
    if (!list.length && (name === 'failed' || name === 'check' || name === 'blocked')) continue;
    if (name === 'done') list.sort((a, b) => (a.time < b.time) - (a.time > b.time));
    const cards = node('ol', { class: 'minis' }), card = n => cards.append(node('li', { class: 'card mini ' + known(n.status) + (n.problem ? ' problem' : '') }, node('button', { type: 'button', class: 'plain', click: () => go({ view: 'tree', node: n.id, q: '', status: [] }) }, sign(n.status), node('span', { class: 'heard' }, (t[n.status] || n.status) + ': '), node('span', { class: 'what' }, marked(n.title))),
      byID.has(n.parent) && n.parent !== 'root' ? node('div', { class: 'part' }, byID.get(n.parent).title) : '',
      node('div', { class: 'meta' }, n.owner ? node('span', { class: 'flag owner' }, who(n)) : '', n.priority ? node('span', { class: 'part' }, t[n.priority] || n.priority) : '', n.id === data.focus ? node('span', { class: 'flag focus' }, t.focus) : '', n.problem ? node('span', { class: 'flag bad' }, t.held) : '', (n.waits || []).length ? node('span', { class: 'part' }, t.waitsFor + ' ' + n.waits.map(id => byID.has(id) ? byID.get(id).title : id).join(', ')) : '', n.done ? node('span', { class: 'part' }, n.done) : '')));
    const first = name === 'done' ? mostDone : 200, more = list.length - first;
    list.slice(0, first).forEach(card);
    const rest = more > 0 ? node('button', { type: 'button', class: 'chip all', click: () => { rest.remove(); list.slice(first).forEach(card); } }, t.moreDone(more)) : '';
    box.append(node('section', { class: 'column' }, node('h2', null, t[name], node('small', null, String(list.length))), list.length ? cards : node('p', { class: 'part' }, t.none), rest));
  }
  main.append(box);
  return work.length;
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
  words, filters, hold, views: { tree, board, log, problems, about },
  counts: () => ({ tree: tasks.length, ...((data.waits || []).length ? { board: data.waits.length } : {}), log: data.logs.length, problems: stuck.length + (data.problem || data.next ? 1 : 0) }),
  read: p => ({ node: p.get('node'), status: statuses.filter(s => (p.get('status') || '').split(' ').includes(s)) }),
  write: (s, p) => {
    if (s.node !== null) p.set('node', s.node);
    if (s.status.length) p.set('status', s.status.join(' '));
  },
  fresh: { node: null, status: [] }, filtered: () => state.q || state.status.length || state.view === 'log' && state.node !== null,
});
