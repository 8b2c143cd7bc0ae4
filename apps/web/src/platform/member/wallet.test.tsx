import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { memberApp } from '../../testing/member-app.tsx';
import { queryClient, walletQuery } from './queries.ts';
import { refreshBalances, refreshWallet, useWallet } from './wallet.ts';

const READ = 'GET /api/wallet/refresh/slot';
const app = await memberApp();
const lucky = () => queryClient.getQueryData(walletQuery.queryKey)?.slots[0]?.amount;

function Balance() {
  return useWallet().data?.wallet.amount;
}

test('a reading of the games that began before money moved changes none of them', async () => {
  const letReading = app.hold(READ);
  app.show(<Balance />);
  const reading = refreshBalances();
  await waitFor(() => expect(app.received(READ)).toHaveLength(1));
  const known = queryClient.getQueryData(walletQuery.queryKey)!;
  app.reply('GET /api/wallet', {
    ...known,
    wallet: { ...known.wallet, amount: 900, version: 2 },
    slots: known.slots.map((slot) => ({ ...slot, amount: 350 })),
  });
  await refreshWallet();
  expect(lucky()).toBe(350);
  const before = { code: 'lucky', amount: 250, openBets: 0, ok: true, staleSince: null };
  app.reply(READ, { slots: [before], lastSync: '2026-11-23T07:00:00.000Z' });
  letReading();
  await reading;
  expect(lucky()).toBe(350);
});

test('one that nothing overtook is taken', async () => {
  app.show(<Balance />);
  const slot = { code: 'lucky', amount: 275, openBets: 0, ok: true, staleSince: null };
  app.reply(READ, { slots: [slot], lastSync: '2026-11-23T07:00:00.000Z' });
  await refreshBalances();
  expect(lucky()).toBe(275);
});
