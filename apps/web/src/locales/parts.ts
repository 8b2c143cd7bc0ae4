/**
 * The login page carries only the texts it can show; everything else of a language follows in a second file. An id
 * belongs to the first part by its family or by name.
 */
const FIRST_FAMILIES = ['shell.', 'login.'];

const FIRST_IDS = new Set([
  'auth.login',
  'auth.phone',
  'auth.password',
  'auth.register',
  'auth.rememberMe',
  'auth.showPassword',
  'auth.hidePassword',
  'nav.home',
  'nav.register',
  'nav.howto',
  'nav.contact',
  'nav.language',
  'valid.required',
  'error.WRONG_CREDENTIAL',
  'error.network',
  'error.unreachable',
  'valid.phone10',
  'error.generic',
]);

/** Whether the login page needs this message. */
export const isFirstPart = (id: string): boolean =>
  FIRST_IDS.has(id) || FIRST_FAMILIES.some((family) => id.startsWith(family));
