// Nobody answers on a page that is a file; answer.js stands here in one that is served.
const reply = () => [], hold = null, replied = () => '';
