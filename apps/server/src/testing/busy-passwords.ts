import { hashPassword, type PasswordLane, type PasswordTurn } from '../platform/passwords.ts';

/** How many places of a lane one caller may hold. */
const SHARE: Record<PasswordLane, number> = { member: 50, operator: 20 };

/**
 * Fills one caller's share of a password lane, so that each further password of theirs is refused as busy, until the
 * returned function is called.
 */
export function holdPasswords(turn: PasswordTurn): () => Promise<void> {
  let isHeld = true;
  const hold = async () => {
    while (isHeld) await hashPassword('a password of another call', turn);
  };
  const places = Array.from({ length: SHARE[turn.lane] }, hold);
  return async () => {
    isHeld = false;
    await Promise.allSettled(places);
  };
}
