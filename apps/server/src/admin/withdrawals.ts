import { approveWithdrawal, findWithdrawal, settleWithdrawal } from '../features/withdrawals/read.ts';
import { Refusal } from '../platform/refusal.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type AdminDeps, actor, audit, type Command, CommandError, need } from './command.ts';

/** Why a withdrawal cannot be approved, for the person at the command line. */
function refusalText(id: string, { code, data }: Refusal): string {
  if (code === 'INACTIVE_USER') return `Member ${data?.member} is not active; nothing is paid to them.`;
  if (code === 'APPROVAL_PENDING')
    return `An operator asks to book withdrawal ${id} as paid by hand; decide that first.`;
  return `Withdrawal ${id} was decided meanwhile.`;
}

async function decide(deps: AdminDeps, words: string[], yes: boolean): Promise<string[]> {
  const id = need(words, 0, "The withdrawal's id");
  const reason = need(words, 1, 'The reason');
  const row = await findWithdrawal(deps.pool, id);
  if (!row) throw new CommandError(`There is no withdrawal ${id}.`);
  if (row.status !== 'REVIEW')
    throw new CommandError(`Withdrawal ${id} is ${row.status} and not waiting for a decision.`);
  if (!yes) {
    const by = { actor: actor(), payoutState: null };
    const { state } = await settleWithdrawal(deps, row, 'released', by, reason);
    if (state !== 'posted') throw new CommandError(`Withdrawal ${id} was decided meanwhile.`);
    return [`Withdrawal ${id} refused; the money is back in the wallet.`];
  }
  try {
    await inTransaction(deps.pool, (tx) =>
      approveWithdrawal(deps, tx, id, (action) => audit(tx, deps, { ...action, reason })),
    );
  } catch (error) {
    throw error instanceof Refusal ? new CommandError(refusalText(id, error)) : error;
  }
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
