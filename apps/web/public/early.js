// Runs before the app's own script: asks for what every member screen waits for, shows the home screen as this session
// last saw it, and starts the app, which takes the response over and draws its own screen in place of the old one.
(() => {
  const { base, marker, entry, files } = document.currentScript.dataset;
  const isParsed = new Promise((resolve) => {
    if (document.readyState !== 'loading') resolve();
    else document.addEventListener('readystatechange', resolve, { once: true });
  });
  // A page out of sight is not painted; there the clock decides.
  const isPainted = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
      setTimeout(resolve, 1000);
    });
  const reload = () => {
    if (navigator.onLine) location.reload();
    else addEventListener('online', reload);
  };
  const start = async (isShown) => {
    if (await isShown) await isPainted();
    for (const href of files.split(' '))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    await isParsed;
    import(entry).catch(() => setTimeout(reload, 4000));
  };

  let token = null;
  try {
    token = sessionStorage.getItem('token') ?? localStorage.getItem('token');
  } catch {
    // Without its stores a browser has no session to ask for.
  }
  if (!token) return start(false);
  const headers = {
    'X-Requested-With': marker,
    Authorization: `Bearer ${token}`,
    'Accept-Language': document.documentElement.lang,
  };
  const signal = AbortSignal.timeout(60_000);
  const response = fetch(`${base}/api/wallet`, { headers, credentials: 'same-origin', signal });
  response.catch(() => {});

  const readKept = async () => {
    const cacheName = 'krapao-kept';
    const found = await globalThis.caches?.match('/kept/home', { cacheName });
    if (!found) return undefined;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    const owner = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    if (found.headers.get('x-session') === owner) return found.json();
    await caches.delete(cacheName);
    return undefined;
  };
  // The same text as lookOf in src/platform/member/early.ts.
  const look = () =>
    [entry, document.documentElement.lang, document.cookie.includes('balance=hidden')].join(' ');
  const show = (home) => {
    const isHome = ['/', '/user', '/user/home'].includes(location.pathname.replace(/(?<=.)\/+$/, ''));
    if (!home?.markup || home.look !== look() || !isHome) return false;
    const page = document.createElement('div');
    // To be seen, not used.
    page.inert = true;
    page.style.display = 'contents';
    page.innerHTML = home.markup;
    document.getElementById('root').append(page);
    return true;
  };
  const kept = readKept().catch(() => undefined);
  globalThis.early = { token, response, kept };
  return start(isParsed.then(() => kept).then(show));
})();
