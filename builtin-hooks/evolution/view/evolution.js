const words = {
  en: {
    signals: 'Signals', genes: 'Genes', suggestions: 'Suggestions', search: 'Search  ( / )', other: '中文',
    nothing: 'Nothing was learned here yet.', noHit: 'Nothing fits.', more: 'show more', noDate: 'without a date',
    times: n => n === 1 ? 'once' : n + ' times', sessions: n => n === 1 ? 'in 1 session' : 'in ' + n + ' sessions', last: 'last', forIt: n => n === 1 ? '1 gene' : n + ' genes',
    sumSignals: 'signals', sumSessions: 'sessions with trouble', sumOffers: 'suggestions', sumHelped: 'of those with an outcome, helped',
    tried: 'tried', untriedToo: 'show untried', untried: 'nobody has tried it', rate: (m, a, b) => m + ' % (90 %: ' + a + '–' + b + ')', curve: (m, a, b) => 'success rate ' + m + ' %, with 90 % certainty from ' + a + ' to ' + b,
    good: n => n + ' helped', bad: n => n + ' did not', steps: n => n === 1 ? '1 step' : n + ' steps', needs: 'Needs', repair: 'repair', optimize: 'optimize', innovate: 'innovate', diagnostic: 'diagnostic',
    held: 'held', shared: 'shared', trial: 'on trial', draft: 'draft', seed: 'came with the program', local: 'made here', imported: 'imported', remote: 'from the server',
    success: 'helped', failed: 'did not help', unfollowed: 'not followed', open: 'no outcome', followed: 'followed', judged: 'judged', concluded: 'concluded from what came next', sure: n => n + ' % confidence', gone: 'a gene that is gone', session: 'session',
    shown: (n, all) => n === all ? String(n) : n + ' of ' + all, foot: (dir, at) => 'Made from ' + dir + ' on ' + at + '. The curves show how likely each rate of success is: narrow when much is known, wide when little is.',
  },
  zh: {
    signals: '信号', genes: '基因', suggestions: '建议', search: '搜索（按 /）', other: 'English',
    nothing: '这里还没有学到任何东西。', noHit: '没有符合条件的内容。', more: '显示更多', noDate: '没有日期',
    times: n => n + ' 次', sessions: n => '出现在 ' + n + ' 个会话', last: '最近', forIt: n => n + ' 个基因',
    sumSignals: '个信号', sumSessions: '个遇到问题的会话', sumOffers: '条建议', sumHelped: '有结果的建议中起了作用',
    tried: '用过的', untriedToo: '显示未用过的', untried: '还没有人用过', rate: (m, a, b) => m + '%（90%：' + a + '–' + b + '）', curve: (m, a, b) => '成功率 ' + m + '%，九成把握在 ' + a + ' 到 ' + b + ' 之间',
    good: n => n + ' 次有效', bad: n => n + ' 次无效', steps: n => n + ' 个步骤', needs: '前提', repair: '修复', optimize: '优化', innovate: '创新', diagnostic: '诊断',
    held: '搁置中', shared: '已共享', trial: '试用中', draft: '草稿', seed: '程序自带', local: '本机创建', imported: '导入', remote: '来自服务器',
    success: '有效', failed: '无效', unfollowed: '未采纳', open: '没有结果', followed: '已采纳', judged: '经过判断', concluded: '由后续命令推断', sure: n => '置信度 ' + n + '%', gone: '已不存在的基因', session: '会话',
    shown: (n, all) => n === all ? String(n) : n + ' / ' + all, foot: (dir, at) => '由 ' + dir + ' 于 ' + at + ' 生成。曲线表示各个成功率的可能性：了解越多越窄，越少越宽。',
  },
};
const categories = ['repair', 'optimize', 'innovate', 'diagnostic'];
const ends = ['success', 'failed', 'unfollowed', 'open'];
const text = (g, what) => (g.translations && g.translations[state.lang] && g.translations[state.lang][what === 'title' ? 'title' : 'strategy']) || g[what === 'title' ? 'title' : 'steps'];

for (const lang of ['en', 'zh']) Object.assign(words[lang], more.words[lang]);
let byID, days;
const prepare = () => {
  byID = new Map(data.genes.map(g => [g.id, g]));
  for (const s of data.signals) s.when = local(s.time);
  for (const g of data.genes) {
    const other = Object.values(g.translations || {}).flatMap(x => [x.title, ...(x.strategy || [])]);
    g.found = fold([g.id, g.title, g.description, g.origin, g.scope, ...g.steps, ...g.signals, ...other].join('\n'));
    g.when = local(g.last);
    g.known = g.good + g.bad > 0;
  }
  for (const s of data.suggestions) {
    const g = byID.get(s.gene);
    s.when = local(s.time);
    s.end = s.followed === 'no' ? 'unfollowed' : s.outcome === 'success' || s.outcome === 'failed' ? s.outcome : 'open';
    s.found = fold([s.gene, s.session, s.summary, ...s.signals, g ? g.found : ''].join('\n'));
  }
  // days is the range of all signals, so that the charts of all can be compared.
  const list = data.signals.filter(s => s.when).map(s => s.when.day).sort();
  days = list.length ? { first: list[0], last: list[list.length - 1] } : null;
};
prepare();

// draw makes an element of a drawing.
const space = 'http' + '://www.w3.org/2000/svg';
function draw(tag, about, ...inside) {
  const e = document.createElementNS(space, tag);
  for (const [k, v] of Object.entries(about)) e.setAttribute(k, v);
  for (const x of inside) if (x) e.append(x);
  return e;
}

// belief is the density of a Beta distribution on a grid, its mean and the range
// that holds nine tenths of it.
function belief(alpha, beta) {
  const n = 120, y = [];
  for (let i = 0; i < n; i++) {
    const x = (i + .5) / n;
    y.push((alpha - 1) * Math.log(x) + (beta - 1) * Math.log(1 - x));
  }
  const top = Math.max(...y), d = y.map(v => Math.exp(v - top)), all = d.reduce((a, b) => a + b, 0);
  let sum = 0, low = 0, high = 1, began = false;
  for (let i = 0; i < n; i++) {
    sum += d[i] / all;
    if (!began && sum >= .05) { low = i / n; began = true; }
    if (sum >= .95) { high = (i + 1) / n; break; }
  }
  return { d, mean: alpha / (alpha + beta), low, high };
}
const percent = x => Math.round(100 * x);
function plot(g) {
  const b = belief(g.alpha, g.beta), w = 100, h = 36, points = b.d.map((v, i) => ((i + .5) * w / b.d.length).toFixed(2) + ' ' + (h - v * (h - 4)).toFixed(2)).join('L');
  const about = t.curve(percent(b.mean), percent(b.low), percent(b.high)), at = (b.mean * w).toFixed(2);
  const picture = draw('svg', { class: 'plot', viewBox: '0 0 100 36', preserveAspectRatio: 'none', role: 'img', 'aria-label': about },
    draw('path', { class: 'area', d: 'M0 ' + h + 'L' + points + 'L' + w + ' ' + h + 'Z' }), draw('path', { class: 'edge', d: 'M' + points }),
    g.known ? draw('line', { class: 'mean', x1: at, x2: at, y1: 2, y2: h }) : null, draw('line', { class: 'base', x1: 0, x2: w, y1: h, y2: h }));
  return node('div', { class: 'curve', title: about }, picture, node('div', { class: 'scale' }, node('span', null, '0 %'), node('span', null, '100 %')));
}

const chip = (key, count) => node('button', { type: 'button', class: 'chip', click: () => go({ view: 'genes', q: key, untried: true }) }, marked(key), count ? node('b', null, String(count)) : '');

// heights are how often a signal came up in each of at most sixty spans of days.
function heights(list) {
  const one = 864e5, start = Date.parse(days.first), all = Math.round((Date.parse(days.last) - start) / one) + 1, span = Math.ceil(all / 60), n = Math.max(Math.ceil(all / span), 7);
  const out = new Array(n).fill(0);
  for (const s of list) if (s.when) out[Math.floor(Math.round((Date.parse(s.when.day) - start) / one) / span)]++;
  return { out, name: i => new Date(start + i * span * one).toISOString().slice(0, 10) };
}
function bars(list, top) {
  const { out, name } = heights(list), n = out.length, box = draw('svg', { class: 'bars', viewBox: '0 0 ' + n + ' 20', preserveAspectRatio: 'none', role: 'img', 'aria-label': t.times(list.length) });
  out.forEach((v, i) => v && box.append(draw('rect', { x: i + .12, width: .76, y: 20 - Math.max(2, 19 * v / top), height: Math.max(2, 19 * v / top) }, draw('title', {}, name(i) + ': ' + v))));
  box.append(draw('line', { class: 'base', x1: 0, x2: n, y1: 20, y2: 20 }));
  return box;
}
function sum(number, name) { return node('div', null, node('b', null, number), node('span', null, name)); }

function signals(main) {
  const of = new Map();
  for (const s of data.signals) if (!terms.length || terms.every(w => fold(s.key + '\n' + s.session).includes(w))) of.set(s.key, [...(of.get(s.key) || []), s]);
  const list = [...of].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  if (!list.length) return 0;
  const told = data.suggestions.filter(s => s.end === 'success' || s.end === 'failed');
  main.append(node('div', { class: 'sums' }, sum(String(data.signals.length), t.sumSignals), sum(String(new Set(data.signals.map(s => s.session)).size), t.sumSessions), sum(String(data.suggestions.length), t.sumOffers),
    sum(told.length ? percent(told.filter(s => s.end === 'success').length / told.length) + ' %' : '–', t.sumHelped)));
  const cards = node('ol', { class: 'cards' }), top = Math.max(...list.map(([, all]) => Math.max(...heights(all).out)));
  main.append(node('h2', null, days.first === days.last ? days.first : days.first + ' – ' + days.last), cards);
  grow(main, list, ([key, all]) => {
    const genes = data.genes.filter(g => g.signals.includes(key)).length, last = all[all.length - 1];
    cards.append(node('li', { class: 'card row' },
      node('div', { class: 'what' }, node('h3', null, marked(key)), node('div', { class: 'meta' }, note(t.sessions(new Set(all.map(s => s.session)).size)), last.when ? note(t.last + ' ' + last.when.day) : '',
        genes ? node('button', { type: 'button', class: 'chip', click: () => go({ view: 'genes', q: key, untried: true }) }, t.forIt(genes)) : '')),
      node('div', { class: 'lines' }, bars(all, top)), node('div', { class: 'number', title: t.times(all.length) }, String(all.length))));
  });
  return list.length;
}

const origins = { seed: 'seed', local: 'local', import: 'imported', remote: 'remote' };
// What came with the program and nobody has tried is hundreds; what was made or came here is not.
const wantedGene = g => (g.known || state.untried || g.origin !== 'seed' || !data.genes.some(x => x.known || x.origin !== 'seed')) && (!state.kinds.length || state.kinds.includes(g.category)) && fits(g);
function geneCard(g) {
  const b = belief(g.alpha, g.beta), steps = text(g, 'steps'), see = { held: 'held', shared: 'shared', trial: 'trial', draft: 'draft' }[g.visibility];
  return node('li', { class: 'card gene' + (g.known ? '' : ' untried') }, plot(g),
    node('div', null, node('h3', null, marked(text(g, 'title'))), g.description ? node('p', { class: 'text' }, marked(g.description)) : '',
      node('div', { class: 'meta' }, ...g.signals.map(s => chip(s))),
      node('div', { class: 'meta' }, g.known ? node('b', null, t.rate(percent(b.mean), percent(b.low), percent(b.high))) : note(t.untried), g.known ? node('span', { class: 'good' }, t.good(+g.good.toFixed(1))) : '', g.known ? node('span', { class: 'bad' }, t.bad(+g.bad.toFixed(1))) : '',
        g.when ? note(t.last + ' ' + g.when.day) : '', note(t[g.category] && categories.includes(g.category) ? t[g.category] : g.category),
        see && see !== 'draft' ? node('span', { class: 'tag ' + (see === 'held' ? 'bad' : 'good') }, t[see]) : '', note(origins[g.origin] ? t[origins[g.origin]] : g.origin), node('code', null, g.id)),
      node('details', g.visibility === 'held' ? { open: '' } : null, node('summary', null, t.steps(steps.length)), g.preconditions.length ? node('p', { class: 'text' }, t.needs + ': ', marked(g.preconditions.join('; '))) : '', node('ol', null, ...steps.map(s => node('li', null, marked(s))))), more.acts(g)));
}
function genes(main) {
  // What waits for a decision comes first.
  const list = data.genes.filter(wantedGene).sort((a, b) => (b.visibility === 'held') - (a.visibility === 'held')), cards = node('ol', { class: 'cards' });
  more.top(main);
  main.append(cards);
  grow(main, list, g => cards.append(geneCard(g)));
  return list.length;
}

const wantedEnd = s => (!state.kinds.length || state.kinds.includes(s.end)) && fits(s);
function suggestionCard(s) {
  const g = byID.get(s.gene);
  return node('li', { class: 'card ' + s.end }, node('span', { class: 'badge', title: t[s.end] }, { success: '✓', failed: '✗', unfollowed: '–', open: '?' }[s.end]),
    node('div', null, node('h3', null, g ? marked(text(g, 'title')) : t.gone), s.summary ? node('p', { class: 'text' }, marked(s.summary)) : '',
      node('div', { class: 'meta' }, moment(s, false), node('b', null, t[s.end]), s.end === 'success' || s.end === 'failed' ? note(s.judged ? t.judged : t.concluded) : '', note(s.followed === 'yes' && t.followed), ...s.signals.map(x => chip(x)),
        note(t.sure(percent(s.confidence))), node('code', { title: t.session }, marked(s.session)), node('code', null, marked(s.gene)))));
}
function suggestions(main) {
  const list = data.suggestions.filter(wantedEnd);
  let day = null, cards;
  const per = new Map();
  for (const s of list) { const d = s.when ? s.when.day : ''; per.set(d, (per.get(d) || 0) + 1); }
  grow(main, list, s => {
    const d = s.when ? s.when.day : '';
    if (d !== day) { day = d; cards = node('ol', { class: 'cards' }); main.append(node('h2', null, d || t.noDate, node('small', null, String(per.get(d)))), cards); }
    cards.append(suggestionCard(s));
  });
  return list.length;
}

function filters(box) {
  const toggle = (name, on, change, kind) => node('button', { type: 'button', class: 'toggle ' + kind, 'aria-pressed': String(on), click: () => go(change) }, name);
  const switched = k => ({ kinds: state.kinds.includes(k) ? state.kinds.filter(x => x !== k) : [...state.kinds, k] });
  if (state.view === 'genes') {
    for (const k of categories) if (data.genes.some(g => g.category === k)) box.append(toggle(t[k], state.kinds.includes(k), switched(k), ''));
    if (data.genes.some(g => g.known || g.origin !== 'seed') && data.genes.some(g => !g.known && g.origin === 'seed')) box.append(toggle(t.untriedToo, state.untried, { untried: !state.untried }, ''));
    box.append(node('span', { class: 'count', 'aria-live': 'polite' }, t.shown(data.genes.filter(wantedGene).length, data.genes.length)));
  }
  if (state.view === 'suggestions') {
    for (const k of ends) if (data.suggestions.some(s => s.end === k)) box.append(toggle(t[k], state.kinds.includes(k), switched(k), { success: 'good', failed: 'bad' }[k] || ''));
    box.append(node('span', { class: 'count', 'aria-live': 'polite' }, t.shown(data.suggestions.filter(wantedEnd).length, data.suggestions.length)));
  }
}
show({
  words, views: { signals, genes, suggestions }, fresh: { kinds: [], q: '' }, filters,
  counts: () => ({ signals: new Set(data.signals.map(s => s.key)).size, genes: data.genes.length, suggestions: data.suggestions.length }),
  read: p => ({ kinds: [...categories, ...ends].filter(k => (p.get('kinds') || '').split(',').includes(k)), untried: p.get('untried') === '1' }),
  write: (s, p) => { if (s.kinds.length) p.set('kinds', s.kinds.join(',')); if (s.untried) p.set('untried', '1'); },
  filtered: () => !!(state.q || state.kinds.length), renew: prepare, hold: more.hold,
});
