import { HOUR_MS } from '@krapao/contract/durations';
import type { PoolClient } from '../../platform/database/db.ts';
import { newToken } from '../../platform/ids.ts';
import { hashToken } from '../../platform/secrets.ts';
import { lapseRequestsOf } from '../approvals/read.ts';
import { type Enrolment, endEnrolmentsMadeBy } from './queries.ts';
import { newSecondFactor } from './second-factor.ts';
import type { SignInDeps } from './sign-in.ts';

/** The stored form of an enrolment before it is valid, as JSON in Base64, without its token. */
export interface PendingEnrolment {
  tokenHash: string;
  sealed: string;
}

/** A pending enrolment that becomes valid now, for its whole lifetime. `makerId`: the operator who has the link. */
export function beginEnrolment(
  { clock, settings }: Pick<SignInDeps, 'clock' | 'settings'>,
  { tokenHash, sealed }: PendingEnrolment,
  makerId: bigint | null,
): Enrolment {
  const expiresAt = new Date(clock.now().getTime() + settings.get('desk.enrolmentHours') * HOUR_MS);
  const bytes = { tokenHash: Buffer.from(tokenHash, 'base64'), sealed: Buffer.from(sealed, 'base64') };
  return { ...bytes, expiresAt, makerId };
}

/**
 * Ends the links that an operator whose access is taken away has made or requested: unused enrolments, and all pending
 * requests. Returns what the audit row adds: the names of the operators whose enrolments ended, if any.
 */
export async function endLinksMadeBy(
  tx: PoolClient,
  operatorId: bigint,
): Promise<{ enrolmentsEnded?: string[] }> {
  await lapseRequestsOf(tx, operatorId);
  const enrolmentsEnded = await endEnrolmentsMadeBy(tx, operatorId);
  return enrolmentsEnded.length > 0 ? { enrolmentsEnded } : {};
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
  const stored = beginEnrolment(deps, kept, null);
  return { token, expiresAt: stored.expiresAt, kept, stored };
}
