import type { Currency } from '@krapao/contract/shared';
import { findPendingOf } from '../features/approvals/read.ts';
import { approve, endWithdrawal, findWithdrawal, lockWithdrawal } from '../features/withdrawals/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { addJob } from '../platform/jobs.ts';
import { inTransaction } from '../platform/transaction.ts';
import {
  type AdminDeps,
  actor,
  amountText,
  audit,
  type Command,
  CommandError,
  command,
  timeText,
} from './command.ts';

async function decide(deps: AdminDeps, [id, reason]: [string, string], yes: boolean): Promise<string[]> {
  const row = await findWithdrawal(deps.pool, id);
  if (!row) throw new CommandError(`There is no withdrawal ${id}.`);
  if (row.status !== 'REVIEW')
    throw new CommandError(`Withdrawal ${id} is ${row.status} and not waiting for a decision.`);
  if (!yes) {
    const ended = await endWithdrawal(deps, row, { reason, actor: actor(), payoutState: null });
    if (!ended) throw new CommandError(`Withdrawal ${id} was decided meanwhile.`);
    return [`Withdrawal ${id} refused; the money is back in the wallet.`];
  }
  const approved = await inTransaction(deps.pool, async (tx) => {
    const locked = await lockWithdrawal(tx, id);
    if (locked?.member_status !== 'ACTIVE')
      throw new CommandError(`Member ${row.member_id} is ${locked?.member_status}; nothing is paid to him.`);
    if (await findPendingOf(tx, entityRef('withdrawal', id), 'withdrawal.paid'))
      throw new CommandError(`An operator asks to book withdrawal ${id} as paid by hand; decide that first.`);
    if (!(await approve(tx, id, deps.clock.now()))) return false;
    await audit(tx, deps, {
      action: 'withdrawal.approve',
      thing: entityRef('withdrawal', id),
      after: { amount: String(row.amount) },
      reason,
    });
    return true;
  });
  if (!approved) throw new CommandError(`Withdrawal ${id} was decided meanwhile.`);
  await addJob(deps.pool, 'withdrawals.pay', {}, { key: 'withdrawals.pay' });
  return [`Withdrawal ${id} approved; it is being paid.`];
}

export const commands: Record<string, Command> = {
  'withdrawal list': command({
    usage: '',
    about: 'withdrawals that are not final',
    async run(deps) {
      const result = await deps.pool.query<{
        id: string;
        member_id: bigint;
        amount: bigint;
        currency: Currency;
        status: string;
        created_at: Date;
      }>(
        `select w.id, w.member_id, w.amount, m.currency, w.status, w.created_at from withdrawal w join member m on m.id = w.member_id
         where w.status in ('QUEUED', 'REVIEW', 'PROCESSING') order by w.created_at`,
      );
      return result.rows.length === 0
        ? ['No withdrawal is open.']
        : result.rows.map(
            (row) =>
              `${row.id}  member ${row.member_id}  ${amountText(row.amount, row.currency)}  ${row.status}  ${timeText(row.created_at)}`,
          );
    },
  }),
  'withdrawal approve': command({
    usage: '<id> <reason>',
    about: 'let a waiting withdrawal be paid',
    run: (deps, given) => decide(deps, given, true),
  }),
  'withdrawal refuse': command({
    usage: '<id> <reason>',
    about: 'give the money of a waiting withdrawal back',
    run: (deps, given) => decide(deps, given, false),
  }),
};
