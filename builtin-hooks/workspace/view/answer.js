// What a person types stays until it is sent, however often the page is made anew.
const replies = all.replies || (all.replies = new Map());
const keyOf = w => data.id + ' ' + w.node + ' ' + w.kind;
const hold = () => { const at = document.activeElement; return !!(at && at.tagName === 'TEXTAREA' && at.closest('.waits')); };
const replied = () => { const said = all.replied; all.replied = ''; return said ? node('p', { class: 'replied', role: 'status' }, said) : ''; };

// reply is the form for an answer: what was shown is what is answered.
function reply(w, n) {
  if (data.may) return [node('p', { class: 'part' }, t.mayNot(data.may))];
  const draft = replies.get(keyOf(w)) || { text: '', way: w.ways ? w.ways[0] : '' };
  const keep = () => replies.set(keyOf(w), draft);
  const label = w.kind === 'problem' ? t.yourAnswer : t.aWord;
  const area = node('textarea', { rows: '2', 'aria-label': label + ': ' + n.title, placeholder: label });
  area.value = draft.text;
  area.addEventListener('input', () => { draft.text = area.value; keep(); });
  const ways = w.ways && w.ways.length ? node('select', { 'aria-label': t.way }, ...w.ways.map(x => node('option', { value: x, selected: x === draft.way }, t.ways[x] || x))) : '';
  if (ways) ways.addEventListener('change', () => { draft.way = ways.value; keep(); });
  const said = node('p', { class: 'trouble', role: 'alert' });
  let busy = false;
  const send = node('button', { type: 'button', class: 'yes', click: async () => {
    if (busy) return;
    if (w.kind === 'problem' && !area.value.trim()) { said.textContent = t.noAnswer; area.focus(); return; }
    busy = true;
    try {
      const r = await ask('workspace', { workspace: data.id, kind: w.kind, node: w.node, token: w.token, way: draft.way, text: area.value, seen: n.problem });
      if (r.error) { said.textContent = r.stale ? t.changed : r.error; busy = false; return; }
      replies.delete(keyOf(w));
      all.replied = t.told;
      render();
    } catch (e) { said.textContent = e.message; busy = false; }
  } }, w.kind === 'plan' ? t.approve : w.kind === 'dispatch' ? t.bring : t.answer);
  area.addEventListener('keydown', e => { if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !e.isComposing) { e.preventDefault(); send.click(); } });
  return [node('div', { class: 'reply' }, ways, area, send, said)];
}
