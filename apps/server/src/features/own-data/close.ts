import { ownData } from '@krapao/contract/member';
import { writeMemberAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type GameDeps, refreshAll } from '../games/read.ts';
import { listOpenItems, lockMember, writeStatus } from '../members/read.ts';
import { requireOwnPassword, type SessionDeps } from '../sessions/read.ts';

export type CloseDeps = SessionDeps & GameDeps;

/**
 * Closes the account of a member at their request. Reads the games' balances first, so that no balance is left there; what
 * is open is checked under the member's lock. Money that arrives later is credited and found by operators.
 */
export function closeCall(declare: Declare, deps: CloseDeps): void {
  declare(ownData.closeAccount, async ({ member, body, address, refuse }) => {
    await requireOwnPassword(refuse, deps, member, address, body.password);
    const readings = await refreshAll(deps, member);
    if (readings.some(({ silent }) => silent)) throw refuse('PROVIDER_UNAVAILABLE');
    await inTransaction(deps.pool, async (tx) => {
      const row = await lockMember(tx, String(member.id));
      if (row?.status !== 'ACTIVE') throw new Refusal('gone');
      const open = await listOpenItems(tx, member.id);
      if (open.length > 0) throw new Refusal('INVALID_REQUEST', { open });
      await writeStatus(tx, member.id, 'CLOSED');
      const auditEntry = {
        action: 'member.close',
        subject: entityRef('member', member.id),
        before: { status: row.status },
      };
      const who = { id: member.id, address };
      await writeMemberAudit(tx, who, { ...auditEntry, after: { status: 'CLOSED' } }, deps.clock.now());
    });
    return { message: 'OK' };
  });
}
