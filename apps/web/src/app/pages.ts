import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import LoginPage from '../features/login/login-page.tsx';
import { wantAllMessages } from '../platform/language.ts';
import { reloadPage } from '../platform/reload.ts';
import type { Place, PublicPath } from './routes.ts';

type Page = { default: ComponentType };

/** The login page is part of the first file; every other page is a file of its own. */
const PUBLIC: Record<Exclude<PublicPath, '/login'>, () => Promise<Page>> = {
  '/register': () => import('../features/register/register-page.tsx'),
  '/forgot': () => import('../features/forgot/forgot-page.tsx'),
  '/howto': () => import('../features/howto/howto-page.tsx'),
  '/contact': () => import('../features/contact/contact-page.tsx'),
};

const memberArea = () => import('./member-area.tsx');
const deadEnds = {
  terminated: () => import('../features/dead-end/terminated-page.tsx'),
  'not-found': () => import('../features/dead-end/not-found-page.tsx'),
};

const withTexts = async (load: () => Promise<Page>): Promise<Page> =>
  (await Promise.all([load(), wantAllMessages()]))[0];

/** A page whose files or texts do not load while another is shown is opened by a full page load. */
const page = (load: () => Promise<Page>): LazyExoticComponent<ComponentType> =>
  lazy(() => withTexts(load).catch(reloadPage));

/** The public pages by their path. */
export const PUBLIC_PAGES: Record<PublicPath, ComponentType> = {
  '/login': LoginPage,
  '/register': page(PUBLIC['/register']),
  '/forgot': page(PUBLIC['/forgot']),
  '/howto': page(PUBLIC['/howto']),
  '/contact': page(PUBLIC['/contact']),
};

export const MemberArea = page(memberArea);
export const TerminatedPage = page(deadEnds.terminated);
export const NotFoundPage = page(deadEnds['not-found']);

/** Starts loading what a place needs; resolves when it is there. */
export function preloadPlace(place: Place): Promise<unknown> {
  if (place.kind === 'redirect') return Promise.resolve();
  if (place.kind === 'public') return place.path === '/login' ? Promise.resolve() : PUBLIC[place.path]();
  return place.kind === 'member' ? memberArea() : deadEnds[place.kind]();
}
