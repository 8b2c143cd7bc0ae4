import { expect, test } from 'vitest';
import { refuseAny } from '../../platform/refuse-any.ts';
import type { Source } from './sources.ts';
import { readStatement } from './statement-file.ts';

const source: Source = {
  ...{ id: 'bank:SCB:2223334445', kind: 'bank', name: 'SCB 2223334445', currency: 'BAHT' },
  compare: () => Promise.reject(new Error('not compared here')),
};

test('an account column with our own number names no other side; that of the other side is kept masked', async () => {
  const text =
    'วันที่,เลขที่บัญชี,ถอนเงิน,ฝากเงิน\n05/01/2569,222-3-33444-5,,77.00\n05/01/2569,2223334445,,33.00\n' +
    '05/01/2569,123-4-56789-0,,11.00\n05/01/2569,xxx-x-x3444-x,,22.00\n';
  const { lines } = await readStatement(refuseAny, Buffer.from(text), source, '2026-01-09');
  expect(lines.map(({ account }) => account)).toEqual(['', '', 'xxx-x-x6789-x', 'xxxxx3444x']);
});
