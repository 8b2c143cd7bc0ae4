import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../database/connect.ts';
import { migrate, migrateAsIn } from '../database/migrate.ts';
import {
  counting,
  type Header,
  MAGIC,
  type Manifest,
  RowCount,
  type TableHeading,
  type TableRecord,
  TEXT_SETTINGS,
} from './format.ts';
import { BackupReader } from './reader.ts';
import { isEmptyDatabase, readTables, type Sequence } from './schema.ts';

async function openBackup(file: string): Promise<{ reader: BackupReader; header: Header }> {
  const gunzip = createGunzip();
  const source = createReadStream(file);
  source.once('error', (error) => gunzip.destroy(error));
  const reader = new BackupReader(source.pipe(gunzip));
  const magic = await reader.line().catch((error) => {
    throw new Error(`${file} cannot be read as a backup: ${error.message}`, { cause: error });
  });
  if (magic !== MAGIC) throw new Error(`${file} is no backup of this program.`);
  return { reader, header: JSON.parse(await reader.line()) };
}

type TakeTable = (heading: TableHeading, reader: BackupReader) => Promise<TableRecord>;

/** Reads without a database. */
async function countTable({ name }: TableHeading, reader: BackupReader): Promise<TableRecord> {
  const count = new RowCount();
  for await (const chunk of reader.rows()) count.add(chunk);
  return count.record(name);
}

/** Tables and sequences that have another name since 1.1.14, as a backup of it names them. */
const RENAMED_RELATIONS: Record<string, string> = {
  'public.act_alone': 'public.small_action',
  'public.bank_line': 'public.bank_transaction',
  'public.bank_line_id_seq': 'public.bank_transaction_id_seq',
  'public.bank_sighting': 'public.transfer_evidence',
  'public.bank_sighting_id_seq': 'public.transfer_evidence_id_seq',
  'public.claim': 'public.assignment',
  'public.deposit_claim': 'public.payment_report',
  'public.desk_columns': 'public.console_columns',
  'public.desk_view': 'public.console_view',
  'public.ended_wish': 'public.ended_intent',
};

/** Columns that have another name since 1.1.14, under the present name of their table. */
const RENAMED_COLUMNS: Record<string, Record<string, string>> = {
  'public.alert': { thing: 'subject' },
  'public.approval': { thing: 'subject' },
  'public.assignment': { claimed_at: 'assigned_at', thing: 'subject' },
  'public.audit': { thing: 'subject' },
  'public.console_columns': { room: 'page_name' },
  'public.console_view': { room: 'page_name' },
  'public.payout_return': { line_id: 'bank_transaction_id' },
  'public.reconciliation_difference': { our_thing: 'our_subject' },
  'public.transfer_evidence': { line_id: 'bank_transaction_id' },
};

async function loadTable(
  client: pg.Client,
  heading: TableHeading,
  reader: BackupReader,
): Promise<TableRecord> {
  const { through, count } = counting();
  const table = RENAMED_RELATIONS[heading.name] ?? heading.name;
  const columns = heading.columns.map((column) => RENAMED_COLUMNS[table]?.[column] ?? column);
  const copy = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(reader.rows(), { objectMode: false }), through, copy);
  return count.record(heading.name);
}

/** Takes table after table, then holds what arrived against the manifest. */
async function takeAll(reader: BackupReader, take: TakeTable): Promise<Manifest> {
  const arrived: TableRecord[] = [];
  for (let line = await reader.line(); line !== ''; line = await reader.line()) {
    arrived.push(await take(JSON.parse(line), reader));
  }
  const manifest: Manifest = JSON.parse(await reader.line());
  compare(arrived, manifest);
  return manifest;
}

/** The file says at its end what it holds; what arrived must be that, to the byte. */
function compare(arrived: TableRecord[], { tables }: Manifest): void {
  const found = new Map(arrived.map((record) => [record.name, record]));
  const wrong = tables.filter(({ name, rows, sha256 }) => {
    const record = found.get(name);
    return record?.rows !== rows || record.sha256 !== sha256;
  });
  if (wrong.length > 0 || arrived.length !== tables.length) {
    const names = wrong.map(({ name }) => name).join(', ') || 'the list of tables';
    throw new Error(`${names} does not match the manifest.`);
  }
}

async function setSequences(client: pg.Client, sequences: Sequence[]): Promise<void> {
  for (const { name, lastValue, isCalled } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      RENAMED_RELATIONS[name] ?? name,
      lastValue,
      isCalled,
    ]);
  }
}

/** Jobs somebody was working on at the moment of the backup: that worker is gone, so they are free again. */
const FREE_JOBS = `
  update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null;
  update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null;`;

/**
 * A session that ended and a key that was revoked since the backup is valid in it: all sessions end, and everyone logs in
 * again; all keys of operators are revoked, and new ones are created. And what members after the backup
 * were called by (a game's player is named by the member's number) stays theirs: numbers begin further on. A backup may be
 * from before a table was there.
 */
const FORGOTTEN = `
  do $$ begin
    if to_regclass('public.member') is not null then
      update session set ended_at = now(), ended_by = 'operator' where ended_at is null;
      perform setval('member_id_seq', (select last_value from member_id_seq) + 100000);
    end if;
    if to_regclass('public.operator_session') is not null then
      update operator_session set ended_at = now() where ended_at is null;
    end if;
    if to_regclass('public.operator_key') is not null then
      update operator_key set revoked_at = now() where revoked_at is null;
    end if;
  end $$`;

/** Payouts sent since the backup are missing in it: none is sent before an operator has compared. */
const FENCE_CLOSED = `
  do $$ begin
    if to_regclass('public.payout_fence') is not null then
      insert into payout_fence (timeline) values ('restored') on conflict (only_row) do update set timeline = excluded.timeline;
    end if;
  end $$`;

async function fill(client: pg.Client, reader: BackupReader, upgrade = ''): Promise<Manifest> {
  await client.query('begin');
  await client.query(TEXT_SETTINGS);
  const tables = (await readTables(client)).map((table) => table.name);
  // Disables our triggers: restored rows were checked when they were written. Foreign keys stay checked.
  for (const name of tables) await client.query(`alter table ${name} disable trigger user`);
  // Migrations put first rows into some tables; the backup has them, perhaps changed since.
  await client.query(`truncate ${tables.join(', ')}`);
  const manifest = await takeAll(reader, (heading) => loadTable(client, heading, reader));
  await client.query(FREE_JOBS);
  for (const name of tables) await client.query(`alter table ${name} enable trigger user`);
  await client.query(upgrade);
  await setSequences(client, manifest.sequences);
  await client.query(FORGOTTEN);
  await client.query(FENCE_CLOSED);
  await client.query('commit');
  await client.query('analyze');
  return manifest;
}

/**
 * Reads a backup to its end and holds every table against the manifest.
 * @returns what it holds
 * @throws one sentence when it is cut off, damaged or something else
 */
export async function verifyBackup(file: string): Promise<Manifest> {
  const { reader } = await openBackup(file);
  try {
    return await takeAll(reader, countTable);
  } catch (error) {
    throw new Error(`${file} is damaged: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Does for a database that point-in-time recovery has restored what {@link restore} does for one it filled: ends every
 * session, continues members' numbers further on and holds payouts back. Run it once, before a server starts: a repeat
 * moves the numbers again.
 */
export async function markRestored(database: Pick<Database, 'owner'>): Promise<void> {
  await withOwner(database, async (client) => {
    await client.query(FORGOTTEN);
    await client.query(FENCE_CLOSED);
  });
}

async function withOwner<T>(database: Pick<Database, 'owner'>, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ ...database.owner, application_name: 'krapao restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Brings a backup back into an empty database: migrates it to the version of the backup, loads every row in one
 * transaction, verifies counts and hashes, sets the counters and ends every session. Then it migrates on to this program's
 * version and holds payouts back. Do not start a server on it before it has returned.
 * @param migrations folder of the numbered files; the server's own by default
 * @returns what was restored
 * @throws when the database is not empty, the file is damaged or from a newer program; no row is left then
 */
export async function restore(
  database: Pick<Database, 'owner'>,
  file: string,
  migrations?: string,
): Promise<Manifest> {
  // Read through once before anything is touched: a damaged file leaves no half-prepared database.
  const { versions } = await verifyBackup(file);
  if (!(await withOwner(database, isEmptyDatabase))) {
    throw new Error('Restoring needs an empty database; this one holds tables already.');
  }
  const upgrade = await migrateAsIn(database.owner, versions, migrations);
  const manifest = await withOwner(database, async (client) =>
    fill(client, (await openBackup(file)).reader, upgrade),
  );
  await migrate(database.owner, migrations === undefined ? undefined : { folder: migrations });
  // The tables of an older version had no fence to close.
  await withOwner(database, (client) => client.query(FENCE_CLOSED));
  return manifest;
}
