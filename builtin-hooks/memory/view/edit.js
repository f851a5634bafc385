// What a person types stays until it is saved or thrown away, however often the page is
// made anew: it is kept beside the page, by memory and fact.
const drafts = all.drafts || (all.drafts = new Map());
const editWords = {
  en: {
    foot: dir => 'The files in ' + dir + ' are the truth: what you change here is changed there.', review: 'To settle', deleted: 'Deleted', edit: 'Edit', remove: 'Delete', merge: 'Merge', mergeWith: 'Merge with this', restore: 'Bring back', save: 'Save', cancel: 'Cancel',
    text: 'Text', type: 'Type', topic: 'Topic', decided: 'Decisions, one a line', open: 'Todos, one a line', ofSession: 'Summary', about: 'About (names, with commas between)', begins: 'Holds from', ends: 'Holds until (last day)', chars: (n, most) => n + ' of ' + most + ' characters',
    tooLong: (n, most) => 'This has ' + n + ' characters; a fact has at most ' + most + '. Nothing is cut off: make it shorter, or make two of it.', empty: 'There is no text. To be rid of a fact, delete it.',
    saved: 'Saved.', savedAs: 'Saved. It was written down like this, without what looks like a secret:', removed: 'Deleted.', restored: 'It is back.', confirmed: 'Noted as still true.', promoted: 'It stands on MEMORY.md now. The page before is kept.', demoted: 'The line is gone from MEMORY.md. The page before is kept.', offPage: 'Take the line off MEMORY.md', inPlace: 'Put this in its place', pageSays: (file, n) => file + ', line ' + n + ', says:', declined: 'It will not be proposed again.', merged: 'One fact stands for the two now.', kept: 'The other one is deleted.', both: 'Both stay.', pageBack: 'The page is back. The one before is kept.', undo: 'Undo', undone: 'Undone.', said: 'What it said before', saidIt: 'It says again what it said before.', isDeleted: 'This version is deleted.', close: 'Close',
    changed: 'Meanwhile somebody changed this. It says now:', deletedNow: 'Meanwhile somebody deleted this. It said:', gone: 'Meanwhile this was removed for good. What you typed is still here.', mine: 'Save mine in its place', theirs: 'Take what is there', backMine: 'Bring it back and save mine', asNew: 'Save mine as a new fact', drop: 'Throw mine away',
    stale: 'Nothing was changed: meanwhile somebody else changed it. This is how it stands now; look, and decide again.', failed: why => 'Nothing was changed, because ' + why + '.', kept2: 'What you typed is still here.',
    readonly: why => 'Nothing can be changed here, because ' + why + '.', waits: n => n === 1 ? '1 fact was not written on this machine: no agent is told of it, and it can be changed once you have let it in.' : n + ' facts were not written on this machine: no agent is told of them, and they can be changed once you have let them in.', toApprovals: 'Look at them',
    unsaved: n => n === 1 ? '1 not saved' : n + ' not saved', picking: text => 'Now choose the fact to merge this one with. This one says “' + text + '”', two: 'Make one of two', third: 'Write a third', thirdText: 'The one text that stands for both', keepThis: 'Keep this one', keepBoth: 'Keep both', stillTrue: 'Still true', toPage: 'Put on MEMORY.md', notThere: 'Not there', holdAgain: 'Let it hold again', holds: 'It holds again, beside what had replaced it.', before: 'Earlier pages', same: 'says what the page says now', bringPage: 'Bring this page back', tooLarge: 'It is too large to be shown here. In a terminal this brings it back, unseen. ', what: 'What would change',
    why: bare({ contradicted: 'Two that do not go together', versions: 'Two versions of one fact', overridden: 'You changed it here, and later on another machine', page: 'MEMORY.md says otherwise', undecided: 'Asked when it was saved: does it replace the other one?', repeated: 'Two that say the same', over: 'Its time is over', abandoned: 'Of a branch that is gone', proven: 'Proven: worth MEMORY.md, which every session begins with', old: 'Old: nobody used it for long', unused: 'Never used' }), used: n => n === 1 ? 'used once' : 'used ' + n + ' times', settled: 'Nothing needs a look.',
  },
  zh: {
    foot: dir => '以 ' + dir + ' 中的文件为准：在这里的更改会写入那里。', review: '待处理', deleted: '已删除', edit: '编辑', remove: '删除', merge: '合并', mergeWith: '与此条合并', restore: '恢复', save: '保存', cancel: '取消',
    text: '内容', type: '类型', topic: '主题', decided: '决策，每行一条', open: '待办，每行一条', ofSession: '会话摘要', about: '涉及（名称，用逗号分隔）', begins: '生效日期', ends: '失效前最后一天', chars: (n, most) => n + ' / ' + most + ' 字',
    tooLong: (n, most) => '内容有 ' + n + ' 字，一条事实最多 ' + most + ' 字。不会被截断：请缩短，或拆成两条。', empty: '内容为空。如果不要这条事实，请删除它。',
    saved: '已保存。', savedAs: '已保存。看似机密的部分已去掉，写入的内容是：', removed: '已删除。', restored: '已恢复。', confirmed: '已确认仍然有效。', promoted: '已写入 MEMORY.md。之前的页面已保留。', demoted: '已从 MEMORY.md 去掉这一行。之前的页面已保留。', offPage: '从 MEMORY.md 去掉这一行', inPlace: '用这条代替', pageSays: (file, n) => file + ' 第 ' + n + ' 行写着：', declined: '不会再建议。', merged: '现在由一条事实代替这两条。', kept: '另一条已删除。', both: '两条都保留。', pageBack: '页面已恢复。之前的页面已保留。', undo: '撤销', undone: '已撤销。', said: '之前的内容', saidIt: '已恢复为之前的内容。', isDeleted: '这个版本已删除。', close: '关闭',
    changed: '此条在此期间被别人修改，现在的内容是：', deletedNow: '此条在此期间被别人删除，原内容是：', gone: '此条在此期间被彻底删除。你输入的内容还在这里。', mine: '用我的内容代替', theirs: '采用现有内容', backMine: '恢复并保存我的内容', asNew: '把我的内容存为新事实', drop: '放弃我的内容',
    stale: '没有任何更改：此期间别人修改了它。下面是现在的样子，请查看后再决定。', failed: why => '没有任何更改，原因：' + why, kept2: '你输入的内容还在这里。',
    readonly: why => '这里无法更改，原因：' + why, waits: n => '有 ' + n + ' 条事实不是在本机写入的：不会告诉任何智能体，经你批准后才能更改。', toApprovals: '查看',
    unsaved: n => n + ' 条未保存', picking: text => '请选择要与这条合并的事实。这条是“' + text + '”', two: '合二为一', third: '另写一条', thirdText: '代替两条的内容', keepThis: '保留此条', keepBoth: '两条都保留', stillTrue: '仍然有效', toPage: '写入 MEMORY.md', notThere: '不写入', holdAgain: '恢复有效', holds: '已恢复有效，与取代它的那条并存。', before: '之前的页面', same: '与现在的页面相同', bringPage: '恢复此页面', tooLarge: '内容太大，无法在此显示。在终端中运行以下命令可不看就恢复。', what: '将发生的更改',
    why: bare({ contradicted: '互相矛盾的两条', versions: '同一事实的两个版本', overridden: '你在本机修改后，又在另一台机器上修改', page: 'MEMORY.md 的说法不同', undecided: '保存时问过、尚未决定：是否取代另一条？', repeated: '内容相同的两条', over: '已过期', abandoned: '所属分支已消失', proven: '已被证明：值得写入每个会话开头的 MEMORY.md', old: '陈旧：很久没有使用', unused: '从未使用' }), used: n => '使用过 ' + n + ' 次', settled: '没有需要处理的内容。',
  },
};
const edits = data.edit, most = 800;
const letters = text => [...text.trim()].length;
const short = text => text.length > 60 ? text.slice(0, 60) + '…' : text;
for (const f of [...edits.deleted, ...edits.findings.flatMap(x => x.other ? [x.fact, x.other] : [x.fact])]) {
  f.when = local(f.time);
  f.found = fold([f.text, f.id, f.session, f.origin, ...f.entities].join('\n'));
}
for (const s of edits.sessions) {
  s.when = local(s.time);
  s.found = fold([s.topic, s.text, s.session, s.id, ...s.decisions, ...s.todos].join('\n'));
}
for (const x of edits.findings) if (x.other) x.fact.both = x.other.both = x.seen;
const spot = id => (edits.user ? '~ ' : '. ') + id;
// now is how a fact stands by what the server last told, whichever page asks.
function now(id) {
  const part = all.parts.find(p => p.name === 'memory'), doc = part && part.docs.find(d => d.edit && d.edit.user === edits.user);
  if (!doc) return null;
  for (const f of doc.facts) if (f.id === id && f.whose !== 'waiting') return f;
  for (const f of doc.edit.deleted) if (f.id === id) return { ...f, gone: true };
  for (const s of doc.sessions) if (id && s.id === id && s.whose !== 'waiting') return asFact(s);
  for (const s of doc.edit.sessions) if (s.id === id) return { ...asFact(s), gone: true };
  for (const x of doc.edit.findings) for (const f of [x.fact, x.other]) if (f && f.id === id && x.why !== 'versions') return f;
  return null;
}
// A summary is kept, met and undone like a fact.
const asFact = s => ({ ...s, body: s.text, text: [s.topic, s.text].filter(Boolean).join('\n'), type: '', entities: [], since: '', until: '' });
const sessionForm = s => ({ topic: s.topic, content: s.body, decisions: s.decisions.join('\n'), todos: s.todos.join('\n') });
const seen = (...facts) => Object.fromEntries(facts.map(f => [f.id, f.mark]));

// send asks for a change, and answers with what became of it.
async function send(what) {
  try { return await ask('memory', { user: edits.user, ...what }); } catch (e) { return { error: e.away ? away() : String(e.message || e), away: e.away }; }
}
const why = r => r.stale ? t.stale : t.failed(r.error);
// done says what was done, at the edge of the window, and how to undo it.
function done(text, undo, more) {
  const old = $('said');
  if (old) old.remove();
  const box = node('div', { id: 'said', role: 'status' }, node('p', null, text), more ? node('p', { class: 'text' }, more) : '');
  if (undo) box.append(node('button', { type: 'button', class: 'yes', click: async () => {
    const r = await send(undo);
    if (r.error) { problem(box, why(r)); return; }
    done(t.undone); render();
  } }, t.undo));
  box.append(node('button', { type: 'button', 'aria-label': t.close, click: () => box.remove() }, '✕'));
  document.body.append(box);
  if (undo) box.querySelector('button').focus({ preventScroll: true });
}
// problem says in its place what did not work.
function problem(box, text) {
  let at = box.querySelector(':scope > .problem');
  if (!at) box.append(at = node('p', { class: 'problem', role: 'alert', tabindex: '-1' }));
  at.textContent = text;
}
// act does something to a fact at a button, and says there what did not work.
async function act(button, what, said, undo) {
  const r = await send(what);
  if (r.error) {
    // What is there now is shown, with the button and what it said, where it still is.
    const key = button.closest('[data-key]'), text = why(r);
    if (r.stale) render();
    const again = r.stale && key && $('main').querySelector('[data-key="' + CSS.escape(key.dataset.key) + '"]');
    if (again || !r.stale) problem((again || key || button.parentNode).querySelector('.acts') || button.parentNode, text); else done(text);
    return;
  }
  render();
  done(said, undo && undo(r));
}
// once does something that nobody does a second time before it is done.
const once = f => { let busy; return async (...about) => { if (busy) return; busy = true; try { await f(...about); } finally { busy = false; } }; };
const button = (label, about, click, kind) => { const does = once(() => click(b)), b = node('button', { type: 'button', class: kind || false, 'aria-label': about ? label + ': ' + short(about) : false, click: does }, label); return b; };

// The dates of a form are days, and the last one belongs to it.
const formOf = f => ({ content: f.text, type: f.type, entities: f.entities.join(', '), since: day(f.since), until: lastDay(f.until) });
function openDraft(f) {
  drafts.set(spot(f.id), { id: f.id, was: formOf(f), form: formOf(f), mark: f.mark, user: edits.user });
  render();
  const area = document.querySelector('[data-draft="' + CSS.escape(spot(f.id)) + '"] textarea');
  if (area) { area.focus(); area.setSelectionRange(area.value.length, area.value.length); }
}
const dirty = d => Object.keys(d.form).some(k => d.form[k] !== d.was[k]);
const leave = id => {
  drafts.delete(spot(id)); render();
  const b = $('main').querySelector('[data-key="' + CSS.escape(id) + '"] .acts button');
  if (b) b.focus();
};

// field is an input with its label, kept in a draft as it is typed.
function field(d, name, label, control) {
  control.value = d.form[name];
  control.addEventListener('input', () => { d.form[name] = control.value; });
  return node('label', { class: name }, node('span', null, label), control);
}
function textField(d, label) {
  const count = node('span', { class: 'chars', 'aria-live': 'off' }), area = node('textarea', { rows: String(Math.min(12, 2 + Math.ceil(d.form.content.length / 80))), spellcheck: 'false' });
  const box = field(d, 'content', label, area), limit = d.most || most, tell = () => { const n = letters(area.value); count.textContent = t.chars(n, limit); count.classList.toggle('over', n > limit); };
  area.addEventListener('input', tell);
  tell();
  return node('div', null, box, count);
}
// typed takes the keys of a form: Ctrl+Enter saves, Escape leaves what nobody changed.
// A key that belongs to what is being composed is not ours.
const typed = (d, save, cancel) => e => {
  if (e.isComposing || e.keyCode === 229) return;
  if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) { e.preventDefault(); save(); }
  if (e.key === 'Escape' && !dirty(d)) { e.preventDefault(); cancel(); }
};
function form(d, label, inner, saved) {
  const save = once(saved);
  const box = node('div', { class: 'form', role: 'group', 'aria-label': label, 'data-draft': d.key || spot(d.id) }, ...inner), cancel = () => d.cancel();
  box.addEventListener('keydown', typed(d, save, cancel));
  box.append(node('div', { class: 'acts' }, button(t.save, '', save, 'yes'), button(t.cancel, '', cancel)));
  if (d.problem) problem(box, d.problem);
  return box;
}
function check(d, box) {
  const n = letters(d.form.content), limit = d.most || most;
  const bad = !n && !(d.form.topic || '').trim() ? t.empty : n > limit ? t.tooLong(n, limit) : '';
  d.problem = bad;
  if (bad) { problem(box, bad); box.querySelector('textarea').focus(); }
  return !bad;
}

function editor(d) {
  d.cancel = () => leave(d.id);
  const types = kinds.filter(k => k !== 'S' || d.was.type === 'S');
  const save = async () => {
    if (!check(d, box)) return;
    const change = Object.fromEntries(Object.keys(d.form).filter(k => d.form[k] !== d.was[k]).map(k => [k, k === 'entities' ? d.form[k].split(/[,，、]/).map(x => x.trim()).filter(Boolean) : d.form[k]]));
    if (!Object.keys(change).length) { d.cancel(); return; }
    const undo = Object.fromEntries(Object.keys(change).map(k => [k, k === 'entities' ? d.was[k].split(',').map(x => x.trim()).filter(Boolean) : d.was[k]]));
    const r = await send({ do: 'edit', ids: [d.id], seen: { [d.id]: d.mark }, ...change });
    if (r.stale) { meet(d, box, true); return; }
    if (r.error) { d.problem = t.failed(r.error) + ' ' + t.kept2; problem(box, d.problem); return; }
    finish(d, change, undo);
  };
  const box = form(d, t.edit + ': ' + short(d.was.content), [textField(d, t.text), node('div', { class: 'row' },
    field(d, 'type', t.type, node('select', null, ...types.map(k => node('option', { value: k }, k + ' ' + t[k])))), field(d, 'since', t.begins, node('input', { type: 'date' })), field(d, 'until', t.ends, node('input', { type: 'date' })),
    field(d, 'entities', t.about, node('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' })))], save);
  d.save = save;
  meet(d, box);
  return box;
}
// finish leaves a form that was saved. What was taken out of it is told.
// A draft of a summary has a field a line for what was decided and what is left to do.
function openSession(s) {
  const form = () => sessionForm(asFact(s));
  drafts.set(spot(s.id), { id: s.id, session: true, most: 2000, was: form(), form: form(), mark: s.mark, user: edits.user });
  render();
  const area = document.querySelector('[data-draft="' + CSS.escape(spot(s.id)) + '"] textarea');
  if (area) area.focus();
}
function sessionEditor(d) {
  d.cancel = () => leave(d.id);
  const lines = text => text.split('\n').map(x => x.trim()).filter(Boolean);
  const told = (form, keys) => Object.fromEntries(keys.map(k => [k, k === 'decisions' || k === 'todos' ? lines(form[k]) : form[k]]));
  const save = async () => {
    if (!check(d, box)) return;
    const keys = Object.keys(d.form).filter(k => d.form[k] !== d.was[k]);
    if (!keys.length) { d.cancel(); return; }
    const r = await send({ do: 'summary', ids: [d.id], seen: { [d.id]: d.mark }, ...told(d.form, keys) });
    if (r.stale) { meet(d, box, true); return; }
    if (r.error) { d.problem = t.failed(r.error) + ' ' + t.kept2; problem(box, d.problem); return; }
    finish(d, told(d.form, keys), told(d.was, keys), 'summary');
  };
  const area = () => node('textarea', { rows: '3', spellcheck: 'false' });
  const box = form(d, t.ofSession + ': ' + short(d.was.topic || d.was.content), [field(d, 'topic', t.topic, node('input', { type: 'text', autocomplete: 'off' })), textField(d, t.text), field(d, 'decisions', t.decided, area()), field(d, 'todos', t.open, area())], save);
  d.save = save;
  meet(d, box);
  return box;
}
function finish(d, change, undo, does) {
  const is = now(d.id);
  drafts.delete(spot(d.id));
  render();
  const text = is && (d.session ? is.body : is.text), cut = is && change.content !== undefined && text !== change.content.trim();
  done(cut ? t.savedAs : t.saved, is && undo && { do: does || 'edit', ids: [d.id], seen: seen(is), ...undo }, cut ? text : '');
  const b = $('main').querySelector('[data-key="' + CSS.escape(d.id) + '"] .acts button');
  if (b) b.focus();
}
// meet shows beside what was typed what stands there now, if that is not what the
// typing began with. Nothing of either is taken before a person says which.
function meet(d, box, told) {
  const is = now(d.id), old = box.querySelector('.theirs');
  if (is && is.mark === d.mark && !is.gone) { if (old) old.remove(); if (told) problem(box, t.stale + ' ' + t.kept2); return; }
  if (old && old.dataset.mark === (is ? is.mark : '')) { if (told) old.focus(); return; }
  if (old) old.remove();
  const mine = async () => {
    if (is && is.gone) { const r = await send({ do: 'restore', ids: [d.id], seen: seen(is) }); if (r.error) { problem(box, why(r)); return; } }
    if (!is) {
      if (!check(d, box)) return;
      const r = await send({ do: 'save', content: d.form.content, type: d.form.type, entities: d.form.entities.split(/[,，、]/).map(x => x.trim()).filter(Boolean), since: d.form.since, until: d.form.until });
      if (r.error) { problem(box, why(r)); return; }
      drafts.delete(spot(d.id)); render(); done(t.saved); return;
    }
    // What was typed replaces what is there now; what was not touched stays as that has it.
    const here = now(d.id), touched = Object.keys(d.form).filter(k => d.form[k] !== d.was[k]);
    if (!here) { meet(d, box, true); return; }
    d.was = (d.session ? sessionForm : formOf)(here); d.mark = here.mark;
    for (const k of Object.keys(d.form)) if (!touched.includes(k)) d.form[k] = d.was[k];
    const notice = box.querySelector('.theirs');
    if (notice) notice.remove();
    await d.save();
  };
  const notice = node('div', { class: 'theirs', role: 'alert', tabindex: '-1', 'data-mark': is ? is.mark : '' }, node('p', null, !is ? t.gone : is.gone ? t.deletedNow : t.changed));
  if (is) notice.append(node('p', { class: 'text' }, is.text), node('div', { class: 'meta' }, note(kinds.includes(is.type) ? is.type + ' ' + t[is.type] : is.type || t.ofSession), note(is.since && t.since(day(is.since))), note(is.until && t.until(lastDay(is.until))), ...is.entities.map(e => note(e))));
  notice.append(node('div', { class: 'acts' }, !is && d.session ? '' : button(!is ? t.asNew : is.gone ? t.backMine : t.mine, '', mine), button(is && !is.gone ? t.theirs : t.drop, '', () => leave(d.id))));
  box.querySelector('.acts').before(notice);
  if (told) notice.focus();
}

// Two facts of which one is to be made.
const pairKey = (a, b) => spot([a.id, b.id].sort().join(' '));
function openThird(a, b) {
  const key = pairKey(a, b), text = a.text + '\n' + b.text;
  drafts.set(key, { key, id: a.id, was: { content: '' }, form: { content: text }, pair: [a, b], user: edits.user });
  render();
  const area = document.querySelector('[data-draft="' + CSS.escape(key) + '"] textarea');
  if (area) area.focus();
}
function third(d, a, b) {
  d.cancel = () => { drafts.delete(d.key); all.picked = null; render(); };
  const save = async () => {
    if (!check(d, box)) return;
    const ids = [...new Set([a.id, b.id])], marks = ids.length > 1 ? seen(a, b) : { [a.id]: a.both };
    const r = await send({ do: 'merge', ids, seen: marks, content: d.form.content });
    if (r.error) { d.problem = why(r) + ' ' + t.kept2; if (r.stale) render(); else problem(box, d.problem); return; }
    drafts.delete(d.key); all.picked = null; render();
    const is = now(r.id);
    done(is && is.text !== d.form.content.trim() ? t.savedAs : t.merged, is && ids.length > 1 && { do: 'delete', ids: [r.id], seen: seen(is) }, is && is.text !== d.form.content.trim() ? is.text : '');
  };
  const box = form(d, t.third, [textField(d, t.thirdText)], save);
  return box;
}
const settled = () => { all.picked = null; };
// pair shows two facts side by side, and what can be made of them.
function pair(a, b) {
  const key = pairKey(a, b), versions = a.id === b.id, d = drafts.get(key);
  const ids = versions ? [a.id] : [a.id, b.id], marks = versions ? { [a.id]: a.both } : seen(a, b);
  const keep = f => button(t.keepThis, f.text, async at => {
    const other = f === a ? b : a;
    settled();
    await act(at, { do: 'keep', ids, seen: marks, keep: versions ? f.mark : f.id }, t.kept, r => r.undo && { do: 'restore', ids: Object.keys(r.undo), seen: r.undo });
  });
  const acts = f => node('div', { class: 'acts' }, f.gone ? node('p', { class: 'dim' }, t.isDeleted) : '', edits.may ? keep(f) : '');
  const box = node('div', { class: 'pair', 'data-key': key }, node('div', { class: 'two' }, factCard(a, true, 'div', acts), factCard(b, true, 'div', acts)));
  if (!edits.may) return box;
  if (d) box.append(third(d, a, b)); else box.append(node('div', { class: 'acts' },
    button(t.keepBoth, a.text, at => { settled(); return act(at, { do: 'both', ids, seen: marks }, t.both); }), button(t.third, a.text, () => openThird(a, b))));
  return box;
}

// onPage is a line of MEMORY.md that says otherwise than what holds, and what can be done about it.
function onPage(x) {
  const f = x.other || x.fact, p = x.page, back = r => r.before ? { do: 'page', ids: [], seen: r.undo, version: r.before } : null;
  const box = node('div', { class: 'pair', 'data-key': 'page ' + p.text }, node('p', null, t.pageSays(p.file, p.line)), node('p', { class: 'text' }, p.text), factCard(f, true, 'div', () => ''));
  if (!edits.may) return box;
  const acts = node('div', { class: 'acts' });
  if (p.by && (p.id || p.proposed.some(c => c.includes(' --line ')))) acts.append(button(t.inPlace, f.text, at => act(at, { do: 'promote', ids: [f.id], seen: { ...seen(f), 'MEMORY.md': edits.page }, line: p.id ? 0 : p.line }, t.promoted, back), 'yes'));
  if (p.id) acts.append(button(t.offPage, p.text, at => act(at, { do: 'demote', ids: [x.fact.id], seen: { ...seen(x.fact), 'MEMORY.md': edits.page } }, t.demoted, back)));
  else acts.append(button(t.remove, f.text, at => act(at, { do: 'delete', ids: [f.id], seen: seen(f) }, t.removed, () => { const is = now(f.id); return is && { do: 'restore', ids: [f.id], seen: seen(is) }; })));
  box.append(acts);
  return box;
}

// What each view begins with: what may be done, and what is half done.
const more = {
  words: editWords, hold,
  open: f => drafts.has(spot(f.id)),
  begin(main) {
    more.formed = new Set();
    if (!edits.may) main.append(node('p', { class: 'dim' }, t.readonly(edits.why)));
    if (edits.waiting) main.append(node('p', { class: 'dim' }, t.waits(edits.waiting) + ' ', node('button', { type: 'button', class: 'chip', click: () => go({ part: 'approvals', doc: 0, view: '', q: '' }) }, t.toApprovals)));
    const p = all.picked;
    if (p && p.user === edits.user) {
      const a = now(p.ids[0]), b = p.ids[1] && now(p.ids[1]);
      if (a && !a.gone && b && !b.gone) main.append(node('h2', null, t.two), pair(a, b), node('div', { class: 'acts' }, button(t.cancel, '', () => { drafts.delete(pairKey(a, b)); all.picked = null; render(); })));
      else if (a && !a.gone) main.append(node('p', { class: 'pick', role: 'status' }, t.picking(short(a.text)) + ' ', button(t.cancel, '', () => { all.picked = null; render(); })));
    }
  },
  card(f) {
    if (!edits.may || !f.id || f.whose === 'waiting') return '';
    const d = drafts.get(spot(f.id));
    if (d && !d.pair && !more.formed.has(f.id)) { more.formed.add(f.id); return editor(d); }
    if (d && !d.pair) return '';
    const box = node('div', { class: 'acts' }, button(t.edit, f.text, () => openDraft(f)),
      button(t.remove, f.text, at => act(at, { do: 'delete', ids: [f.id], seen: seen(f) }, t.removed, () => { const is = now(f.id); return is && { do: 'restore', ids: [f.id], seen: seen(is) }; })));
    if (f.replaced) box.append(button(t.holdAgain, f.text, at => act(at, { do: 'restore', ids: [f.id], seen: seen(f) }, t.holds)));
    if (f.before) box.append(button(t.said, f.text, at => act(at, { do: 'undo', ids: [f.id], seen: seen(f) }, t.saidIt, () => { const is = now(f.id); return is && { do: 'undo', ids: [f.id], seen: seen(is) }; })));
    const p = all.picked;
    if (!f.old && !more.plain && !(p && p.user === edits.user && p.ids[0] === f.id)) box.append(p && p.user === edits.user && !p.ids[1]
      ? button(t.mergeWith, f.text, () => { all.picked = { ...p, ids: [p.ids[0], f.id] }; render(); scrollTo(0, 0); const b = document.querySelector('.pair .acts button'); if (b) b.focus(); }, 'yes')
      : button(t.merge, f.text, () => { all.picked = { user: edits.user, ids: [f.id] }; render(); }));
    return box;
  },
  session(s) {
    if (!edits.may || !s.id || s.whose === 'waiting') return '';
    const d = drafts.get(spot(s.id));
    if (d && !more.formed.has(s.id)) { more.formed.add(s.id); return sessionEditor(d); }
    if (d) return '';
    const about = s.topic || s.text;
    return node('div', { class: 'acts' }, button(t.edit, about, () => openSession(s)),
      button(t.remove, about, at => act(at, { do: 'delete', ids: [s.id], seen: seen(s) }, t.removed, () => { const is = now(s.id); return is && { do: 'restore', ids: [s.id], seen: seen(is) }; })));
  },
  below(main) {
    if (!edits.versions.length) return 0;
    main.append(node('h2', null, t.before, node('small', null, String(edits.versions.length))));
    for (const v of edits.versions) {
      const at = /MEMORY-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(v.name), when = at && local(at[1] + '-' + at[2] + '-' + at[3] + 'T' + at[4] + ':' + at[5] + ':' + at[6] + 'Z');
      const box = node('details', { class: 'version', 'data-key': v.name }, node('summary', null, when ? when.day + ' ' + when.time : v.name, v.same ? node('span', { class: 'dim' }, ' ' + t.same) : ''));
      box.addEventListener('toggle', () => {
        if (!box.open || box.childElementCount > 1) return;
        if (v.same) { box.append(node('p', { class: 'dim' }, t.same)); return; }
        if (!v.diff) { box.append(node('p', null, t.tooLarge, node('code', null, 'agents-hooks memory restore ' + v.name))); return; }
        const acts = node('div', { class: 'acts' });
        box.append(diffed(v.diff, t.what + ': ' + v.name), acts);
        if (edits.may) acts.append(button(t.bringPage, when ? when.day + ' ' + when.time : v.name, b => act(b, { do: 'page', ids: [], seen: { 'MEMORY.md': edits.page }, version: v.name }, t.pageBack, r => r.before && { do: 'page', ids: [], seen: r.undo, version: r.before })));
      });
      main.append(box);
    }
    return edits.versions.length;
  },
  counts: () => ({ review: edits.findings.length, deleted: edits.deleted.length + edits.sessions.length }),
  bar(box) {
    const mine = [...drafts.values()].filter(d => d.user === edits.user && dirty(d));
    if (mine.length) box.append(node('button', { type: 'button', class: 'toggle verdict ask', click: () => {
      const d = mine[0], at = document.querySelector('[data-draft] textarea');
      if (at) { at.focus(); at.scrollIntoView({ block: 'center' }); } else if (d.pair) go({ view: 'review', q: '' }); else go({ view: 'timeline', q: d.id, types: [], days: '' });
    } }, t.unsaved(mine.length)));
  },
  views: {
    review(main) {
      more.begin(main);
      more.plain = true;
      const list = edits.findings.filter(x => fits(x.fact) || x.other && fits(x.other));
      let last = '', n = 0;
      grow(main, list, x => {
        if (x.why !== last) { last = x.why; main.append(node('h2', null, t.why[x.why] || x.why, node('small', null, String(list.filter(y => y.why === x.why).length)))); }
        if (x.page) { main.append(onPage(x)); return; }
        if (x.other) { main.append(pair(x.fact, x.other)); return; }
        const ask = { proven: [[t.toPage, 'promote', t.promoted], [t.notThere, 'decline', t.declined]], old: [[t.stillTrue, 'confirm', t.confirmed]], unused: [[t.stillTrue, 'confirm', t.confirmed]], abandoned: [[t.stillTrue, 'confirm', t.confirmed]], overridden: [[t.stillTrue, 'confirm', t.confirmed]] }[x.why] || [];
        main.append(node('ol', { class: 'cards' }, factCard(x.fact, true, 'li', f => {
          const box = more.card(f) || node('div', { class: 'acts' });
          if (edits.may && !drafts.has(spot(f.id))) box.prepend(...ask.map(([label, what, said], i) => button(label, f.text, at => act(at, { do: what, ids: [f.id], seen: seen(f) }, said, r => what === 'promote' && (r.before ? { do: 'page', ids: [], seen: r.undo, version: r.before } : { do: 'demote', ids: [f.id], seen: seen(now(f.id) || f) })), i ? '' : 'yes')));
          return node('div', null, x.uses ? node('p', { class: 'dim' }, t.used(x.uses)) : '', box);
        })));
      });
      more.plain = false;
      if (!list.length && !terms.length) { main.append(node('p', { class: 'none' }, t.settled)); n = 1; }
      return list.length + n;
    },
    deleted(main) {
      more.begin(main);
      const back = f => edits.may ? node('div', { class: 'acts' }, button(t.restore, f.text, at => act(at, { do: 'restore', ids: [f.id], seen: seen(f) }, t.restored, () => { const is = now(f.id); return is && { do: 'delete', ids: [f.id], seen: seen(is) }; }))) : '';
      const list = [...edits.deleted, ...edits.sessions].filter(fits), cards = node('ol', { class: 'cards' });
      if (list.length) main.append(node('h2', null, t.deleted, node('small', null, String(list.length))));
      main.append(cards);
      grow(main, list, f => cards.append('type' in f ? factCard(f, true, 'li', back) : sessionCard(f, false, back)));
      return list.length;
    },
  },
};
// hold keeps the page from being made anew under the hands of whoever types, and shows
// them what changed of what they type about.
function hold() {
  const boxes = [...document.querySelectorAll('[data-draft]')];
  for (const box of boxes) {
    const d = drafts.get(box.dataset.draft);
    if (d && !d.pair) meet(d, box);
  }
  return boxes.length > 0;
}
