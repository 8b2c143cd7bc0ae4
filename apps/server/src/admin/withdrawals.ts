import { findPendingOf } from '../features/approvals/read.ts';
import { approve, endWithdrawal, findWithdrawal, lockWithdrawal } from '../features/withdrawals/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { addJob } from '../platform/jobs.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type AdminDeps, actor, audit, type Command, CommandError, need } from './command.ts';

async function decide(deps: AdminDeps, words: string[], yes: boolean): Promise<string[]> {
  const id = need(words, 0, "The withdrawal's id");
  const reason = need(words, 1, 'The reason');
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
    if (await findPendingOf(tx, `withdrawal:${id}`, 'withdrawal.paid'))
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
  'withdrawal list': {
    usage: '',
    about: 'withdrawals that are not final',
    async run(deps) {
      const result = await deps.pool.query<{
        id: string;
        member_id: bigint;
        amount: bigint;
        status: string;
        created_at: Date;
      }>(
        "select id, member_id, amount, status, created_at from withdrawal where status in ('QUEUED', 'REVIEW', 'PROCESSING') order by created_at",
      );
      return result.rows.length === 0
        ? ['No withdrawal is open.']
        : result.rows.map(
            (row) =>
              `${row.id}  member ${row.member_id}  ${row.amount}  ${row.status}  ${row.created_at.toISOString()}`,
          );
    },
  },
  'withdrawal approve': {
    usage: '<id> <reason>',
    about: 'let a waiting withdrawal be paid',
    run: (deps, words) => decide(deps, words, true),
  },
  'withdrawal refuse': {
    usage: '<id> <reason>',
    about: 'give the money of a waiting withdrawal back',
    run: (deps, words) => decide(deps, words, false),
  },
};
