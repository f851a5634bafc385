// Nothing can be changed in a page that is a file; edit.js stands here in one that is
// served.
const more = { words: { en: {}, zh: {} }, top: () => {}, acts: () => '', hold: null };
