import { HOUR_MS } from '@krapao/contract/durations';
import { newToken } from '../../platform/ids.ts';
import { hashToken } from '../../platform/secrets.ts';
import type { Enrolment } from './queries.ts';
import { newSecondFactor } from './second-factor.ts';
import type { SignInDeps } from './sign-in.ts';

/** The stored form of an enrolment before it is valid, as JSON in Base64, without its token. */
export interface PendingEnrolment {
  tokenHash: string;
  sealed: string;
}

/** A pending enrolment that becomes valid now, for its whole lifetime. */
export function beginEnrolment(
  { clock, settings }: Pick<SignInDeps, 'clock' | 'settings'>,
  { tokenHash, sealed }: PendingEnrolment,
): Enrolment {
  const expiresAt = new Date(clock.now().getTime() + settings.get('desk.enrolmentHours') * HOUR_MS);
  return { tokenHash: Buffer.from(tokenHash, 'base64'), sealed: Buffer.from(sealed, 'base64'), expiresAt };
}

/**
 * A one-time enrolment: the token goes to the person, its hash into the database. `stored` is valid from now; `kept`
 * is stored in a request until its approval.
 */
export function newEnrolment(deps: Pick<SignInDeps, 'secrets' | 'clock' | 'settings'>) {
  const token = newToken();
  const kept: PendingEnrolment = {
    tokenHash: hashToken(token).toString('base64'),
    sealed: newSecondFactor(deps.secrets).toString('base64'),
  };
  const stored = beginEnrolment(deps, kept);
  return { token, expiresAt: stored.expiresAt, kept, stored };
}
