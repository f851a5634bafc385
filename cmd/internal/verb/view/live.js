// The page is served: what changes is told by the server, and a decision goes there.
async function decide(what) {
  const r = await fetch('decide', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(what), cache: 'no-store' });
  if (!(r.headers.get('Content-Type') || '').startsWith('application/json')) throw new Error(r.status + ' ' + r.statusText);
  const said = await r.json();
  if (said.part) put(said.part, true);
  return said;
}
const livewords = {
  en: { on: 'live', off: 'not connected', over: 'agents-hooks ui has ended', fresh: n => n === 1 ? 'show 1 new event' : 'show ' + n + ' new events' },
  zh: { on: '实时', off: '未连接', over: 'agents-hooks ui 已结束', fresh: n => '显示 ' + n + ' 个新事件' },
};
let stream, told = 'off', held = [], lastID = '';
function tell(is) {
  told = is || told;
  const box = $('live'), w = livewords[state.lang];
  box.className = told === 'on' ? 'on' : 'off';
  box.replaceChildren(held.length ? node('button', { type: 'button', click: release }, w.fresh(held.length)) : w[told]);
}
const quiet = () => scrollY < 80 && !document.querySelector('details[open]') && !String(getSelection());
function release() { const some = held; held = []; add(some); render(); scrollTo(0, 0); tell(); }
function add(events) {
  const part = all.parts[0];
  opened.get(part.name + ' 0') ? opened.get(part.name + ' 0').add(events) : part.docs[0].events.unshift(...events);
}
// put has another state of a part. One that can be renewed keeps what a person has
// unfolded and ticked.
function put(part, still) {
  const old = all.parts.find(p => p.name === part.name);
  if (!old) return;
  const { docs, ...rest } = part, page = opened.get(part.name + ' 0');
  Object.assign(old, rest);
  if (page && page.renew && old.docs[0] && docs[0]) { Object.assign(old.docs[0], docs[0]); page.renew(); } else {
    old.docs = docs;
    for (const k of [...opened.keys()]) if (k.startsWith(part.name + ' ')) opened.delete(k);
  }
  if (still) return;
  const y = scrollY;
  render(); tell();
  if (chosen === old) scrollTo(0, y);
}
function listen() {
  if (stream) stream.close();
  stream = new EventSource('live?after=' + encodeURIComponent(lastID));
  stream.onopen = () => tell('on');
  stream.onerror = () => tell('off');
  stream.addEventListener('over', () => { stream.close(); tell('over'); });
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
addEventListener('hashchange', () => tell());
lastID = all.after || '';
setTimeout(() => { tell('off'); listen(); });
