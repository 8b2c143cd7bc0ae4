import { newToken } from '../../platform/ids.ts';
import { hashToken } from '../../platform/secrets.ts';
import { newSecondFactor } from './second-factor.ts';
import type { SignInDeps } from './sign-in.ts';

const HOUR_MS = 3_600_000;

/** A one-time enrolment: the token goes to the person, its hash into the database. */
export function newEnrolment(deps: Pick<SignInDeps, 'secrets' | 'clock' | 'settings'>) {
  const token = newToken();
  const hours = deps.settings.get('desk.enrolmentHours');
  const expiresAt = new Date(deps.clock.now().getTime() + hours * HOUR_MS);
  return {
    token,
    expiresAt,
    stored: { tokenHash: hashToken(token), sealed: newSecondFactor(deps.secrets), expiresAt },
  };
}
