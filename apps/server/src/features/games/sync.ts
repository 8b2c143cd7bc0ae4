import { members } from '@krapao/contract/operator';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import { readBalance } from '../../ledger/index.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { actionRow } from '../approvals/read.ts';
import type { GameDeps } from './move.ts';
import { findHolder } from './operator-queries.ts';
import { findAccount } from './queries.ts';
import { refreshAccount } from './refresh.ts';

const CREDIT_HUNDREDTHS = 100;

/**
 * Declares an operator's reading of a member's game balance; the difference is booked as a game result, as in a
 * refresh.
 */
export function syncCall(declare: OperatorDeclare, deps: GameDeps): void {
  declare(members.syncGame, async ({ params, actor, refuse }) => {
    const holder = /^\d{1,18}$/.test(params.id) ? await findHolder(deps.pool, BigInt(params.id)) : undefined;
    const account = holder && (await findAccount(deps.pool, holder.id, params.game));
    if (!account) throw refuse('NO_DATA');
    const money = (minor: bigint) => fromMinor(minor, holder.currency as Currency);
    let before = 0n;
    const reading = await refreshAccount(deps, holder, account, (was, worth) => {
      before = was;
      const auditEntry = {
        action: 'game.sync',
        subject: entityRef('member', holder.id),
        before: { game: account.slot_code, worth: was },
        after: { game: account.slot_code, worth, currency: holder.currency },
      };
      return actionRow(actor, auditEntry, { at: deps.clock.now() });
    });
    if (reading.silent) throw refuse('PROVIDER_UNAVAILABLE');
    // A transfer is in flight, or another reading was booked first, which is equivalent.
    if (!reading.ok) throw refuse('ROW_CHANGED');
    const { balanceMinor } = await readBalance(deps.pool, account.balance_account);
    return {
      credits: Number(reading.account.credits) / CREDIT_HUNDREDTHS,
      worth: money(balanceMinor),
      result: money(balanceMinor - before),
    };
  });
}
