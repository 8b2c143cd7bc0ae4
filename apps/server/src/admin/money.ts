import { CURRENCY_DECIMALS, decimalToMinor } from '@krapao/contract/shared';
import { TRANSFER_CHECK } from '../features/games/read.ts';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { approve, endWithdrawal, findWithdrawal, WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { ASSET, type Asset, readBalance, recordText, verifyLedger } from '../ledger/index.ts';
import { newId } from '../platform/ids.ts';
import { addJob } from '../platform/jobs.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type AdminDeps, actor, audit, type Command, CommandError, need } from './command.ts';
import { findMember } from './members.ts';

async function enter(deps: AdminDeps, words: string[], direction: 'credit' | 'debit'): Promise<string[]> {
  const member = await findMember(deps, need(words, 0, 'The phone or id'));
  const amountMinor = decimalToMinor(need(words, 1, 'The amount'), CURRENCY_DECIMALS[member.currency]);
  const reason = need(words, 2, 'The reason');
  if (!amountMinor) throw new CommandError(`${words[1]} is no amount in ${member.currency}.`);
  const id = newId('MN', deps.clock.now());
  const house = await deps.house('manual', member.currency);
  const [from, to] = direction === 'credit' ? [house, member.wallet_account] : [member.wallet_account, house];
  const row = recordText([
    member.id,
    id,
    direction === 'credit' ? 'deposit' : 'withdraw',
    'SUCCESS',
    ...(direction === 'credit' ? ['manual', 'wallet'] : ['wallet', 'manual']),
    amountMinor,
  ]);
  const outcome = await deps.ledger.post({
    reference: `manual:${id}`,
    kind: `manual_${direction}`,
    memberId: member.id,
    legs: [{ from, to, amountMinor }],
    watch: member.wallet_account,
    companion: {
      name: 'manual_entry',
      values: [row, actor(), `manual.${direction}`, `member:${member.id}`, reason],
    },
  });
  if (outcome.state === 'insufficient') throw new CommandError('The wallet holds less than that.');
  if (outcome.state !== 'posted') throw new CommandError(`Not booked: ${outcome.state}.`);
  return [`${id}: member ${member.id} now has ${outcome.balanceMinor} minor units.`];
}

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
    if (!(await approve(tx, id, deps.clock.now()))) return false;
    await audit(tx, deps, {
      action: 'withdrawal.approve',
      thing: `withdrawal:${id}`,
      after: { amount: String(row.amount) },
      reason,
    });
    return true;
  });
  if (!approved) throw new CommandError(`Withdrawal ${id} was decided meanwhile.`);
  await addJob(deps.pool, 'withdrawals.pay', {}, { key: 'withdrawals.pay' });
  return [`Withdrawal ${id} approved; it is being paid.`];
}

export const moneyCommands: Record<string, Command> = {
  'ledger verify': {
    usage: '',
    about: 'prove the books, or name what is wrong',
    async run(deps) {
      const started = Date.now();
      const findings = await verifyLedger(deps.pool, [WITHDRAWAL_CHECK, TRANSFER_CHECK, STATEMENT_CHECK]);
      if (findings.length === 0) return [`The books are right (${Date.now() - started} ms).`];
      throw new CommandError(
        [
          'The books are NOT right:',
          ...findings.map((finding) => `  ${finding.check}: ${finding.detail}`),
        ].join('\n'),
      );
    },
  },
  'ledger balances': {
    usage: '',
    about: 'sums of all accounts by kind and asset',
    async run(deps) {
      const result = await deps.pool.query<{ kind: string; code: string; accounts: bigint; balance: bigint }>(
        `select a.kind, s.code, count(*) as accounts, sum(a.balance)::bigint as balance from ledger_account a join ledger_asset s on s.id = a.asset
         group by a.kind, s.code order by s.code, a.kind`,
      );
      return result.rows.map((row) => `${row.code}  ${row.kind}  ${row.accounts} accounts  ${row.balance}`);
    },
  },
  credit: {
    usage: '<phone or id> <amount> <reason>',
    about: "add money to a member's wallet",
    run: (deps, words) => enter(deps, words, 'credit'),
  },
  debit: {
    usage: '<phone or id> <amount> <reason>',
    about: "take money from a member's wallet",
    run: (deps, words) => enter(deps, words, 'debit'),
  },
  'coins grant': {
    usage: '<phone or id> <count> <reason>',
    about: 'give a member coins',
    async run(deps, words) {
      const member = await findMember(deps, need(words, 0, 'The phone or id'));
      const count = need(words, 1, 'The count');
      const reason = need(words, 2, 'The reason');
      if (!/^[1-9]\d{0,6}$/.test(count)) throw new CommandError(`${count} is no number of coins.`);
      const asset: Asset = 'COIN';
      const outcome = await deps.ledger.post({
        reference: `coins:${newId('MN', deps.clock.now())}`,
        kind: 'coin_grant',
        memberId: member.id,
        legs: [
          {
            from: await deps.house('coin_issue', asset),
            to: member.coin_account,
            amountMinor: BigInt(count),
          },
        ],
        companion: {
          name: 'manual_entry',
          values: [
            recordText([member.id, null, null, null, null, null, BigInt(count)]),
            actor(),
            'coins.grant',
            `member:${member.id}`,
            reason,
          ],
        },
      });
      if (outcome.state !== 'posted') throw new CommandError(`Not booked: ${outcome.state}.`);
      const { balanceMinor } = await readBalance(deps.pool, member.coin_account);
      return [`Member ${member.id} has ${balanceMinor} coins (asset ${ASSET[asset]}).`];
    },
  },
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
  'unmatched list': {
    usage: '',
    about: 'payments without an owner',
    async run(deps) {
      const result = await deps.pool.query<{
        bank_code: string;
        bank_reference: string;
        amount: bigint;
        payer_mask: string;
        likely_member_id: bigint | null;
        reason: string;
        paid_at: Date;
      }>(
        "select bank_code, bank_reference, amount, payer_mask, likely_member_id, reason, paid_at from bank_line where state = 'UNMATCHED' order by id",
      );
      const lines = result.rows.map(
        (row) =>
          `${row.bank_code} ${row.bank_reference}  ${row.amount}  from ${row.payer_mask}  likely member ${row.likely_member_id ?? '-'}  ${row.reason}  ${row.paid_at.toISOString()}`,
      );
      return lines.length === 0 ? ['No payment is without an owner.'] : lines;
    },
  },
};
