import { TRANSFER_CHECK } from '../features/games/read.ts';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { amountText, type Command, CommandError, command } from './command.ts';

export const commands: Record<string, Command> = {
  'ledger verify': command({
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
  }),
  'ledger balances': command({
    usage: '',
    about: 'sums of all accounts by kind and asset',
    async run(deps) {
      const result = await deps.pool.query(
        `select a.kind, s.code, count(*) as accounts, sum(a.balance)::bigint as balance from ledger_account a join ledger_asset s on s.id = a.asset
         group by a.kind, s.code order by s.code, a.kind`,
      );
      return result.rows.map(
        (row) => `${row.code}  ${row.kind}  ${row.accounts} accounts  ${amountText(row.balance, row.code)}`,
      );
    },
  }),
};
