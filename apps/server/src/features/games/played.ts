import { valueDown } from '@krapao/contract/credits';
import type { Member } from '../../platform/sessions.ts';
import type { GameDeps } from './move.ts';
import { type AccountRow, findSlot } from './queries.ts';

/**
 * What the member's settled bets in a game were worth since a moment, in minor units by the rate of today; null when
 * the provider does not tell.
 */
export async function readStaked(
  deps: GameDeps,
  member: Pick<Member, 'currency'>,
  account: AccountRow,
  since: Date,
): Promise<bigint | null> {
  const slot = await findSlot(deps.pool, account.slot_code);
  if (!slot) return null;
  const played = await deps.providerOf(slot).played(account.username, { from: since, to: deps.clock.now() });
  if (played.outcome !== 'ok') return null;
  return valueDown(played.value.turnover, account.rate_micro, member.currency);
}
