// The page is served: what changes is told by the server, and what a person does goes
// there. An error that is away says that nobody answered.
async function ask(where, what) {
  let r;
  try { r = await fetch(where, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(what), cache: 'no-store' }); } catch (e) { lost(); throw Object.assign(new Error(away()), { away: true }); }
  if (!(r.headers.get('Content-Type') || '').startsWith('application/json')) throw new Error(r.status + ' ' + r.statusText);
  const said = await r.json();
  if (said.part) put(said.part, true);
  return said;
}
const decide = what => ask('decide', what);
const livewords = {
  en: { on: 'live', off: 'not connected', over: 'agents-hooks ui has ended', fresh: n => n === 1 ? 'show 1 new event' : 'show ' + n + ' new events', away: 'agents-hooks ui does not answer; it was stopped, or killed. What you see is how things stood last, and what you typed is still here: copy it before you close this page.', again: dir => 'Start it again in a terminal, and open the new address that it prints: “agents-hooks ui --dir ' + dir + '”' },
  zh: { on: '实时', off: '未连接', over: 'agents-hooks ui 已结束', fresh: n => '显示 ' + n + ' 个新事件', away: 'agents-hooks ui 没有应答：它已停止或被终止。你看到的是最后的状态，你输入的内容还在这里：关闭此页面前请先复制。', again: dir => '请在终端中重新启动，并打开它给出的新地址：“agents-hooks ui --dir ' + dir + '”' },
};
let stream, told = 'off', held = [], lastID = '', losing;
function tell(is) {
  told = is || told;
  const box = $('live'), w = livewords[state.lang];
  box.className = told === 'on' ? 'on' : 'off';
  box.replaceChildren(held.length ? node('button', { type: 'button', click: release }, w.fresh(held.length)) : w[told]);
}
// lost says that nobody answers, and what to do; found takes it back.
const away = () => livewords[state.lang].away;
function lost() {
  found();
  const w = livewords[state.lang];
  $('main').before(node('div', { id: 'lost', role: 'alert' }, node('p', null, w.away), node('p', null, ...spoken(w.again(quoted(all.dir))))));
}
function found() {
  clearTimeout(losing); losing = 0;
  const box = $('lost');
  if (box) box.remove();
}
const quoted = dir => /^[\w~.,/:@%+-]+$/.test(dir) ? dir : "'" + dir.replace(/'/g, "'\\''") + "'";
const quiet = () => scrollY < 80 && !document.querySelector('details[open]') && !String(getSelection());
function release() { const some = held; held = []; add(some); render(); scrollTo(0, 0); tell(); }
function add(events) {
  const part = all.parts[0];
  opened.get(part.name + ' 0') ? opened.get(part.name + ' 0').add(events) : part.docs[0].events.unshift(...events);
}
// put has another state of a part. One that can be renewed keeps what a person has
// unfolded and ticked; one in which somebody types holds still until they are done.
function put(part, still) {
  const old = all.parts.find(p => p.name === part.name);
  if (!old) return;
  const { docs, ...rest } = part, page = opened.get(part.name + ' 0');
  Object.assign(old, rest);
  if (page && page.renew && old.docs[0] && docs[0]) { Object.assign(old.docs[0], docs[0]); page.renew(); } else {
    old.docs = docs;
    for (const k of [...opened.keys()]) if (k.startsWith(part.name + ' ')) opened.delete(k);
  }
  if (still || chosen === old && own.hold && own.hold()) return;
  const y = scrollY;
  render(); tell();
  if (chosen === old) scrollTo(0, y);
}
function listen() {
  if (stream) stream.close();
  stream = new EventSource('live?after=' + encodeURIComponent(lastID));
  stream.onopen = () => { found(); tell('on'); };
  stream.onerror = () => { tell('off'); losing = losing || setTimeout(() => { if (told !== 'on' && document.visibilityState === 'visible') lost(); }, 2000); };
  stream.addEventListener('over', () => { stream.close(); tell('over'); lost(); });
  stream.addEventListener('events', e => {
    lastID = e.lastEventId;
    held.unshift(...JSON.parse(e.data).reverse());
    if (quiet()) { const some = held; held = []; add(some); if (chosen.name === 'activity' || chosen.name === 'hooks') render(); }
    tell();
  });
  stream.addEventListener('part', e => put(JSON.parse(e.data)));
}
// A page that nobody sees listens to nothing: browsers have six connections for all.
addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') listen(); else { stream.close(); tell('off'); } });
addEventListener('hashchange', () => {
  tell();
  const said = $('said');
  if (said && chosen.name !== 'memory') said.remove();
});
// Whoever closes a page with what they have not saved is asked first.
addEventListener('beforeunload', e => { if (all.drafts && [...all.drafts.values()].some(d => Object.keys(d.form).some(k => d.form[k] !== d.was[k]))) e.preventDefault(); });
lastID = all.after || '';
setTimeout(() => { tell('off'); listen(); });
