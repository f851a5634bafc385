// Nothing can be changed in a page that is a file; edit.js stands here in one that is
// served.
const more = { words: { en: {}, zh: {} }, views: {}, counts: () => ({}), begin: () => {}, card: () => '', session: () => '', below: () => 0, bar: () => {}, open: null, hold: null };
