import type { OperatorApi } from '@krapao/contract/operator';
import { CONSOLE_MARKER, USER_INPUT } from '@krapao/contract/shared';
import type { ApiError } from '@krapao/ui/api/api-error.ts';
import { createApi } from '@krapao/ui/api/client.ts';
import { LiveQueryClient } from '@krapao/ui/api/live-query-client.ts';
import { createUpload } from '@krapao/ui/api/upload.ts';
import { isInputFresh } from './input.ts';
import { forgetRecent } from './recent.ts';

const ENDED = ['invalid-token', 'EXPIRED_AUTH_TOKEN', 'INACTIVE_USER'];

/** Whether a refusal means that the session has ended. */
export const isSignedOut = (code: string): boolean => ENDED.includes(code);

/** Queries are read again when a page opens; live events trigger the other reads. */
export const queries = new LiveQueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: false, refetchOnWindowFocus: true } },
});

/** An ended session shows the sign-in page; all other refusals are the caller's, also that a member is suspended. */
function onRefusal(error: ApiError): void {
  if (!isSignedOut(error.code) || error.data.member !== undefined) return;
  if (queries.getQueryData(['me']))
    queries.setQueryData(['ended'], error.data.reason === 'idle' ? 'idle' : 'other');
  queries.setQueryData(['me'], null);
}

/** Deletes what was read and opened in a session: the next one in this tab may be another operator's. */
export function forgetReads(): void {
  queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'me' && name !== 'ended' });
  forgetRecent();
}

const inputHeader = (): Record<string, string> =>
  isInputFresh() ? { [USER_INPUT.name]: USER_INPUT.value } : {};

/** The session is a cookie that no script can read. */
const settings = { base: '', marker: CONSOLE_MARKER, token: () => null, onRefusal, headers: inputHeader };

/** Every call of the console, typed by the contract. */
export const api = createApi<OperatorApi>(settings);

/** The calls that take a file. */
export const upload = createUpload<OperatorApi>(settings);

/** The answer of a call, by its name. */
export type Reply<Name extends keyof OperatorApi> = OperatorApi[Name]['reply'];
export type Query<Name extends keyof OperatorApi> = NonNullable<OperatorApi[Name]['query']>;
export type Body<Name extends keyof OperatorApi> = OperatorApi[Name]['body'];
