const words = {
  en: {
    agents: 'Agents', machine: 'Machine', search: 'Search  ( / )', other: '中文', more: 'show more', noHit: 'Nothing fits.', nothing: 'No agent was found on this machine.', begin: '“agents-hooks agents” lists those that it knows and where each is looked for, “agents-hooks demo” needs none.',
    guards: 'Do guards hold?', found: 'Agents on this machine', here: 'The program, its folders, hooks and settings', holds: 'guards hold', holdsNot: 'guards do not hold', todo: 'To do', ok: 'in order', off: 'not there', warn: 'look at this', error: 'does not work', trouble: n => n === 1 ? '1 thing to look at' : n + ' things to look at', onlyTrouble: 'to look at', shown: (n, all) => n === all ? String(n) : n + ' of ' + all,
    probe: '“agents-hooks doctor --probe” starts each entry once as its agent would.', foot: (dir, at) => 'What agents-hooks doctor says in ' + dir + ', as on ' + at + '.',
  },
  zh: {
    agents: '智能体', machine: '本机', search: '搜索（按 /）', other: 'English', more: '显示更多', noHit: '没有符合条件的内容。', nothing: '在本机上没有找到智能体。', begin: '“agents-hooks agents” 列出已知的智能体及其查找位置，“agents-hooks demo” 不需要智能体。',
    guards: '守卫有效吗？', found: '本机上的智能体', here: '程序、目录、钩子和设置', holds: '守卫有效', holdsNot: '守卫无效', todo: '要做的事', ok: '正常', off: '没有', warn: '需要留意', error: '不工作', trouble: n => n + ' 处需要留意', onlyTrouble: '需要留意', shown: (n, all) => n === all ? String(n) : n + ' / ' + all,
    probe: '“agents-hooks doctor --probe” 像智能体那样把每个条目启动一次。', foot: (dir, at) => 'agents-hooks doctor 对 ' + dir + ' 的检查结果，截至 ' + at + '。',
  },
};
const tone = { ok: 'allow', warn: 'ask', error: 'block', off: 'plain' };
const texts = c => [c.id, c.status, c.message, c.fix].join('\n');
const prepare = () => {
  for (const c of data.machine) c.found = fold(texts(c));
  for (const a of data.agents) a.found = fold([a.id, a.name, a.why, ...a.checks.map(texts)].join('\n'));
};
prepare();
const verdict = (is, said) => node('span', { class: 'verdict ' + is }, node('b', { 'aria-hidden': 'true' }, { allow: '✓', ask: '!', block: '✕', plain: '–' }[is]), ' ', said);
const fix = c => c.fix ? node('p', { class: 'fix' }, node('span', { class: 'dim' }, t.todo + ': '), node('code', null, c.fix)) : '';
const row = c => node('li', { class: 'run ' + tone[c.status] }, node('div', { class: 'head' }, node('b', null, marked(c.id)), verdict(tone[c.status], t[c.status])), node('p', { class: 'text' }, marked(c.message)), fix(c));
const bad = c => c.status === 'warn' || c.status === 'error';
const todo = a => a.checks.filter(bad).length;
const openOnes = new Set();
function agentRow(a) {
  const is = a.holds ? 'allow' : 'block';
  const box = node('details', { class: 'hook ' + (a.holds ? '' : 'ask'), 'data-key': a.id, open: openOnes.has(a.id) },
    node('summary', null, node('span', { class: 'place', 'aria-hidden': 'true' }, a.holds ? '✓' : '–'),
      node('span', { class: 'what' }, node('b', null, marked(a.name)), node('span', { class: 'verdict ' + is }, a.holds ? t.holds : t.holdsNot)),
      node('span', { class: 'figures dim' }, todo(a) ? t.trouble(todo(a)) : ''), a.why ? node('span', { class: 'why' }, marked(a.why)) : ''));
  const fill = () => { if (box.open && box.childElementCount === 1) box.append(node('div', { class: 'detail' }, node('ol', { class: 'runs' }, ...a.checks.map(row)))); };
  box.addEventListener('toggle', () => { if (box.open) openOnes.add(a.id); else openOnes.delete(a.id); fill(); });
  fill();
  return node('li', null, box);
}
function first(main) {
  if (!data.guards.message || terms.length) return;
  main.append(node('h2', null, t.guards), node('div', { class: 'card ' + tone[data.guards.status] }, node('div', null, node('p', null, verdict(tone[data.guards.status], ''), data.guards.message + '.'), fix(data.guards))));
}
const wanted = c => (!state.bad || (c.checks ? !c.holds || todo(c) : bad(c))) && fits(c);
function agents(main) {
  first(main);
  const some = data.agents.filter(wanted);
  if (some.length) main.append(node('h2', null, t.found), node('ol', { class: 'events' }, ...some.map(agentRow)), node('p', { class: 'dim' }, ...spoken(t.probe)));
  return some.length;
}
function machine(main) {
  const some = data.machine.filter(wanted);
  if (some.length) main.append(node('h2', null, t.here), node('ol', { class: 'runs' }, ...some.map(row)));
  return some.length;
}
function filters(box) {
  const list = data[state.view], n = list.filter(c => c.checks ? !c.holds || todo(c) : bad(c)).length;
  if (n || state.bad) box.append(node('button', { type: 'button', class: 'toggle verdict ask', 'aria-pressed': String(!!state.bad), click: () => go({ bad: !state.bad }) }, t.onlyTrouble + ' ' + n));
  if (list.length) box.append(node('span', { class: 'count', role: 'status' }, t.shown(list.filter(wanted).length, list.length)));
}
show({
  words, filters, views: { agents, machine }, counts: () => ({ agents: data.agents.length, machine: data.machine.length }),
  read: p => ({ bad: p.get('bad') === '1' }), write: (s, p) => { if (s.bad) p.set('bad', '1'); }, fresh: { bad: false }, filtered: () => state.q || state.bad, renew: prepare,
});
