import 'virtual:fonts.css';
import '@krapao/ui/style/tokens.css';
import '@krapao/ui/style/base.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { preloadPlace } from './app/pages.ts';
import { type Place, placeOf } from './app/routes.ts';
import { i18n } from './platform/i18n.ts';
import {
  activateLanguage,
  chooseLanguage,
  pageLanguage,
  storedLanguage,
  wantAllMessages,
} from './platform/language.ts';
import { whenOnline } from './platform/online.ts';
import { applyTheme, readTheme } from './platform/preferences.ts';
import { sessionToken } from './platform/session.ts';
import { whenIdle } from './platform/when-idle.ts';

/** So long after a start that lacked a file, or as soon as the device is online after that, the page begins again. */
const AGAIN_MS = 4_000;

/** Follows redirects before the first render, so that no empty page is drawn on the way. */
function settle(): Place {
  let place = placeOf(location.pathname, sessionToken() !== null);
  while (place.kind === 'redirect') {
    history.replaceState(null, '', place.to);
    place = placeOf(place.to, sessionToken() !== null);
  }
  return place;
}

/** A page written at build time is hydrated in its own language, so that typed input is not lost. */
async function start(): Promise<void> {
  applyTheme(readTheme());
  const place = settle();
  const root = document.getElementById('root') as HTMLElement;
  const stored = storedLanguage();
  const isWritten = place.kind === 'public' && root.dataset.page === `${pageLanguage()}${place.path}`;
  const isLogin = place.kind === 'public' && place.path === '/login';
  const page = preloadPlace(place);
  await activateLanguage(isWritten ? pageLanguage() : (stored ?? pageLanguage()), !isLogin);
  await page;
  const app = <App i18n={i18n} ssrPath={isWritten ? place.path : undefined} />;
  if (isWritten) hydrateRoot(root, app);
  else createRoot(root).render(app);
  if (stored && stored !== i18n.locale) chooseLanguage(stored);
  if (isLogin) whenIdle().then(wantAllMessages);
}

start().catch(() => {
  setTimeout(() => whenOnline().then(() => location.reload()), AGAIN_MS);
});
