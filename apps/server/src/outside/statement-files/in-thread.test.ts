import { expect, test } from 'vitest';
import { FILE_LINES_MAX, TooManyLines, UnreadableStatement } from './format.ts';
import { readStatementInThread } from './in-thread.ts';
import { readStatementFile } from './read.ts';

const csv = (lines: number) =>
  Buffer.from(
    `Date,Amount,Reference\n${Array.from({ length: lines }, (_, at) => `2026-11-01,1.00,R${at}\n`).join('')}`,
  );

test('a file is read in a thread as it is here, while the server goes on', async () => {
  const bytes = csv(2_000);
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  });
  const read = await readStatementInThread(bytes, 2);
  clearInterval(others);
  expect(read).toEqual(readStatementFile(bytes, 2));
  expect(turns).toBeGreaterThan(0);
});

test('a file that cannot be read names its line, and the next one is read', async () => {
  const broken = Buffer.concat([csv(3), Buffer.from('not a date,1.00,R\n')]);
  const [wrong, long, sound] = await Promise.allSettled([
    readStatementInThread(broken, 2),
    readStatementInThread(csv(FILE_LINES_MAX + 1), 2),
    readStatementInThread(csv(1), 2),
  ]);
  expect(wrong).toMatchObject({ reason: expect.any(UnreadableStatement) });
  expect(wrong).toMatchObject({ reason: { line: 5 } });
  expect(long).toMatchObject({ reason: expect.any(TooManyLines) });
  expect(sound).toMatchObject({ status: 'fulfilled' });
});
