import { api, queries } from '../platform/api.ts';
import { forgetRecent } from '../platform/recent.ts';

/** Ends the session and forgets what was read in it. */
export async function signOut(): Promise<void> {
  await api('POST /api/operator/logout').catch(() => undefined);
  queries.clear();
  forgetRecent();
  location.assign('/');
}
