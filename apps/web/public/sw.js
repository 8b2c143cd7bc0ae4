// The offline shell. Everything below is a file of the build: nothing the server answers about a member comes in here.
// What the app shows of him offline it keeps itself. The lines that follow are filled in by the build.
const VERSION = '';
const LANGUAGE = '';
const FILES = [];

const CACHE = `krapao-shell-${VERSION}`;
const SHELL = '/index.html';
// Where the app keeps a member's last figures; without it there is nothing the shell could show.
const KEPT = 'krapao-kept';
const pageFor = (language) => `/offline-${language}.html`;

const keep = async (files) => (await caches.open(CACHE)).addAll(files);

// A visitor gets the few words that there is no connection, and the rest once he is a member. Who has all of one
// version gets all of the next.
const install = async () => {
  await keep([...['th', 'la', 'en'].map(pageFor), '/offline.js']);
  if (await caches.match(SHELL)) await keep(FILES);
};
addEventListener('install', (event) => {
  event.waitUntil(install());
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

const keepAll = async () => (await caches.match(SHELL)) ?? keep(FILES);

// A new version waits until the reader says so.
addEventListener('message', (event) => {
  if (event.data === 'take-over') skipWaiting();
  if (event.data === 'keep-all') event.waitUntil(keepAll());
});

const languageOf = async () => {
  const chosen = (await self.cookieStore?.get('language'))?.value.toLowerCase();
  return ['th', 'la', 'en'].includes(chosen) ? chosen : LANGUAGE;
};

const offline = async () => {
  const shell = (await caches.has(KEPT)) && (await caches.match(SHELL, { ignoreVary: true }));
  return shell || caches.match(pageFor(await languageOf()), { ignoreVary: true });
};

// What is brought while the app is closed. Whoever looks at it sees it there.
const isMemberPage = ({ url }) => new URL(url).pathname.startsWith('/user');
const windows = async () =>
  (await clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(isMemberPage);

const tell = async ({ id, title, body, lang, at, url }) => {
  if ((await windows()).some(({ visibilityState }) => visibilityState === 'visible')) return;
  await registration.showNotification(title, {
    body,
    lang,
    // The same one that comes twice is shown once.
    tag: id,
    timestamp: at,
    icon: '/icons/icon-192.png',
    data: { url },
  });
};
addEventListener('push', (event) => {
  if (event.data) event.waitUntil(tell(event.data.json()));
});

const open = async (url) => {
  const [page] = await windows();
  if (!page) return clients.openWindow(url);
  await page.focus().catch(() => undefined);
  page.postMessage({ open: url });
};
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

// Pages come from the server while there is one, so that nobody is kept on an old version.
const page = async (event) => {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return offline();
  }
};

const file = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const isPage = request.mode === 'navigate' && !/^\/(api|hooks|docs)\b|\.\w+$/.test(pathname);
  const isKept = FILES.includes(pathname) || pathname === '/offline.js';
  if (isPage) event.respondWith(page(event));
  else if (isKept && !request.headers.has('range')) event.respondWith(file(request));
});
