// The offline shell. Everything below is a file of the build: nothing the server answers about a member comes in here.
// What the app shows of him offline it keeps itself. The two lines that follow are filled in by the build.
const VERSION = '';
const FILES = [];

const CACHE = `krapao-shell-${VERSION}`;
const SHELL = '/index.html';

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener('activate', (event) => {
  const clean = async () => {
    for (const name of await caches.keys())
      if (name.startsWith('krapao-shell-') && name !== CACHE) await caches.delete(name);
    await registration.navigationPreload?.enable();
    await clients.claim();
  };
  event.waitUntil(clean());
});

// A new version waits until the reader says so.
addEventListener('message', ({ data }) => {
  if (data === 'take-over') skipWaiting();
});

// Pages come from the server while there is one, so that nobody is kept on an old version.
const page = async (event) => {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return caches.match(SHELL, { ignoreVary: true });
  }
};

const file = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const isPage = request.mode === 'navigate' && !/^\/(api|hooks|docs)\b|\.\w+$/.test(pathname);
  if (isPage) event.respondWith(page(event));
  else if (FILES.includes(pathname) && !request.headers.has('range')) event.respondWith(file(request));
});
