import { randomBytes } from 'node:crypto';
import { wallet } from '@krapao/contract/member';
import type { RefusalsOf } from '@krapao/contract/shared';
import type { Declare } from '../../platform/http/declare.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import type { GameDeps } from './move.ts';
import {
  type AccountRow,
  endNextPassword,
  findAccount,
  findSlot,
  keepNextPassword,
  type SlotRow,
} from './queries.ts';
import { requireMayEnter } from './refresh.ts';

const RESET_SECONDS = 60;

/** Twelve letters and digits that are hard to mistake for each other. */
export function newGamePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(12), (byte) => alphabet[byte % alphabet.length]).join('');
}

async function find(
  refuse: Refuse<'NO_GAME' | 'SLOT_NO_ACCOUNT'>,
  deps: GameDeps,
  member: Member,
  slotCode: string,
) {
  const slot = await findSlot(deps.pool, slotCode);
  if (!slot) throw refuse('NO_GAME');
  const account = await findAccount(deps.pool, member.id, slotCode);
  if (!account) throw refuse('SLOT_NO_ACCOUNT');
  return { slot, account };
}

const credentials = (deps: GameDeps, account: AccountRow, sealed: Buffer) => ({
  username: account.username,
  password: deps.secrets.decrypt('game-password', sealed),
  ...(account.event ? { event: account.event } : {}),
});

/**
 * Sends a stored password to the provider. It stays stored until its arrival is certain, because an earlier call may have
 * arrived without a response; only a refusal of the first call ends it.
 */
async function send(
  refuse: Refuse<'PROVIDER_UNAVAILABLE' | 'SLOT_RESET_PASSWORD_FAIL'>,
  deps: GameDeps,
  slot: SlotRow,
  account: AccountRow,
  sealed: Buffer,
  isFirst: boolean,
) {
  const sent = credentials(deps, account, sealed);
  const response = await deps.providerOf(slot).changePassword(sent);
  if (response.outcome === 'ok') {
    await endNextPassword(deps.pool, account, sealed, true);
    return sent;
  }
  if (response.outcome === 'unknown') throw refuse('PROVIDER_UNAVAILABLE', undefined, response.note);
  if (isFirst) await endNextPassword(deps.pool, account, sealed, false);
  throw refuse('SLOT_RESET_PASSWORD_FAIL');
}

async function reset(
  refuse: Refuse<RefusalsOf<typeof wallet.resetSlotPassword>>,
  deps: GameDeps,
  member: Member,
  slotCode: string,
) {
  const { slot, account } = await find(refuse, deps, member, slotCode);
  const fresh = deps.secrets.encrypt('game-password', newGamePassword());
  const intent = { sealed: fresh, now: deps.clock.now(), seconds: RESET_SECONDS };
  const kept = await keepNextPassword(deps.pool, account, intent);
  if (!kept) throw refuse('SLOT_RESET_PASSWORD_FAIL', undefined, 'within a minute');
  return send(refuse, deps, slot, account, kept, kept.equals(fresh));
}

/** Declares reading a game account's credentials and resetting its password. */
export function gamePasswordCalls(declare: Declare, deps: GameDeps): void {
  // A member who may not play does not receive the provider's credentials either.
  declare(wallet.readSlotAccount, async ({ member, params, refuse }) => {
    await requireMayEnter(refuse, deps, member);
    const { slot, account } = await find(refuse, deps, member, params.slotCode);
    return account.next_password_sealed
      ? send(refuse, deps, slot, account, account.next_password_sealed, false)
      : credentials(deps, account, account.password_sealed);
  });
  declare(wallet.resetSlotPassword, async ({ member, params, refuse }) => {
    await requireMayEnter(refuse, deps, member);
    return reset(refuse, deps, member, params.slotCode);
  });
}
