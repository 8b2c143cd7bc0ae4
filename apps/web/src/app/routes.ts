import { MEMBER_PATHS, PUBLIC_PATHS, TERMINATED_PATH } from '@krapao/contract/pages';

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
  if (path === TERMINATED_PATH) return { kind: 'terminated' };
  const publicPath = PUBLIC_PATHS.find((known) => known === path);
  if (publicPath) return { kind: 'public', path: publicPath };
  const memberPath = MEMBER_PATHS.find((known) => known === path);
  if (memberPath === undefined && path !== '/user') return { kind: 'not-found' };
  if (!hasToken) return { kind: 'redirect', to: '/login' };
  return memberPath ? { kind: 'member', path: memberPath } : { kind: 'redirect', to: '/user/home' };
}
