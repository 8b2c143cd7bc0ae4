import { clearUnsent } from '../features/chat/unsent.ts';
import { api, queries } from '../platform/api.ts';
import { forgetRecent } from '../platform/recent.ts';

/** Ends the session and forgets what was read and written in it. */
export async function signOut(): Promise<void> {
  await api('POST /api/operator/logout').catch(() => undefined);
  queries.clear();
  forgetRecent();
  clearUnsent();
  location.assign('/');
}
