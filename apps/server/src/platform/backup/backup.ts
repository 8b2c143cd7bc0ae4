import type { Writable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../database/connect.ts';
import {
  counting,
  END_OF_ROWS,
  type Header,
  MAGIC,
  type Manifest,
  type TableRecord,
  TEXT_SETTINGS,
} from './format.ts';
import { writeNewFile } from './new-file.ts';
import { readSequences, readTables, readVersions, type Table } from './schema.ts';
import { writeCompressed, writeTo } from './sink.ts';

async function writeTable(client: pg.Client, table: Table, sink: Writable): Promise<TableRecord> {
  await writeTo(sink, `${JSON.stringify(table)}\n`);
  const copy = client.query(copyTo(`copy ${table.name} (${table.columns.join(', ')}) to stdout`));
  const { through, count } = counting();
  copy.once('error', (error) => through.destroy(error));
  for await (const chunk of copy.pipe(through)) await writeTo(sink, chunk);
  await writeTo(sink, END_OF_ROWS);
  return count.record(table.name);
}

/** One snapshot of the database: later commits are not in this backup. */
async function writeSnapshot(client: pg.Client, sink: Writable): Promise<Manifest> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(TEXT_SETTINGS);
  const header: Header = { createdAt: new Date().toISOString(), versions: await readVersions(client) };
  await writeTo(sink, `${MAGIC}\n${JSON.stringify(header)}\n`);
  const tables: TableRecord[] = [];
  for (const table of await readTables(client)) tables.push(await writeTable(client, table, sink));
  await client.query('commit');
  const manifest = { ...header, tables, sequences: await readSequences(client) };
  await writeTo(sink, `\n${JSON.stringify(manifest)}\n`);
  return manifest;
}

/**
 * Writes everything the database holds at one moment into one new compressed file, readable by us alone, while the
 * server runs. The file appears whole or not at all.
 * @returns what it holds, table by table
 * @throws when the file exists, another backup writes it, the disk is full or the database goes away
 */
export async function backup(database: Pick<Database, 'owner'>, file: string): Promise<Manifest> {
  return writeNewFile(file, async (part) => {
    const client = new pg.Client({
      ...database.owner,
      application_name: 'krapao backup',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await writeCompressed(part, (sink) => writeSnapshot(client, sink));
    } finally {
      await client.end();
    }
  });
}
