import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { backup } from '../platform/backup/backup.ts';
import { exportQuery } from '../platform/backup/csv.ts';
import { restore, verifyBackup } from '../platform/backup/restore.ts';
import { type AdminDeps, audit, type Command, CommandError, need } from './command.ts';

/** What can be exported, without sealed columns. */
const EXPORTS: Record<string, string> = {
  members:
    'select id, phone, name, currency, status, source_code, inviter_id, unknown_invite_code, created_at from member order by id',
  statement:
    'select member_id, number, id, type, status, source, target, amount, created_at from statement order by member_id, number',
  deposits:
    'select id, member_id, channel, bank_code, bank_reference, qr_id, amount, from_stranger, created_at from deposit order by created_at',
  withdrawals:
    'select id, member_id, amount, status, automatic, reason, created_at, updated_at from withdrawal order by created_at',
  unmatched:
    "select id as page_key, bank_code, bank_reference, amount, payer_bank, payer_mask, reference1, likely_member_id, reason, paid_at from bank_line where state = 'UNMATCHED' order by id",
  audit: 'select id, at, actor, action, thing, before, after, reason, address from audit order by id',
};

/** Fails where rows are there already: restoring over them would mix two histories. */
async function run(work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(message.endsWith('.') ? message : `${message}.`);
  }
}

/** Runs an export into a file; a CommandError says why the file cannot be written. */
async function write(deps: AdminDeps, query: string, file: string): Promise<number> {
  const sink = await open(file, 'w', 0o600).catch((error: Error) => {
    throw new CommandError(`${error.message}.`);
  });
  const stream = sink.createWriteStream();
  const key = query.startsWith('select id as page_key') ? 'page_key' : 'id';
  const rows = await exportQuery(deps.pool, { sql: query, values: [], key }, stream);
  stream.end();
  await finished(stream);
  return rows;
}

export const commands: Record<string, Command> = {
  backup: {
    usage: '<file>',
    about: 'one moment of the running database in one file',
    run: (deps, words) =>
      run(async () => {
        const manifest = await backup(deps.database, need(words, 0, 'The file'));
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
        await audit(deps.pool, deps, { action: 'backup', thing: 'backup', after: { rows } });
        return [`${manifest.tables.length} tables, ${rows} rows written to ${words[0]}.`];
      }),
  },
  restore: {
    usage: '<file>',
    about: 'load a backup into an empty database',
    beforeMigration: true,
    run: (deps, words) =>
      run(async () => {
        await verifyBackup(need(words, 0, 'The file'));
        await restore(deps.database, words[0]!);
        return [
          'Restored. Run `npm run admin -- ledger verify` now.',
          'What happened after the backup is not in it: see "After an older backup" in docs/operate.md before you open.',
        ];
      }),
  },
  export: {
    usage: `<${Object.keys(EXPORTS).join('|')}> <file.csv>`,
    about: 'a table for a spreadsheet',
    async run(deps: AdminDeps, words) {
      const name = need(words, 0, 'What to export');
      const file = need(words, 1, 'The file');
      const query = Object.hasOwn(EXPORTS, name) ? EXPORTS[name]! : null;
      if (!query) throw new CommandError(`There is no export ${name}.`);
      const rows = await write(deps, query, file);
      await audit(deps.pool, deps, { action: 'export', thing: `export:${name}`, after: { rows } });
      return [`${rows} rows written to ${file}.`];
    },
  },
};
