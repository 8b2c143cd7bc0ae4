import type { Currency } from '@krapao/contract/shared';
import type { Actor } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import type { Refuse } from '../../platform/refusal.ts';

/** Money that an operator moves manually, in minor units; a repeat under the same reference counts once. */
interface OperatorMove {
  kind: 'pay' | 'credit';
  currency: Currency;
  amount: bigint;
  reference: string;
}

/**
 * Counts a move against the limits of the operator and their role, in the transaction that does it. Throws OPERATOR_LIMIT
 * when it is above them. Moves of one operator are decided one after the other. What the ledger books is counted by the
 * guards of its attached writes, with the same SQL function.
 */
export async function requireWithinLimit(
  refuse: Refuse<'OPERATOR_LIMIT'>,
  { clock }: { clock: Clock },
  tx: PoolClient,
  actor: Actor,
  { kind, currency, amount, reference }: OperatorMove,
): Promise<void> {
  const { rows } = await tx.query(
    'select operator_limit_refusal($1::bigint, $2, $3, $4, $5, $6) as refusal',
    [actor.id, kind, currency, amount, reference, clock.now()],
  );
  if (rows[0]!.refusal !== null) throw refuse('OPERATOR_LIMIT');
}
