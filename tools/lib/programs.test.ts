import { expect, test } from 'vitest';
import { runNode } from './programs.ts';

test('damaged text: characters that arrive in two parts are read whole, from both streams', async () => {
  // Longer than a pipe holds, so that it arrives in parts; three bytes each, which no part's length divides by.
  const write = `for (const stream of [process.stdout, process.stderr]) stream.write('ร'.repeat(200_000))`;
  const { stdout, output } = await runNode(['--input-type=module', '--eval', write]);
  expect([stdout.length, output.length, output.replaceAll('ร', '')]).toEqual([200_000, 400_000, '']);
});
