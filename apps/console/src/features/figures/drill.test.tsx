import type { Permission } from '@krapao/contract/operator';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { consoleApp } from '../../testing/console-app.tsx';
import { useCashColumns } from './columns.tsx';
import { useDrill } from './drill.ts';

const app = await consoleApp();

const DAYS = { from: '2026-11-01', to: '2026-11-23' };

/** A row of a report, with a button where what is behind it can be opened. */
function Row({ report, row }: { report: string; row: object }) {
  const drill = useDrill(report, DAYS);
  return drill ? (
    <button type="button" onClick={() => drill(row)}>
      {'open'}
    </button>
  ) : (
    <p>{'closed'}</p>
  );
}

/** The address that a row of a report leads to. */
async function placeOf(report: string, row: object): Promise<string> {
  app.show(<Row report={report} row={row} />, '/figures');
  (await screen.findAllByText('open')).at(-1)!.click();
  return location.pathname + location.search;
}

describe('a row of a report leads to what is behind it', () => {
  test('a channel to its deposits of that day, an hour to those of all days', async () => {
    expect(await placeOf('channels', { day: '2026-11-02', channel: 'KBANK' })).toBe(
      '/deposits?channel=KBANK&from=2026-11-02&to=2026-11-02',
    );
    expect(await placeOf('hours', { hour: 3, channel: 'WW' })).toBe(
      '/deposits?channel=WW&from=2026-11-01&to=2026-11-23',
    );
  });

  test('a day of waiting to the withdrawals paid on it', async () => {
    expect(await placeOf('waiting', { day: '2026-11-02' })).toBe(
      '/withdrawals?status=SUCCESS&sort=createdAt&from=2026-11-02&to=2026-11-02',
    );
  });

  test('a game to its transfers on these days', async () => {
    expect(await placeOf('games', { game: 'naga', name: 'Naga' })).toBe(
      '/transfers?game=naga&state=DONE&from=2026-11-01&to=2026-11-23',
    );
  });

  test('a source to the members who came from it', async () => {
    expect(await placeOf('sources', { source: 'friend' })).toBe(
      '/members?source=friend&from=2026-11-01&to=2026-11-23',
    );
  });

  test('a week to the members who registered in its seven days', async () => {
    expect(await placeOf('retention', { week: '2026-10-26' })).toBe('/members?from=2026-10-26&to=2026-11-01');
  });

  test('an operator to what they did on these days, without one to the entries of the command line', async () => {
    expect(await placeOf('agents', { operator: 'somsri' })).toBe(
      '/audit?q=somsri&from=2026-11-01&to=2026-11-23',
    );
    expect(await placeOf('agents', { operator: null })).toBe(
      '/audit?action=manual&from=2026-11-01&to=2026-11-23',
    );
  });

  test('an agent to the conversations of their sessions on these days', async () => {
    expect(await placeOf('chats', { agent: 'somsri' })).toBe(
      '/chats?agent=somsri&from=2026-11-01&to=2026-11-23',
    );
    expect(await placeOf('chats', { agent: null })).toBe(
      '/chats?agent=no-agent&from=2026-11-01&to=2026-11-23',
    );
  });

  test('what was owed at the end of a day to the cash of that day', async () => {
    expect(await placeOf('liabilities', { day: '2026-11-02' })).toBe(
      '/figures?report=cash&from=2026-11-02&to=2026-11-02',
    );
  });

  test('a cost to its bonus, to the rewards or to the wheels', async () => {
    expect(await placeOf('costs', { kind: 'bonus', code: 'WELCOME50' })).toBe('/bonuses/WELCOME50');
    expect(await placeOf('costs', { kind: 'refund', code: null })).toBe('/rewards');
    expect(await placeOf('costs', { kind: 'luckydraw', code: null })).toBe('/wheels');
  });
});

test.each<[string, Permission[]]>([
  ['games', ['figures.read']],
  ['chats', ['figures.read', 'audit.read']],
])(
  'a row of %s leads nowhere without a list, or without the permission for it',
  async (report, permissions) => {
    app.show(<Row report={report} row={{}} />, '/figures', permissions);
    expect(await screen.findByText('closed')).toBeTruthy();
  },
);

test('deposits and withdrawals in cash lead to their lists, for those who may open them', async () => {
  const row = {
    id: '0',
    day: '2026-11-02',
    currency: 'BAHT' as const,
    deposits: 500,
    unmatched: 10,
    withdrawals: 130,
    sentBack: 0,
    cameBack: 0,
    net: 510,
  };
  function Cells() {
    return useCashColumns().map(({ id, cell }) => <div key={id}>{cell(row)}</div>);
  }
  app.show(<Cells />, '/figures', ['figures.read', 'deposit.read', 'withdrawal.read']);
  const links = await screen.findAllByRole('link');
  // Withdrawals count on the day they were paid.
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/deposits?from=2026-11-02&to=2026-11-02',
    '/withdrawals?status=SUCCESS&paid=2026-11-02&sort=createdAt',
  ]);
});
