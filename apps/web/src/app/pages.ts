import { type ComponentType, lazy } from 'react';
import LoginPage from '../features/login/login-page.tsx';
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

/** The public pages by their path. */
export const PUBLIC_PAGES: Record<PublicPath, ComponentType> = {
  '/login': LoginPage,
  '/register': lazy(PUBLIC['/register']),
  '/forgot': lazy(PUBLIC['/forgot']),
  '/howto': lazy(PUBLIC['/howto']),
  '/contact': lazy(PUBLIC['/contact']),
};

export const MemberArea = lazy(memberArea);
export const TerminatedPage = lazy(deadEnds.terminated);
export const NotFoundPage = lazy(deadEnds['not-found']);

/** Starts loading what a place needs; resolves when it is there. */
export function preloadPlace(place: Place): Promise<unknown> {
  if (place.kind === 'redirect') return Promise.resolve();
  if (place.kind === 'public') return place.path === '/login' ? Promise.resolve() : PUBLIC[place.path]();
  return place.kind === 'member' ? memberArea() : deadEnds[place.kind]();
}
