import type { MemberApi } from '@krapao/contract/member';
import { CLIENT_MARKER, IDENTITY_CODES } from '@krapao/contract/shared';
import type { ApiError } from '@krapao/ui/api/api-error.ts';
import { type ApiSettings, createApi } from '@krapao/ui/api/client.ts';
import { config } from './config.ts';
import { leaveRefused, tokenToSend } from './session.ts';

const IDENTITY: readonly string[] = ['invalid-token', ...IDENTITY_CODES];

/** An ended session goes to the login page, an ended service or account to its dead end; all else is the caller's. */
function onRefusal({ code }: ApiError, token: string | null): void {
  if (IDENTITY.includes(code)) leaveRefused(token, '/login');
  else if (code === 'gone') leaveRefused(token, '/terminated');
}

/** How every client of the member app speaks to the server. */
export const apiSettings: ApiSettings = {
  base: config.apiBase,
  marker: CLIENT_MARKER,
  token: tokenToSend,
  language: () => document.documentElement.lang,
  onRefusal,
};

/** Every call of the member app, typed by the contract. */
export const api = createApi<MemberApi>(apiSettings);
