import type { MemberApi } from '@krapao/contract/member';
import { CLIENT_MARKER, IDENTITY_CODES } from '@krapao/contract/shared';
import type { ApiError } from '@krapao/ui/api/api-error.ts';
import { type ApiSettings, createApi } from '@krapao/ui/api/client.ts';
import { config } from './config.ts';
import { leaveSession, sessionToken } from './session.ts';

const IDENTITY: readonly string[] = ['invalid-token', ...IDENTITY_CODES];

/** An ended session goes to the login page, an ended service or account to its dead end; all else is the caller's. */
function onRefusal(error: ApiError): void {
  if (IDENTITY.includes(error.code)) leaveSession('/login');
  else if (error.code === 'gone') leaveSession('/terminated');
}

/** How every client of the member app speaks to the server. */
export const apiSettings: ApiSettings = {
  base: config.apiBase,
  marker: CLIENT_MARKER,
  token: sessionToken,
  language: () => document.documentElement.lang,
  onRefusal,
};

/** Every call of the member app, typed by the contract. */
export const api = createApi<MemberApi>(apiSettings);
