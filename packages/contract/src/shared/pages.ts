/** Every page of the member app by its path: public ones are written at build time, the others need a session. */
export const PUBLIC_PATHS = ['/login', '/register', '/forgot', '/howto', '/contact'] as const;
export const MEMBER_PATHS = [
  '/user/home',
  '/user/profile',
  '/user/limits',
  '/user/bonus',
  '/user/statement',
  '/user/contact',
] as const;
/** Shown when the service or the account has been closed. */
export const TERMINATED_PATH = '/terminated';
