// What a person does to genes on a page that is served. What is approved is what was shown: its
// steps stand open, and the server looks for them by the mark of what stood there.
const more = (() => {
  const words = {
    en: {
      approve: 'Approve', hold: 'Hold', edit: 'Edit', remove: 'Delete', save: 'Save', cancel: 'Cancel', yes: { approve: 'Yes, approve', hold: 'Yes, hold', delete: 'Yes, delete' }, no: 'Not now',
      sure: { approve: name => 'Let agents use “' + name + '” as its steps stand above?', hold: name => 'Hold “' + name + '”? No agent is told of it until it is approved.', delete: name => 'Delete “' + name + '” for good, here and at the next sync where it is shared?' },
      done: { approve: name => '“' + name + '” is approved: agents may be told of it.', hold: name => '“' + name + '” is held.', delete: name => '“' + name + '” is gone.', edit: name => '“' + name + '” has its new words.' },
      heldFor: why => 'Held: ' + why, by: who => 'by ' + who, title: 'What it is for', steps_: 'Steps, one on each line', failed: why => 'Nothing was changed, because ' + why, readonly: why => 'Nothing can be changed here, because ' + why,
      changed: 'It is not what it was any more: somebody changed or decided it. It stands here as it is now; what you typed is still in the form.',
    },
    zh: {
      approve: '批准', hold: '搁置', edit: '编辑', remove: '删除', save: '保存', cancel: '取消', yes: { approve: '是，批准', hold: '是，搁置', delete: '是，删除' }, no: '暂不',
      sure: { approve: name => '允许智能体按上面的步骤使用“' + name + '”？', hold: name => '搁置“' + name + '”？批准之前不会告诉任何智能体。', delete: name => '永久删除“' + name + '”？已共享的会在下次同步时一并删除。' },
      done: { approve: name => '“' + name + '”已批准，可以告诉智能体。', hold: name => '“' + name + '”已搁置。', delete: name => '“' + name + '”已删除。', edit: name => '“' + name + '”已更新。' },
      heldFor: why => '搁置原因：' + why, by: who => '作者 ' + who, title: '用途', steps_: '步骤，每行一个', failed: why => '没有任何更改，原因：' + why, readonly: why => '这里无法更改：' + why,
      changed: '它已不是原来的样子：有人更改或处理过。这里显示的是现在的状态，你输入的内容仍在表单中。',
    },
  };
  const drafts = new Map(); // what somebody types, by the gene
  let message = null, asking = null;
  const focus = what => requestAnimationFrame(() => { const e = document.querySelector(what); if (e) e.focus(); });
  async function send(g, what) {
    asking = null;
    try {
      const r = await ask('evolution', { gene: g.id, seen: g.mark, title: '', steps: [], ...what });
      message = r.error ? [true, r.stale ? t.changed : t.failed(r.error)] : [false, t.done[what.do](what.title || text(g, 'title'))];
      if (!r.error) drafts.delete(g.id);
    } catch (e) { message = [true, t.failed(String(e.message || e))]; }
    render();
    focus('.told');
  }
  function form(g) {
    const d = drafts.get(g.id), field = (tag, name) => {
      const e = node(tag, { name, spellcheck: 'true' });
      e.value = d[name];
      e.addEventListener('input', () => { d[name] = e.value; });
      return e;
    };
    return node('div', { class: 'form', 'data-draft': g.id }, node('label', null, node('span', null, t.title), field('input', 'title')), node('label', null, node('span', null, t.steps_), field('textarea', 'steps')),
      node('div', { class: 'acts' }, node('button', { type: 'button', class: 'yes', click: () => send(g, { do: 'edit', title: d.title, steps: d.steps.split('\n').filter(s => s.trim()) }) }, t.save),
        node('button', { type: 'button', click: () => { drafts.delete(g.id); render(); } }, t.cancel)));
  }
  const act = (g, what, name, kind) => node('button', { type: 'button', class: kind || '', 'aria-label': name + ': ' + text(g, 'title'), click: () => { asking = { id: g.id, mark: g.mark, what }; message = null; render(); focus('.acts .sure'); } }, name);
  function acts(g) {
    if (!data.edit) return '';
    const seed = g.origin === 'seed', box = node('div', { class: 'acts' });
    if (g.held_for) box.append(node('p', { class: 'bad' }, t.heldFor(g.held_for)));
    if (g.author) box.append(node('p', { class: 'dim' }, t.by(g.author)));
    if (!data.edit.may) { if (!seed) box.append(node('p', { class: 'dim' }, t.readonly(data.edit.why))); return box; }
    if (drafts.has(g.id)) { box.append(form(g)); return box; }
    if (asking && asking.id === g.id && asking.mark === g.mark) {
      const what = asking.what;
      box.append(node('p', null, t.sure[what](text(g, 'title'))), node('button', { type: 'button', class: 'yes sure', click: () => send(g, { do: what }) }, t.yes[what]), node('button', { type: 'button', click: () => { asking = null; render(); } }, t.no));
      return box;
    }
    if (g.visibility === 'held') box.append(act(g, 'approve', t.approve, 'yes'));
    else if (!seed) box.append(act(g, 'hold', t.hold));
    if (!seed && g.origin !== 'remote') box.append(node('button', { type: 'button', 'aria-label': t.edit + ': ' + text(g, 'title'), click: () => { drafts.set(g.id, { title: g.title, steps: g.steps.join('\n') }); message = null; render(); focus('.form input'); } }, t.edit));
    box.append(act(g, 'delete', t.remove));
    return box;
  }
  const top = main => { if (message) main.append(node('p', { class: 'told ' + (message[0] ? 'bad' : 'good'), role: message[0] ? 'alert' : 'status', tabindex: '-1' }, message[1])); };
  return { words, top, acts, hold: () => !!document.querySelector('[data-draft]') };
})();
