import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { AT } from '../../testing/withdrawal.ts';
import { type Difference, useColumns } from './differences.tsx';

const app = await consoleApp();
const { t } = i18n;

/** Money that one of our accounts received, and what we have of it. */
const differenceOf = (ours: Difference['ours']): Difference => ({
  id: '1',
  source: 'bank:KBANK:9876543210',
  kind: 'AMOUNT',
  direction: 'IN',
  currency: 'BAHT',
  theirs: { reference: 'REF1', amount: 500, at: AT, account: null },
  ours,
  member: null,
  state: 'OPEN',
  foundAt: AT,
  explainedBy: null,
  explainedAt: null,
  explanation: null,
});

function Ours({ of }: { of: Difference }) {
  const column = useColumns((source) => source, null).find(({ id }) => id === 'ours');
  return column?.cell(of);
}

test.each([
  ['deposit:DP1', 'DP1', '/deposits?q=DP1'],
  ['report:DP2', 'DP2', '/reports?q=DP2'],
  ['withdrawal:WD1', 'WD1', '/withdrawals?status=ALL&q=WD1&open=WD1'],
])('what we booked as %s leads to it, and no second booking is offered', (subject, name, path) => {
  app.show(<Ours of={differenceOf({ subject, reference: 'REF1', amount: 400, at: AT })} />);
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path);
  expect(screen.queryByText(t('recon.manual'))).toBe(null);
});

test('a manual entry is offered for what we never booked', () => {
  app.show(<Ours of={differenceOf(null)} />);
  expect(screen.getByRole('link', { name: t('recon.manual') }).getAttribute('href')).toBe('/members');
});
