import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { memberApp, receiptOf, text } from '../../testing/member-app.tsx';
import StatementPage from './statement-page.tsx';

const CALL = 'POST /api/statement';
const app = await memberApp();
const row = {
  ...receiptOf({ type: 'deposit' }),
  statementType: 'deposit',
  createdAt: '2026-11-23T07:00:00.000Z',
};

test('going back to another filter shows its first page', async () => {
  app.reply(CALL, { statements: [row as never], total: 35 });
  navigate('/user/statement?type=deposit');
  app.show(<StatementPage />);
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
  act(() => navigate('/user/statement'));
  fireEvent.click(await screen.findByRole('button', { name: text('pager.next') }));
  await waitFor(() => expect(app.received(CALL).at(-1)?.body).toMatchObject({ page: 2 }));
  act(() => navigate('/user/statement?type=withdraw'));
  await waitFor(() => expect(app.received(CALL).at(-1)?.body).toMatchObject({ page: 1, type: 'withdraw' }));
});

test('rows about a game that is off have its name', async () => {
  const transfer = { ...row, ...receiptOf({ type: 'transfer', from: 'wallet', to: 'usun' }) };
  app.setWallet((usual) => ({ ...usual, formerGames: [{ code: 'usun', name: 'Half Court' }] }));
  app.reply(CALL, { statements: [{ ...transfer, statementType: 'transfer' } as never], total: 1 });
  navigate('/user/statement');
  app.show(<StatementPage />);
  expect(await screen.findByText(/Half Court/)).toBeTruthy();
  expect(screen.queryByText(/usun/)).toBeNull();
});
