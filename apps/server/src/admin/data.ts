import { backup } from '../platform/backup/backup.ts';
import { exportQuery } from '../platform/backup/csv.ts';
import { writeNewFile } from '../platform/backup/new-file.ts';
import { restore, verifyBackup } from '../platform/backup/restore.ts';
import { writePlain } from '../platform/backup/sink.ts';
import { sql } from '../platform/database/db.ts';
import { type PageSource, pageSource } from '../platform/database/pages.ts';
import { openStandby, readsOf } from '../platform/database/standby.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { moneySql } from '../platform/http/export-file.ts';
import { type AdminDeps, audit, type Command, CommandError, command } from './command.ts';

/** A time in Bangkok with its offset, as SQL. */
const zonedTimeSql = <const Column extends string>(column: Column) =>
  `to_char(${column} at time zone 'Asia/Bangkok', 'YYYY-MM-DD"T"HH24:MI:SS"+07:00"')` as const;

/** What can be exported, without sealed columns; amounts in the row's currency. */
const EXPORTS: Record<string, PageSource> = {
  members: pageSource(
    sql(`select id, phone, name, currency, status, source_code, inviter_id, unknown_invite_code,
      ${zonedTimeSql('created_at')} as created_at from member order by id`),
    [],
    'id',
  ),
  statement: pageSource(
    sql(`select s.member_id, s.number, s.id, s.type, s.status, s.source, s.target, ${moneySql('s.amount', 'm.currency')} as amount,
      m.currency, ${zonedTimeSql('s.created_at')} as created_at
    from statement s join member m on m.id = s.member_id order by s.member_id, s.number`),
    [],
    'id',
  ),
  deposits: pageSource(
    sql(`select d.id, d.member_id, d.channel, d.bank_code, d.bank_reference, d.qr_id, ${moneySql('d.amount', 'm.currency')} as amount,
      m.currency, d.from_stranger, ${zonedTimeSql('d.created_at')} as created_at
    from deposit d join member m on m.id = d.member_id order by d.created_at`),
    [],
    'id',
  ),
  withdrawals: pageSource(
    sql(`select w.id, w.member_id, ${moneySql('w.amount', 'm.currency')} as amount, m.currency, w.status, w.automatic, w.reason,
      ${zonedTimeSql('w.created_at')} as created_at, ${zonedTimeSql('w.updated_at')} as updated_at
    from withdrawal w join member m on m.id = w.member_id order by w.created_at`),
    [],
    'id',
  ),
  unmatched: pageSource(
    sql(`select id as page_key, bank_code, bank_reference, ${moneySql('amount', 'currency')} as amount, currency, payer_bank,
      payer_mask, reference1, likely_member_id, reason, ${zonedTimeSql('paid_at')} as paid_at
    from bank_transaction where state = 'UNMATCHED' order by id`),
    [],
    'page_key',
  ),
  audit: pageSource(
    sql(
      `select id, ${zonedTimeSql('at')} as at, actor, action, subject, before, after, reason, address from audit order by id`,
    ),
    [],
    'id',
  ),
};

const countRows = ({ tables }: { tables: readonly { rows: number }[] }): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

/** Fails where rows are there already: restoring over them would mix two histories. */
async function run<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(message.endsWith('.') ? message : `${message}.`);
  }
}

/** Runs an export into a new file, which appears whole or not at all. */
async function write(deps: AdminDeps, source: PageSource, file: string): Promise<number> {
  const standby = deps.config.DATABASE_READ_URL ? openStandby(deps.config.DATABASE_READ_URL) : undefined;
  const reads = readsOf(standby, deps.pool);
  return writeNewFile(file, (part) => writePlain(part, (sink) => exportQuery(reads, source, sink))).finally(
    () => standby?.end(),
  );
}

export const commands: Record<string, Command> = {
  backup: command({
    usage: '<file>',
    about: 'one moment of the running database in one file',
    run: (deps, [file]) =>
      run(async () => {
        const manifest = await backup(deps.database, file);
        const rows = countRows(manifest);
        await audit(deps.pool, deps, { action: 'backup', subject: 'backup', after: { rows } });
        return [`${manifest.tables.length} tables, ${rows} rows written to ${file}.`];
      }),
  }),
  restore: command({
    usage: '<file>',
    about: 'load a backup into an empty database',
    beforeMigration: true,
    run: (deps, [file]) =>
      run(async () => {
        await verifyBackup(file);
        const manifest = await restore(deps.database, file);
        const after = { createdAt: manifest.createdAt, rows: countRows(manifest) };
        await audit(deps.pool, deps, { action: 'restore', subject: 'backup', after });
        return [
          'Restored. Run `npm run admin -- ledger verify` now.',
          'What happened after the backup is not in it: see "After an older backup" in docs/operate.md before you open.',
        ];
      }),
  }),
  export: command({
    usage: '<table> <file>',
    about: `a table as CSV for a spreadsheet: ${Object.keys(EXPORTS).join(', ')}`,
    async run(deps, [name, file]) {
      const source = Object.hasOwn(EXPORTS, name) ? EXPORTS[name]! : null;
      if (!source) throw new CommandError(`There is no export ${name}.`);
      const rows = await run(() => write(deps, source, file));
      await audit(deps.pool, deps, { action: 'export', subject: entityRef('export', name), after: { rows } });
      return [`${rows} rows written to ${file}.`];
    },
  }),
};
