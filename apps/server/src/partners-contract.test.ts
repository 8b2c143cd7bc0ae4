import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GIFT_DECISIONS } from './features/deposits/gifts/decision.ts';
import { TRANSFER_DECISIONS } from './features/games/transfer-decision.ts';
import { PAYOUT_DECISIONS } from './features/withdrawals/payout-decision.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/adapters.md'), 'utf8');

/** Formats a decision table as docs/adapters.md prints it: one row per moment, one column per response. */
function printed(decisions: Record<string, Record<string, string>>): string {
  const responses = Object.keys(Object.values(decisions)[0]!);
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['Moment', ...responses.map((response) => `\`${response}\``)]),
    row(['---', ...responses.map(() => '---')]).replaceAll(' ', ''),
    ...Object.entries(decisions).map(([moment, cells]) =>
      row([moment, ...responses.map((response) => cells[response]!)]),
    ),
  ].join('\n');
}

test.each([
  ['payout', PAYOUT_DECISIONS],
  ['game transfer', TRANSFER_DECISIONS],
  ['gift', GIFT_DECISIONS],
])('docs/adapters.md prints the decisions about a %s as the code makes them', (_what, decisions) => {
  expect(page).toContain(printed(decisions));
});
