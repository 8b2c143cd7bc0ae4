import { HOUR_MS } from '@krapao/contract/durations';
import { newToken } from '../../platform/ids.ts';
import { hashToken } from '../../platform/secrets.ts';
import type { Enrolment } from './queries.ts';
import { newSecondFactor } from './second-factor.ts';
import type { SignInDeps } from './sign-in.ts';

/** What is kept of an enrolment until it begins to count, as JSON takes it: nothing that opens it, in Base64. */
export interface KeptEnrolment {
  tokenHash: string;
  sealed: string;
}

/** A kept enrolment that counts from now, for its whole life. */
export function beginEnrolment(
  { clock, settings }: Pick<SignInDeps, 'clock' | 'settings'>,
  { tokenHash, sealed }: KeptEnrolment,
): Enrolment {
  const expiresAt = new Date(clock.now().getTime() + settings.get('desk.enrolmentHours') * HOUR_MS);
  return { tokenHash: Buffer.from(tokenHash, 'base64'), sealed: Buffer.from(sealed, 'base64'), expiresAt };
}

/**
 * A one-time enrolment: the token goes to the person, its hash into the database. `stored` counts from now; `kept`
 * waits in a request for its beginning.
 */
export function newEnrolment(deps: Pick<SignInDeps, 'secrets' | 'clock' | 'settings'>) {
  const token = newToken();
  const kept: KeptEnrolment = {
    tokenHash: hashToken(token).toString('base64'),
    sealed: newSecondFactor(deps.secrets).toString('base64'),
  };
  const stored = beginEnrolment(deps, kept);
  return { token, expiresAt: stored.expiresAt, kept, stored };
}
