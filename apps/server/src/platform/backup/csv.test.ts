import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { testDatabase } from '../database/testing.ts';
import { csvCell, exportQuery } from './csv.ts';

const { app, owner } = await testDatabase();

async function csvOf(work: (sink: Writable) => Promise<number>): Promise<{ rows: number; text: string }> {
  const sink = new PassThrough();
  const parts: Buffer[] = [];
  sink.on('data', (part) => parts.push(part));
  const rows = await work(sink);
  return { rows, text: Buffer.concat(parts).toString('utf8') };
}

test('cells: text that would run is defused, numbers stay numbers, digits keep their zeros', () => {
  expect(csvCell('=1+1', false)).toBe("'=1+1");
  expect(csvCell('+66', false)).toBe("'+66");
  expect(csvCell('-cmd', false)).toBe("'-cmd");
  expect(csvCell('@SUM(A1)', false)).toBe("'@SUM(A1)");
  expect(csvCell('\t=1', false)).toBe('"\'\t=1"');
  expect(csvCell('-5.00', true)).toBe('-5.00');
  expect(csvCell('0815550142', false)).toBe('"=""0815550142"""');
  expect(csvCell('1234567890123456', false)).toBe('"=""1234567890123456"""');
  expect(csvCell('815', false)).toBe('815');
  expect(csvCell('a "b", c\nd', false)).toBe('"a ""b"", c\nd"');
  expect(csvCell(null, false)).toBe('');
});

test.each([
  ['full-width signs', ['＝1+1', '＋66', '－cmd', '＠SUM(A1)']],
  ['small signs', ['﹦1+1', '﹢66', '﹣cmd', '﹫SUM(A1)']],
  ['tab, carriage return and line feed', ['\t=1', '\r=1', '\n=1', '\ttext', '\rtext']],
  ['spaces and characters that show nothing in front', [' =1+1', '\u00A0=1+1', '\u200B=1+1', '\uFEFF@x']],
])('a formula behind %s is defused', (_what, texts) => {
  for (const text of texts)
    expect(csvCell(text, false).replace(/^"/, '')).toBe(`'${text}${/[\t\r\n]/.test(text) ? '"' : ''}`);
});

test('a separator of another country keeps a formula in its own cell', () => {
  expect(csvCell('note;=1+1', false)).toBe('"note;=1+1"');
  expect(csvCell('note\t=1+1', false)).toBe('"note\t=1+1"');
});

test('a file begins with the byte order mark and a heading, and keeps Thai and Lao', async () => {
  const sql = "select $1::text as name, -150::bigint as amount_minor, null as note, '0205' as code";
  const { rows, text } = await csvOf((sink) =>
    exportQuery(app, { sql, values: ['สมชาย ລາວ'], key: 'name' }, sink),
  );
  expect(rows).toBe(1);
  expect(text).toBe('\uFEFFname,amount_minor,note,code\r\nสมชาย ລາວ,-150,,"=""0205"""\r\n');
});

test('no rows give a heading alone', async () => {
  const { rows, text } = await csvOf((sink) =>
    exportQuery(app, { sql: 'select 1 as one where false', values: [], key: 'one' }, sink),
  );
  expect([rows, text]).toEqual([0, '\uFEFFone\r\n']);
});

test('200,000 rows stream: never more than a batch waits in memory', async () => {
  const sql = "select n as id, 'ข้อความ ' || n as note from generate_series(1, 200000) n";
  let bytes = 0;
  let waitingMost = 0;
  const sink = new Writable({
    highWaterMark: 16_384,
    write(chunk, _encoding, done) {
      bytes += chunk.length;
      waitingMost = Math.max(waitingMost, sink.writableLength);
      setImmediate(done);
    },
  });
  expect(await exportQuery(app, { sql, values: [], key: 'id' }, sink)).toBe(200_000);
  expect(bytes).toBeGreaterThan(6_000_000);
  expect(waitingMost).toBeLessThan(200_000);
});

test('a receiver who goes away ends the export and frees its connection', async () => {
  const sink = new Writable({ highWaterMark: 1, write: () => setImmediate(() => sink.destroy()) });
  const sql = "select n as id, repeat('x', 1000) from generate_series(1, 100000) n";
  await expect(exportQuery(app, { sql, values: [], key: 'id' }, sink)).rejects.toThrow('gone');
  const { rows } = await owner.query(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
  );
  expect(rows).toEqual([{ n: 0 }]);
});
