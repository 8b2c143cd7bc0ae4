import { PAYOUTS, resumePayouts } from '../features/withdrawals/fence.ts';
import {
  approveWithdrawal,
  concludeDecision,
  findWithdrawal,
  rejectWithdrawal,
} from '../features/withdrawals/read.ts';
import { Refusal } from '../platform/refusal.ts';
import { refuseAny } from '../platform/refuse-any.ts';
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

/** Why a withdrawal cannot be approved, for the person at the command line. */
function refusalText(id: string, { code, data }: Refusal): string {
  if (code === 'INACTIVE_USER') return `Member ${data?.member} is not active; nothing is paid to them.`;
  if (code === 'APPROVAL_PENDING')
    return `A request to book withdrawal ${id} as paid manually is pending; decide it first.`;
  return `Withdrawal ${id} was decided meanwhile.`;
}

async function decide(deps: AdminDeps, [id, reason]: [string, string], yes: boolean): Promise<string[]> {
  const row = await findWithdrawal(deps.pool, id);
  if (!row) throw new CommandError(`There is no withdrawal ${id}.`);
  if (row.status !== 'REVIEW')
    throw new CommandError(`Withdrawal ${id} is ${row.status} and not waiting for a decision.`);
  try {
    await inTransaction(deps.pool, (tx) => {
      const by = {
        actor: actor(),
        operatorId: null,
        undoSeconds: 0,
        audit: (action: Parameters<typeof audit>[2]) => audit(tx, deps, { ...action, reason }),
      };
      if (yes) return approveWithdrawal(refuseAny, deps, tx, id, by, { reason, approvalId: null });
      return rejectWithdrawal(refuseAny, deps, tx, id, by, { seen: 'REVIEW', reason, notice: null });
    });
  } catch (error) {
    throw error instanceof Refusal ? new CommandError(refusalText(id, error)) : error;
  }
  await concludeDecision(deps, id, 0);
  return [
    yes
      ? `Withdrawal ${id} approved; it is being paid.`
      : `Withdrawal ${id} refused; the money is back in the wallet.`,
  ];
}

export const commands: Record<string, Command> = {
  'withdrawal list': command({
    usage: '',
    about: 'withdrawals that are not final',
    async run(deps) {
      const result = await deps.pool.query(
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
  'withdrawal resume': command({
    usage: '<reason>',
    about: 'send payouts again after a takeover or a restore of the database; compare with the bank before',
    run: (deps, [reason]) =>
      inTransaction(deps.pool, async (tx) => {
        if (!(await resumePayouts(tx, deps.clock.now()))) return ['Payouts are being sent; nothing to do.'];
        await audit(tx, deps, { action: 'withdrawal.resume', subject: PAYOUTS, reason });
        return ['Payouts are sent again.'];
      }),
  }),
};
