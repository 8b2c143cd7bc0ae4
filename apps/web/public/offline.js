// The page that says there is no connection ends by itself when there is one: at once where the browser tells, else
// within seconds. Nobody tells of a server that is back, nor of a line that returned while this page was coming.
const ASK_EVERY_MS = 4000;
const again = () => location.reload();
const wait = () => setTimeout(ask, ASK_EVERY_MS);
const ask = () => fetch('/offline.js', { method: 'HEAD', cache: 'no-store' }).then(again, wait);
addEventListener('online', again);
wait();
