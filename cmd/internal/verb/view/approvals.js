const words = {
  en: {
    approvals: 'Approvals', search: 'Search  ( / )', other: '中文', more: 'show more', noHit: 'Nothing fits.', nothing: 'Nothing in this project needs an approval.', begin: 'Hooks, settings and skills that come with a project run only once you have looked at them. They will be listed here.',
    waiting: 'Waiting for you', nos: 'You said no', others: 'Looked at', new: 'new', changed: 'changed', trusted: 'approved', gone: 'gone', refused: 'cannot be approved', declined: at => 'you said no to exactly this on ' + at, approvedOn: at => 'approved on ' + at,
    approve: 'Approve', refuse: 'Refuse', lead: 'What comes with a repository is somebody else’s program. It runs only as you have approved it; any other byte needs a new approval.', unseen: (path, n, why) => path + ' is not shown (' + n + ' bytes, ' + why + '). Approve it unseen.', seeAll: 'Look at all of it first: there is more to unfold.', tick: 'Say first that you take these files unseen.',
    inTerminal: 'To approve it, in a terminal of your own:', sure: name => 'Approve ' + name + ' as shown?', yes: 'Yes, approve', no: 'Not now', what: 'What you would approve', sinceThen: 'What changed since you approved it', done: name => name + ' is approved.', said: name => name + ' is refused; it does not run.', failed: why => 'Nothing was changed, because ' + why, readonly: why => 'Nothing can be approved here, because ' + why,
    foot: (dir, at) => 'What of ' + dir + ' needs your approval, as on ' + at + '.',
  },
  zh: {
    approvals: '批准', search: '搜索（按 /）', other: 'English', more: '显示更多', noHit: '没有符合条件的内容。', nothing: '此项目中没有需要批准的内容。', begin: '随项目而来的钩子、设置和技能，只有在你看过之后才会运行。它们会列在这里。',
    waiting: '等待你的决定', nos: '你已拒绝', others: '已看过', new: '新', changed: '已更改', trusted: '已批准', gone: '已不存在', refused: '无法批准', declined: at => '你在 ' + at + ' 拒绝了完全相同的内容', approvedOn: at => '批准于 ' + at,
    approve: '批准', refuse: '拒绝', lead: '随仓库而来的是别人的程序。它只按你批准的样子运行；任何一个字节不同都需要重新批准。', unseen: (path, n, why) => path + ' 未显示：' + n + ' 字节，' + why + '。不看就批准。', seeAll: '请先看完全部内容：还有未展开的部分。', tick: '请先确认不看就接受这些文件。',
    inTerminal: '要批准，请在你自己的终端中运行：', sure: name => '按所示内容批准 ' + name + '？', yes: '是，批准', no: '暂不', what: '你将批准的内容', sinceThen: '自你批准以来的更改', done: name => name + ' 已批准。', said: name => name + ' 已拒绝，不会运行。', failed: why => '没有任何更改，原因：' + why, readonly: why => '这里无法批准：' + why,
    foot: (dir, at) => dir + ' 中需要你批准的内容，截至 ' + at + '。',
  },
};
const tone = { new: 'ask', changed: 'ask', trusted: 'allow', gone: 'plain', refused: 'block' };
const waits = i => i.state === 'new' || i.state === 'changed';
const prepare = () => { for (const i of data.items) i.found = fold([i.name, i.title, i.state, i.path, i.diff, ...i.notes].join('\n')); };
prepare();

// What a person has unfolded and ticked, by what it was of: a page that is made anew
// does not forget it, and other bytes do not inherit it.
const seenAll = new Set(), ticked = new Set();
let message = null, asking = null;
const key = i => i.project + '\n' + i.name + '\n' + i.hash;

async function answer(i, what) {
  asking = null;
  try {
    const r = await decide({ project: i.project_path, name: i.name, hash: i.hash, answer: what, unseen: i.unseen.map(u => u.path) });
    message = r.error ? [true, t.failed(r.error)] : [false, what === 'approve' ? t.done(i.name) : t.said(i.name)];
  } catch (e) { message = [true, t.failed(String(e.message || e))]; }
  render();
  const m = document.querySelector('.told');
  if (m) m.focus();
}
function buttons(i) {
  const box = node('div', { class: 'decide' });
  if (!data.live) return node('div', { class: 'decide' }, node('p', { class: 'dim' }, t.inTerminal), node('code', null, i.command));
  if (!data.may) return node('div', { class: 'decide' }, node('p', { class: 'dim' }, t.readonly(data.why)));
  const hint = node('p', { class: 'dim', role: 'status' });
  const refuse = i.declined ? '' : node('button', { type: 'button', class: 'no', click: () => answer(i, 'refuse') }, t.refuse);
  const ready = () => !i.diff || seenAll.has(key(i));
  if (asking === key(i)) {
    const yes = node('button', { type: 'button', class: 'yes', click: () => answer(i, 'approve') }, t.yes);
    box.append(node('p', null, t.sure(i.name)), yes, node('button', { type: 'button', class: 'no', click: () => { asking = null; render(); } }, t.no));
    requestAnimationFrame(() => yes.focus());
    return box;
  }
  const approve = node('button', { type: 'button', class: 'yes', click: () => {
    if (!ready()) hint.textContent = t.seeAll;
    else if (i.unseen.some(u => !ticked.has(key(i) + u.path))) hint.textContent = t.tick;
    else { asking = key(i); render(); }
  } }, t.approve);
  for (const u of i.unseen) {
    const tick = node('input', { type: 'checkbox', checked: ticked.has(key(i) + u.path) });
    tick.addEventListener('change', () => tick.checked ? ticked.add(key(i) + u.path) : ticked.delete(key(i) + u.path));
    box.append(node('label', { class: 'unseen' }, tick, ' ', t.unseen(u.path, u.size, u.why)));
  }
  box.append(approve, refuse, hint);
  return box;
}
function card(i) {
  const at = local(i.declined);
  return node('li', { class: 'card approval ' + tone[i.state], 'data-key': key(i) }, node('div', null,
    node('h3', null, node('span', null, marked(i.title)), node('span', { class: 'verdict ' + tone[i.state] }, t[i.state])),
    i.problem ? node('p', { class: 'verdict block' }, i.problem) : '', at ? node('p', { class: 'warn' }, t.declined(at.day + ' ' + at.time)) : '',
    i.notes.length ? node('ul', { class: 'notes' }, ...i.notes.map(n => node('li', null, marked(n)))) : '',
    i.diff ? node('div', null, node('h4', null, i.state === 'changed' ? t.sinceThen : t.what), diffed(i.diff, (i.state === 'changed' ? t.sinceThen : t.what) + ': ' + i.name, () => seenAll.add(key(i)))) : '',
    waits(i) ? buttons(i) : '', node('div', { class: 'meta' }, i.approved ? node('span', null, t.approvedOn(i.approved)) : '', node('code', null, i.path))));
}
function approvals(main) {
  if (message) main.append(node('p', { class: 'told ' + (message[0] ? 'block' : 'allow'), role: message[0] ? 'alert' : 'status', tabindex: '-1' }, message[1]));
  const some = data.items.filter(fits), now = some.filter(i => waits(i) && !i.declined), no = some.filter(i => waits(i) && i.declined), rest = some.filter(i => !waits(i));
  if (now.length) main.append(node('h2', null, t.waiting, node('small', null, String(now.length))), node('p', { class: 'dim' }, t.lead), node('ol', { class: 'cards' }, ...now.map(card)));
  if (no.length) main.append(node('h2', null, t.nos, node('small', null, String(no.length))), node('ol', { class: 'cards' }, ...no.map(card)));
  if (rest.length) main.append(node('h2', null, t.others, node('small', null, String(rest.length))), node('ol', { class: 'cards' }, ...rest.map(card)));
  return some.length;
}
show({ words, views: { approvals }, counts: () => ({}), read: () => ({}), write: () => {}, fresh: {}, filters: () => {}, filtered: () => !!state.q, renew: prepare });
