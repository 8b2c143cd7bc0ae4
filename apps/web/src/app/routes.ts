/** Every page of the app by its path. Public pages stand in the public shell, member pages in the member shell. */
export const PUBLIC_PATHS = ['/login', '/register', '/forgot', '/howto', '/contact'] as const;
export const MEMBER_PATHS = [
  '/user/home',
  '/user/profile',
  '/user/limits',
  '/user/bonus',
  '/user/statement',
  '/user/contact',
] as const;

export type PublicPath = (typeof PUBLIC_PATHS)[number];
export type MemberPath = (typeof MEMBER_PATHS)[number];

export type Place =
  | { kind: 'redirect'; to: string }
  | { kind: 'public'; path: PublicPath }
  | { kind: 'member'; path: MemberPath }
  | { kind: 'terminated' }
  | { kind: 'not-found' };

/** Where an address leads. Member pages need a token; without one the way goes to the login page. */
export function placeOf(address: string, hasToken: boolean): Place {
  const path = address.replace(/(?<=.)\/+$/, '');
  if (path === '/') return { kind: 'redirect', to: '/user' };
  if (path === '/terminated') return { kind: 'terminated' };
  const publicPath = PUBLIC_PATHS.find((known) => known === path);
  if (publicPath) return { kind: 'public', path: publicPath };
  const memberPath = MEMBER_PATHS.find((known) => known === path);
  if (memberPath === undefined && path !== '/user') return { kind: 'not-found' };
  if (!hasToken) return { kind: 'redirect', to: '/login' };
  return memberPath ? { kind: 'member', path: memberPath } : { kind: 'redirect', to: '/user/home' };
}
