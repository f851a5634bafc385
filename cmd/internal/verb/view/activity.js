const words = {
  en: {
    sessions: 'Sessions', events: 'Events', search: 'Search  ( / )', other: '中文', more: 'show more', noHit: 'Nothing fits.', nothing: 'No event was recorded yet.',
    begin: 'An event is recorded as soon as an agent calls and a hook exists that could serve it. “agents-hooks doctor” says whether agents call, “agents-hooks demo” shows a hook at work.',
    sumEvents: 'events', sumBlocked: 'blocked', sumAsked: 'asked', sumFailed: 'hooks failed', sumTime: 'median per event', inSessions: n => n === 1 ? 'in 1 session' : 'in ' + n + ' sessions',
    block: 'blocked', ask: 'asked', allow: 'allowed', plain: 'passed', trouble: 'trouble', onlyTrouble: 'trouble', onlyChanged: 'input changed', noSession: 'without a session', session: 'session', project: 'project', agent: 'agent',
    shown: (n, all) => n === all ? n + (n === 1 ? ' event' : ' events') : n + ' of ' + all + ' events', count: n => n === 1 ? '1 event' : n + ' events', cut: (n, flag) => 'The newest ' + n + ' events are here; older ones: agents-hooks view ' + flag + '.',
    ok: 'let it pass', failed: 'failed', timeout: 'took too long', not_started: 'did not start', bad_output: 'said nothing usable', skipped: 'skipped', allowedBy: 'permitted in your place by', started: 'started, not waited for', waited: 'not waited for',
    changed: 'changed the input', changes: name => 'What ' + name + ' changed in the input', noDiff: 'What it changed is not in the log: hooks.toml says [hooks] log_changes = false, or the event is older than that.', blotted: 'What it changed looks like a secret, and was blotted out.', wrote: 'wrote', onError: 'wrote to stderr', keptLog: 'log', input: 'Input', warnings: 'Warnings', ran: 'Hooks, in the order in which they ran', noHook: 'No hook ran.',
    exit: n => 'exit ' + n, unreadable: 'unreadable event', noDate: 'without a date', all: 'all sessions', layer: { builtin: 'built-in', system: 'system', user: 'yours', project: 'project' }, only: what => 'only ' + what, id: 'id', lasted: 'lasted', spec: 'no agent', fresh: n => n === 1 ? '1 new event' : n + ' new events',
    foot: (dir, at) => 'From the run log, as it stood on ' + at + '. What agents were asked and what they typed is not in it, unless [hooks] debug is set; what a hook changed in an input is, unless [hooks] log_changes = false.',
  },
  zh: {
    sessions: '会话', events: '事件', search: '搜索（按 /）', other: 'English', more: '显示更多', noHit: '没有符合条件的内容。', nothing: '还没有记录任何事件。',
    begin: '只要有智能体调用，并且存在可能处理该事件的钩子，就会记录。“agents-hooks doctor” 说明智能体是否在调用，“agents-hooks demo” 演示一个钩子如何工作。',
    sumEvents: '个事件', sumBlocked: '个被阻止', sumAsked: '个需询问', sumFailed: '次钩子失败', sumTime: '每个事件的中位耗时', inSessions: n => '来自 ' + n + ' 个会话',
    block: '已阻止', ask: '已询问', allow: '已允许', plain: '通过', trouble: '有故障', onlyTrouble: '有故障', onlyChanged: '改动了输入', noSession: '没有会话', session: '会话', project: '项目', agent: '智能体',
    shown: (n, all) => n === all ? n + ' 个事件' : n + ' / ' + all + ' 个事件', count: n => n + ' 个事件', cut: (n, flag) => '这里是最新的 ' + n + ' 个事件；更早的：agents-hooks view ' + flag + '。',
    ok: '放行', failed: '失败', timeout: '超时', not_started: '未能启动', bad_output: '输出无法使用', skipped: '已跳过', allowedBy: '代你允许的钩子：', started: '已启动，不等待', waited: '不等待',
    changed: '改动了输入', changes: name => name + ' 对输入的改动', noDiff: '日志中没有改动内容：hooks.toml 设置了 [hooks] log_changes = false，或者该事件更早。', blotted: '改动的内容看起来是机密，已被遮盖。', wrote: '输出', onError: '写到 stderr', keptLog: '日志', input: '输入', warnings: '警告', ran: '钩子（按运行顺序）', noHook: '没有钩子运行。',
    exit: n => '退出码 ' + n, unreadable: '无法读取的事件', noDate: '没有日期', all: '全部会话', layer: { builtin: '内置', system: '系统', user: '你的', project: '项目' }, only: what => '只看 ' + what, id: '编号', lasted: '持续', spec: '没有智能体', fresh: n => n + ' 个新事件',
    foot: (dir, at) => '来自运行日志，截至 ' + at + '。除非设置了 [hooks] debug，其中没有对智能体的提问和输入的内容；钩子对输入的改动会保留，除非设置 [hooks] log_changes = false。',
  },
};
const bad = ['failed', 'timeout', 'not_started', 'bad_output'];
const signs = bare({ block: '✕', ask: '?', allow: '✓', plain: '–', trouble: '!' });
const name = id => bare(data.agents)[id] || id || t.spec;
const spent = ms => ms === undefined ? '' : ms < 10 ? ms.toFixed(1) + ' ms' : ms < 10000 ? Math.round(ms) + ' ms' : ms < 12e4 ? (ms / 1000).toFixed(1) + ' s' : ms < 72e5 ? Math.round(ms / 6e4) + ' min' : ms < 1728e5 ? Math.round(ms / 36e5) + ' h' : Math.round(ms / 864e5) + ' d';

// What comes later of hooks that nobody waited for belongs to the event that
// started them.
let list = [], sessions = [];
// What is looked for in an event is put together when somebody looks for something.
const searched = { get found() { return this.folded ??= fold([this.id, this.agent, bare(data.agents)[this.agent] || '', this.event, this.native, this.tool, this.native_tool, this.session, this.project, ...(this.async || []), ...this.all.flatMap(h => [h.name, h.reason, h.warning, h.result, h.stderr, h.stdout, h.diff]), ...(this.warnings || []).map(w => w.hook + ' ' + w.text)].filter(Boolean).join('\n')); } };
function prepare() {
  const byID = new Map(data.events.map(e => [e.id, e])), per = new Map();
  for (const e of data.events) e.late = [];
  list = data.events.filter(e => {
    const from = e.ref && byID.get(e.ref);
    if (from) from.late.push(...(e.hooks || []));
    return !from;
  });
  for (const e of list) {
    e.when = e.when || local(e.time);
    e.all = [...(e.hooks || []), ...e.late];
    e.trouble = e.all.some(h => bad.includes(h.result)) || (e.warnings || []).some(w => !w.refused);
    e.is = ['block', 'ask', 'allow'].includes(e.decision) ? e.decision : e.trouble ? 'trouble' : 'plain';
    e.changed = e.all.some(h => h.changed);
    Object.setPrototypeOf(e, searched);
    e.folded = undefined;
    const key = e.session || '', s = per.get(key) || { id: key, events: [], agents: new Set(), projects: new Set(), block: 0, ask: 0, trouble: 0 };
    per.set(key, s);
    s.events.push(e); if (e.agent) s.agents.add(e.agent); if (e.project) s.projects.add(e.project);
    if (e.decision === 'block') s.block++; if (e.decision === 'ask') s.ask++; if (e.trouble) s.trouble++;
  }
  sessions = [...per.values()];
  for (const s of sessions) {
    s.last = s.events[0]; s.first = s.events[s.events.length - 1];
    s.key = 's ' + s.id;
    s.found = fold([s.id, ...s.agents, ...[...s.agents].map(a => bare(data.agents)[a] || ''), ...s.projects].join('\n'));
  }
}
prepare();

const badge = is => node('span', { class: 'verdict ' + is }, node('b', { 'aria-hidden': 'true' }, signs[is]), ' ', t[is]);
const why = e => {
  for (const h of e.all) if (h.result === 'block' || h.decision === 'ask') return [h.name, h.reason || h.warning || ''];
  for (const h of e.all) if (bad.includes(h.result)) return [h.name, h.warning || t[h.result]];
  for (const h of e.all) if (h.changed) return [h.name, t.changed];
  for (const h of e.all) if (h.reason || h.warning) return [h.name, h.reason || h.warning];
  const w = (e.warnings || []).find(x => !x.refused);
  return w ? [w.hook, w.text] : null;
};
const clip = s => s.length > 300 ? s.slice(0, 300) + '…' : s;

const openOnes = new Set();
function eventRow(e, inSession) {
  const w = why(e), names = e.all.map(h => h.name);
  const row = node('details', { class: 'event ' + e.is, 'data-key': e.id, open: openOnes.has(e.id) },
    node('summary', null,
      e.when ? node('time', { datetime: e.time, title: e.time }, e.when.time) : node('time', null, '—'),
      badge(e.is),
      node('span', { class: 'what' }, node('b', null, marked(e.event || t.unreadable)), e.tool ? node('span', { class: 'tool' }, marked(e.tool)) : '', inSession ? '' : node('span', { class: 'dim' }, marked(name(e.agent))), !w && names.length ? node('span', { class: 'by dim' }, marked(clip(names.join(', ')))) : ''),
      node('span', { class: 'ms' }, spent(e.ms)),
      w ? node('span', { class: 'why' }, w[0] ? node('b', null, marked(w[0])) : '', ' ', marked(clip(w[1]))) : ''));
  const fill = () => { if (row.open && row.childElementCount === 1) row.append(detail(e)); };
  row.addEventListener('toggle', () => { if (row.open) openOnes.add(e.id); else openOnes.delete(e.id); fill(); });
  fill();
  return node('li', null, row);
}

const said = (label, text, code) => text ? [label ? node('h4', null, label) : '', node(code ? 'pre' : 'p', { class: 'text' }, code ? text : marked(text))] : [];
function hookRow(h, most, late) {
  const is = h.result === 'block' ? 'block' : h.decision === 'ask' ? 'ask' : h.decision === 'allow' ? 'allow' : bad.includes(h.result) ? 'trouble' : 'plain';
  const how = h.signal || (h.exit >= 0 && h.result !== 'ok' ? t.exit(h.exit) : '');
  const bar = node('i', { 'aria-hidden': 'true' });
  bar.style.setProperty('--w', Math.max(1, Math.min(100, 100 * (h.ms || 0) / most)) + '%');
  return node('li', { class: 'run ' + is },
    node('div', { class: 'head' }, node('b', null, marked(h.name)), node('span', { class: 'verdict ' + is }, node('b', { 'aria-hidden': 'true' }, signs[is === 'plain' && h.result === 'ok' ? 'allow' : is]), ' ', h.decision === 'ask' || h.decision === 'allow' ? t[h.decision] : t[h.result] || h.result),
      node('span', { class: 'dim' }, [t.layer[h.layer] || h.layer, late || h.async ? t.waited : '', how].filter(Boolean).join(' · ')), node('span', { class: 'ms' }, spent(h.ms))),
    node('div', { class: 'span' }, bar),
    ...said('', h.reason), h.warning && h.warning !== h.reason ? node('p', { class: 'text warn' }, marked(h.warning)) : '',
    h.changed ? node('div', null, node('h4', null, t.changes(h.name)), h.diff ? diffed(h.diff, t.changes(h.name)) : node('p', { class: 'dim' }, h.blotted ? t.blotted : t.noDiff)) : '',
    ...said(t.wrote, h.stdout, true), ...said(t.onError, h.stderr, true), ...said(t.keptLog, h.log, true));
}
function detail(e) {
  const most = Math.max(...e.all.map(h => h.ms || 0), e.ms || 0, .1), told = new Set(e.all.map(h => h.name + '\n' + h.warning));
  const warnings = (e.warnings || []).filter(w => !told.has(w.hook + '\n' + w.text));
  const facts = node('dl', { class: 'facts' });
  const fact = (k, ...v) => facts.append(node('div', null, node('dt', null, k), node('dd', null, ...v)));
  fact(t.agent, marked(name(e.agent)), e.native && e.native !== e.event ? node('span', { class: 'dim' }, ' ', marked(e.native)) : '', e.native_tool ? node('span', { class: 'dim' }, ' ', marked(e.native_tool)) : '');
  if (e.project) fact(t.project, marked(e.project));
  if (e.session) fact(t.session, node('button', { type: 'button', class: 'chip', click: () => go({ view: 'events', session: e.session, q: '', is: '' }) }, marked(e.session)));
  fact(t.id, node('code', null, e.id));
  return node('div', { class: 'detail' },
    (e.allowed || []).length ? node('p', null, t.allowedBy, ' ', node('b', null, e.allowed.join(', '))) : '',
    e.all.length ? node('div', null, node('h3', null, t.ran), node('ol', { class: 'runs' }, ...(e.hooks || []).map(h => hookRow(h, most, false)), ...e.late.map(h => hookRow(h, most, true)))) : node('p', { class: 'dim' }, t.noHook),
    ...(e.async || []).filter(n => !e.late.some(h => h.name === n)).map(n => node('p', null, node('b', null, n), ' ', node('span', { class: 'dim' }, t.started))),
    warnings.length ? node('div', null, node('h3', null, t.warnings), node('ul', null, ...warnings.map(w => node('li', null, w.hook ? node('b', null, w.hook + ' ') : '', marked(w.text))))) : '',
    e.input ? node('div', null, node('h3', null, t.input), node('pre', { class: 'text input', tabindex: '0', role: 'group', 'aria-label': t.input }, e.input)) : '', facts);
}

const wanted = e => (state.session === null || (e.session || '') === state.session) && (!state.is || (state.is === 'trouble' ? e.trouble : state.is === 'changed' ? e.changed : e.decision === state.is)) && fits(e);

// summary is what happened, in numbers that lead to what they count.
function summary() {
  const times = list.map(e => e.ms).filter(x => x !== undefined).sort((a, b) => a - b), n = is => list.filter(e => e.decision === is).length;
  const tile = (value, label, is) => node(is === undefined ? 'div' : 'button', { type: is === undefined ? false : 'button', class: 'tile ' + (is || '') + (value === 0 ? ' zero' : ''), click: is === undefined ? undefined : () => go({ view: 'events', is }) }, node('b', null, String(value)), node('span', null, label));
  return node('div', { class: 'tiles' }, tile(list.length, t.sumEvents + ' ' + t.inSessions(sessions.length), ''), tile(n('block'), t.sumBlocked, 'block'), tile(n('ask'), t.sumAsked, 'ask'),
    tile(list.filter(e => e.all.some(h => bad.includes(h.result))).length, t.sumFailed, 'trouble'), tile(times.length ? spent(times[times.length >> 1]) : '–', t.sumTime));
}

function sessionRow(s) {
  const day = s.last.when ? s.last.when.day + ' ' : '', span = s.first.when && s.last.when ? s.last.when.at - s.first.when.at : 0;
  const strip = node('span', { class: 'strip', 'aria-hidden': 'true' });
  const part = Math.max(1, Math.ceil(s.events.length / 60));
  for (let i = s.events.length; i > 0; i -= part) {
    const some = s.events.slice(Math.max(0, i - part), i);
    strip.append(node('i', { class: ['block', 'ask', 'trouble'].find(k => some.some(e => e.is === k)) || 'plain' }));
  }
  return node('li', { class: 'card' }, node('div', null,
    node('h3', null, node('button', { type: 'button', class: 'open', 'data-key': s.key, click: () => go({ view: 'events', session: s.id, q: '', is: '' }) }, [...s.agents].map(name).join(', ') || t.spec), node('small', null, s.last.when ? day + s.last.when.time : '')),
    strip,
    node('div', { class: 'meta' }, node('span', null, t.count(s.events.length)), s.block ? node('span', { class: 'verdict block' }, s.block + ' ' + t.block) : '', s.ask ? node('span', { class: 'verdict ask' }, s.ask + ' ' + t.ask) : '', s.trouble ? node('span', { class: 'verdict trouble' }, s.trouble + ' ' + t.trouble) : '',
      span > 999 ? note(t.lasted + ' ' + spent(span)) : '', ...[...s.projects].map(p => node('span', null, marked(p))), node('code', null, s.id ? marked(s.id) : t.noSession))));
}
function sessionList(main) {
  if (!list.length) return 0;
  if (!terms.length) main.append(summary());
  const some = sessions.filter(s => fits(s) || terms.length && s.events.some(fits)), cards = node('ol', { class: 'cards' });
  main.append(node('h2', null, t.sessions, node('small', null, String(some.length))), cards);
  grow(main, some, s => cards.append(sessionRow(s)));
  if (data.cut) main.append(node('p', { class: 'dim' }, t.cut(data.events.length, '-n all')));
  return some.length;
}
function events(main) {
  const some = list.filter(wanted), per = new Map();
  for (const e of some) { const d = e.when ? e.when.day : ''; per.set(d, (per.get(d) || 0) + 1); }
  let day = null, rows;
  grow(main, some, e => {
    const d = e.when ? e.when.day : '';
    if (d !== day) {
      day = d; rows = node('ol', { class: 'events' });
      main.append(node('h2', null, d || t.noDate, node('small', null, t.count(per.get(d)))), rows);
    }
    rows.append(eventRow(e, state.session !== null));
  });
  if (data.cut && some.length) main.append(node('p', { class: 'dim' }, t.cut(data.events.length, '-n all')));
  return some.length;
}
function filters(box) {
  if (state.view !== 'events') return;
  if (state.session !== null) box.append(node('button', { type: 'button', class: 'toggle', 'aria-pressed': 'true', click: () => go({ session: null }) }, t.only(t.session + ' ' + (state.session ? clip(state.session) : t.noSession)) + ' ✕'));
  for (const [is, label] of [['block', t.block], ['ask', t.ask], ['allow', t.allow], ['trouble', t.onlyTrouble], ['changed', t.onlyChanged]]) {
    if (state.is !== is && !list.some(e => is === 'trouble' ? e.trouble : is === 'changed' ? e.changed : e.decision === is)) continue;
    box.append(node('button', { type: 'button', class: 'toggle verdict ' + is, 'aria-pressed': String(state.is === is), click: () => go({ is: state.is === is ? '' : is }) }, label));
  }
  box.append(node('span', { class: 'count', role: 'status' }, t.shown(list.filter(wanted).length, list.length)));
}
show({
  words, filters, views: { sessions: sessionList, events },
  counts: () => ({ sessions: sessions.length, events: list.length }),
  read: p => ({ session: p.get('session'), is: ['block', 'ask', 'allow', 'trouble', 'changed'].includes(p.get('is')) ? p.get('is') : '' }),
  write: (s, p) => { if (s.session !== null) p.set('session', s.session); if (s.is) p.set('is', s.is); },
  fresh: { session: null, is: '' }, filtered: () => state.q || state.is || state.session !== null,
  // add takes events that came while the page was open, the newest first.
  add: more => { const have = new Set(data.events.map(e => e.id)); data.events.unshift(...more.filter(e => !have.has(e.id))); prepare(); },
  news: n => t.fresh ? t.fresh(n) : String(n),
});
