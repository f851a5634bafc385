const words = {
  en: {
    hooks: 'Hooks', search: 'Search  ( / )', other: '中文', more: 'show more', noHit: 'Nothing fits.', nothing: 'No hook counts here.', begin: '“agents-hooks new NAME” writes one, “agents-hooks enable memory” switches a built-in behaviour on.',
    ready: 'runs', untrusted: 'not approved', refused: 'refused', disabled: 'off', overridden: 'replaced', broken: 'broken', foreign: 'not ours', noEvent: 'No event', order: n => 'number ' + n + ' in its order',
    whyReady: 'It runs at each such event that its matcher fits.', whyUntrusted: 'It came with the project and nobody has approved it as it is now, so it does not run.', whyRefused: at => 'You refused it as it is now, on ' + at + ', so it does not run, and no event tells of it. Another byte of it is asked about anew.', whyDisabled: by => by ? 'Switched off by ' + by + '.' : 'Nobody has switched it on.', whyOverridden: by => 'Another hook of this name stands in its place' + (by ? ': ' + by : '') + '.', whyBroken: 'It cannot run until this is mended.', whyForeign: 'A hook of another program; it is not run.',
    layer: { builtin: 'built-in', system: 'system', user: 'yours', project: 'project' }, when: 'When', tool: 'tool', any: 'each', limit: 'Time limit', place: 'Where', runs: 'Runs', async: 'nobody waits for it', mayAllow: 'may permit in your place', speaks: 'speaks', held: 'Lock', sandbox: 'Sandbox', fix: 'fix', problems: 'Problems', priority: 'Priority',
    ran: (n, b, f) => n + (n === 1 ? ' run' : ' runs') + ', ' + b + ' blocked, ' + f + ' failed', never: 'never ran in this log', inLog: 'In the log', median: ms => 'median ' + ms, last: 'last', seconds: n => n + ' s', shown: (n, all) => n === all ? n + (n === 1 ? ' hook' : ' hooks') : n + ' of ' + all + ' hooks',
    about: {
      'pre-session': 'a session begins', 'post-session': 'a session is over', 'pre-agent-turn': 'a person has sent a prompt; can block it', 'post-agent-turn': 'the agent has answered', 'pre-agent-turn-stop': 'the agent wants to stop; can make it go on', 'post-agent-turn-stop': 'the agent has stopped',
      'pre-tool-call': 'the agent wants to use a tool; can block, ask, change it', 'post-tool-call': 'a tool was used', 'post-tool-call-failure': 'a tool failed', 'pre-subagent': 'a subagent begins', 'post-subagent': 'a subagent is done', 'pre-context-compact': 'the conversation is about to be shortened', 'post-context-compact': 'the conversation was shortened', 'permission-request': 'the agent is about to ask for a permission', notification: 'the agent wants the person',
    },
    problemsHere: 'Of the settings here',
    foot: (dir, at) => 'The hooks that count in ' + dir + ', as on ' + at + '.',
  },
  zh: {
    hooks: '钩子', search: '搜索（按 /）', other: 'English', more: '显示更多', noHit: '没有符合条件的内容。', nothing: '这里没有生效的钩子。', begin: '“agents-hooks new NAME” 新建一个，“agents-hooks enable memory” 启用一个内置功能。',
    ready: '运行', untrusted: '未批准', refused: '已拒绝', disabled: '已关闭', overridden: '已被取代', broken: '有错误', foreign: '非本程序', noEvent: '没有事件', order: n => '顺序第 ' + n,
    whyReady: '每当出现与其匹配条件相符的此类事件时运行。', whyUntrusted: '它随项目而来，还没有人批准它现在的内容，因此不运行。', whyRefused: at => '你已于 ' + at + ' 拒绝它现在的内容，因此不运行，事件也不再提示；内容再有变化时会重新询问。', whyDisabled: by => by ? '被 ' + by + ' 关闭。' : '还没有人启用它。', whyOverridden: by => '另一个同名钩子取代了它' + (by ? '：' + by : '') + '。', whyBroken: '修复之前无法运行。', whyForeign: '属于另一个程序的钩子，不会运行。',
    layer: { builtin: '内置', system: '系统', user: '你的', project: '项目' }, when: '时机', tool: '工具', any: '每次', limit: '时限', place: '位置', runs: '运行', async: '不等待其结束', mayAllow: '可以代你允许', speaks: '协议', held: '锁定', sandbox: '沙箱', fix: '修复', problems: '问题', priority: '优先级',
    ran: (n, b, f) => '运行 ' + n + ' 次，阻止 ' + b + ' 次，失败 ' + f + ' 次', never: '在此日志中从未运行', inLog: '日志中', median: ms => '中位数 ' + ms, last: '最近', seconds: n => n + ' 秒', shown: (n, all) => n === all ? n + ' 个钩子' : n + ' / ' + all + ' 个钩子',
    about: {
      'pre-session': '会话开始', 'post-session': '会话结束', 'pre-agent-turn': '用户发出了提示；可以阻止', 'post-agent-turn': '智能体已回答', 'pre-agent-turn-stop': '智能体想要停止；可以让它继续', 'post-agent-turn-stop': '智能体已停止',
      'pre-tool-call': '智能体想使用工具；可以阻止、询问、修改', 'post-tool-call': '工具已使用', 'post-tool-call-failure': '工具失败', 'pre-subagent': '子智能体开始', 'post-subagent': '子智能体完成', 'pre-context-compact': '对话即将压缩', 'post-context-compact': '对话已压缩', 'permission-request': '智能体将要请求许可', notification: '智能体需要用户',
    },
    problemsHere: '这里的设置',
    foot: (dir, at) => '在 ' + dir + ' 生效的钩子，截至 ' + at + '。',
  },
};
const statuses = ['ready', 'untrusted', 'broken', 'disabled', 'overridden', 'foreign'];
const tone = { ready: 'allow', untrusted: 'ask', broken: 'block', disabled: 'plain', overridden: 'plain', foreign: 'plain' };
const prepare = () => { for (const h of data.hooks) h.found = fold([h.name, h.description, h.trigger, h.layer, h.dir, h.matcher.tool, h.matcher.pattern, h.matcher.command, h.matcher.path, h.matcher.content].join('\n')); };
prepare();

// figures are what the log says of a hook.
const bad = ['failed', 'timeout', 'not_started', 'bad_output'];
function figures() {
  const per = new Map(), activity = all.parts.find(p => p.name === 'activity');
  for (const e of activity && activity.docs[0] ? activity.docs[0].events : []) {
    for (const h of e.hooks || []) {
      const f = per.get(h.layer + ' ' + h.name) || { n: 0, block: 0, fail: 0, times: [], last: e.time };
      per.set(h.layer + ' ' + h.name, f);
      f.n++; if (h.result === 'block') f.block++; if (bad.includes(h.result)) f.fail++;
      if (h.ms !== undefined) f.times.push(h.ms);
    }
  }
  for (const f of per.values()) f.median = f.times.sort((a, b) => a - b)[f.times.length >> 1];
  return per;
}
const spent = ms => ms < 10 ? ms.toFixed(1) + ' ms' : ms < 10000 ? Math.round(ms) + ' ms' : (ms / 1000).toFixed(1) + ' s';

function why(h) {
  switch (h.status) {
    case 'ready': return t.whyReady;
    case 'untrusted': return h.refused ? t.whyRefused(h.refused) : t.whyUntrusted;
    case 'disabled': return t.whyDisabled(h.disabled_by);
    case 'overridden': return t.whyOverridden(h.overridden_by);
    case 'broken': return t.whyBroken;
  }
  return t.whyForeign;
}
const openOnes = new Set();
function hookRow(h, f) {
  const key = h.layer + ' ' + h.dir + ' ' + h.name, at = local(f && f.last);
  const match = Object.entries(h.matcher).filter(([, v]) => v);
  const row = node('details', { class: 'hook ' + tone[h.status], 'data-key': key, open: openOnes.has(key) },
    node('summary', null, node('span', { class: 'place', 'aria-hidden': 'true' }, h.place ? String(h.place) : '–'),
      node('span', { class: 'what' }, node('b', null, marked(h.name)), node('span', { class: 'verdict ' + (h.refused ? 'plain' : tone[h.status]) }, h.refused ? t.refused : t[h.status]), node('span', { class: 'dim' }, t.layer[h.layer] || h.layer), ...match.map(([k, v]) => node('code', null, (k === 'tool' ? '' : k + ' ') + v)), h.problems.length && h.status === 'ready' ? node('span', { class: 'verdict trouble' }, '! ' + h.problems.length) : ''),
      node('span', { class: 'why' }, marked(h.description || why(h))), node('span', { class: 'figures dim' }, f ? t.ran(f.n, f.block, f.fail) : h.status === 'ready' ? t.never : '')));
  const fill = () => {
    if (!row.open || row.childElementCount > 1) return;
    const facts = node('dl', { class: 'facts' }), fact = (k, ...v) => facts.append(node('div', null, node('dt', null, k), node('dd', null, ...v)));
    fact(t.when, h.trigger, ...match.map(([k, v]) => node('span', null, ' · ' + (k === 'tool' ? t.tool : k) + ' ', node('code', null, v))), h.place ? ' · ' + t.order(h.place) : '');
    fact(t.priority, String(h.priority));
    fact(t.limit, t.seconds(h.timeout_ms / 1000), h.async ? ' · ' + t.async : '');
    if (h.dir) fact(t.place, node('code', null, h.dir));
    if (h.runs) fact(t.runs, node('code', null, h.runs));
    if (h.dialect) fact(t.speaks, h.dialect);
    if (h.may_allow) fact('', t.mayAllow);
    if (h.held) fact(t.held, h.held_text);
    if (h.sandbox) fact(t.sandbox, h.sandbox.may);
    if (f) fact(t.inLog, t.ran(f.n, f.block, f.fail), f.median === undefined ? '' : ' · ' + t.median(spent(f.median)), at ? ' · ' + t.last + ' ' + at.day + ' ' + at.time : '');
    row.append(node('div', { class: 'detail' }, node('p', null, why(h)),
      ...(h.status === 'untrusted' && all.parts.some(p => p.name === 'approvals') ? [node('p', null, node('button', { type: 'button', class: 'chip', click: () => go({ part: 'approvals', doc: 0, q: h.name }) }, '→ ' + all.parts.find(p => p.name === 'approvals')[state.lang]))] : []),
      h.problems.length ? node('ul', { class: 'problems' }, ...h.problems.map(p => node('li', null, p))) : '', facts));
  };
  row.addEventListener('toggle', () => { if (row.open) openOnes.add(key); else openOnes.delete(key); fill(); });
  fill();
  return node('li', null, row);
}

const wanted = h => (!state.status || h.status === state.status) && fits(h);
function hooks(main) {
  if (data.problems.length && !terms.length) main.append(node('h2', null, t.problemsHere), node('ul', { class: 'problems' }, ...data.problems.map(p => node('li', null, p))));
  const per = figures(), some = data.hooks.filter(wanted);
  let event = null, rows;
  for (const h of some) {
    if (h.trigger !== event) {
      event = h.trigger; rows = node('ol', { class: 'events' });
      main.append(node('h2', null, event || t.noEvent, node('small', null, t.about[event] || '')), rows);
    }
    rows.append(hookRow(h, h.status === 'overridden' ? undefined : per.get(h.layer + ' ' + h.name)));
  }
  return some.length;
}
function filters(box) {
  for (const s of statuses) {
    const n = data.hooks.filter(h => h.status === s).length;
    if (n || state.status === s) box.append(node('button', { type: 'button', class: 'toggle verdict ' + tone[s], 'aria-pressed': String(state.status === s), click: () => go({ status: state.status === s ? '' : s }) }, t[s] + ' ' + n));
  }
  box.append(node('span', { class: 'count', role: 'status' }, t.shown(data.hooks.filter(wanted).length, data.hooks.length)));
}
show({
  words, filters, views: { hooks }, counts: () => ({ hooks: data.hooks.length }),
  read: p => ({ status: statuses.includes(p.get('status')) ? p.get('status') : '' }), write: (s, p) => { if (s.status) p.set('status', s.status); },
  fresh: { status: '' }, filtered: () => state.q || state.status, renew: prepare,
});
