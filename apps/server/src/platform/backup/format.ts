import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { Sequence, Table } from './schema.ts';

/**
 * A backup is gzip over plain text, readable with `zcat`: a first line saying what it is, a header in JSON, then for
 * each table its name and columns in JSON, its rows as PostgreSQL's COPY writes them, and a line `\.`; at the end
 * the manifest in JSON. A row never begins with `\.`, COPY escapes it.
 */
export const MAGIC = 'krapao-backup 1';
/** Ends a table's rows. */
export const END_OF_ROWS = '\\.\n';

/** What a backup says first. */
export type Header = {
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Migrations applied to the database it was taken from. */
  versions: string[];
};

/** What a backup holds of one table. */
export type TableRecord = { name: string; rows: number; sha256: string };

/** What a backup says last, when all is counted. */
export type Manifest = Header & { tables: TableRecord[]; sequences: Sequence[] };

/** The line before a table's rows. */
export type TableHeading = Table;

/** Session settings under which text is written and read alike, whatever the server's own. */
export const TEXT_SETTINGS = `
  set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 3;
  set bytea_output = 'hex'; set client_encoding = 'UTF8'; set statement_timeout = 0;`;

const NEWLINE = 10;

/** Counts and hashes rows as they pass. A row of COPY's text is one line. */
export class RowCount {
  rows = 0;
  private readonly hash = createHash('sha256');

  add(chunk: Buffer): void {
    this.hash.update(chunk);
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) this.rows += 1;
  }

  /** What passed, once all has. */
  record(name: string): TableRecord {
    return { name, rows: this.rows, sha256: this.hash.digest('hex') };
  }
}

/**
 * Passes bytes through and counts them. The driver's own count comes with the end of the command, which may arrive
 * after the last row has been read.
 */
export function counting(): { through: Transform; count: RowCount } {
  const count = new RowCount();
  const through = new Transform({
    transform(chunk, _encoding, done) {
      count.add(chunk);
      done(null, chunk);
    },
  });
  return { through, count };
}
