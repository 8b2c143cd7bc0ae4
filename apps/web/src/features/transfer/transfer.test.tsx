import { wallet } from '@krapao/contract/member';
import { button, choose, press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../platform/member/queries.ts';
import { readStored } from '../../platform/storage.ts';
import { baht, EXCLUDED, memberApp, receiptOf, text } from '../../testing/member-app.tsx';
import TransferSheet from './transfer-sheet.tsx';

const CALL = 'POST /api/wallet/transfer';
const ALL = 'POST /api/wallet/transferAll';
const READ = 'GET /api/wallet/refresh/slot';
const app = await memberApp();
const AMOUNT = text('money.amount');
const SEND = text('transfer.now', { amount: baht(500) });
const RECEIPT = receiptOf({ type: 'transfer', to: 'lucky' });
const AGAIN = text('money.sendAgain');
const unanswered = (amount: number, from: string, to: string) =>
  text('transfer.unanswered', { amount: baht(amount), from, to });

beforeEach(() => app.reply('POST /api/statement', { statements: [], total: 0 }));

const open = () => app.show(<TransferSheet arg="lucky" />);

test('accounts and amount are checked before anything is sent', () => {
  open();
  press(text('transfer.title'));
  expect(screen.getByText(text('transfer.atLeast', { min: baht(1) }))).toBeTruthy();
  type(AMOUNT, '1000.01');
  press(text('transfer.now', { amount: baht(1000.01) }));
  expect(screen.getByText(text('transfer.atMost', { max: baht(1000) }))).toBeTruthy();
  type(AMOUNT, '500');
  choose(/From/, 'lucky');
  press(SEND);
  expect(screen.getByText(text('transfer.same'))).toBeTruthy();
  choose(/From/, '');
  press(SEND);
  expect(screen.getByText(text('transfer.chooseBoth'))).toBeTruthy();
  expect(app.received(CALL)).toEqual([]);
});

test('what a provider cannot move out of a game is not offered', async () => {
  app.setWallet((usual) => ({
    ...usual,
    wallet: { ...usual.wallet, amount: 0 },
    slots: usual.slots.map((slot) => ({ ...slot, amount: 0.95, creditStep: 1 })),
  }));
  app.show(<TransferSheet arg="lucky" />);
  choose(/From/, 'lucky');
  choose(/To/, 'wallet');
  const offers = [text('transfer.only'), text('transfer.allTo', { place: text('wallet.main') })];
  for (const name of offers) expect(button(new RegExp(name)).disabled).toBe(true);
});

test('a double press moves the amount once, and the end is shown', async () => {
  app.reply(CALL, RECEIPT);
  open();
  type(AMOUNT, '500');
  pressTwice(SEND);
  expect(await screen.findByText(text('transfer.success'))).toBeTruthy();
  expect(app.received(CALL)).toEqual([
    {
      path: '/api/wallet/transfer',
      body: { from: 'wallet', to: 'lucky', amount: 500 },
      idempotencyKey: expect.any(String),
    },
  ]);
});

test('a double press of an amount that a game is read for first moves it once', async () => {
  app.reply(CALL, receiptOf({ type: 'transfer', from: 'lucky', to: 'wallet' }));
  const lucky = { code: 'lucky', amount: 2000, openBets: 0, ok: true, staleSince: null };
  const letReadings = app.hold(READ);
  open();
  choose(/From/, 'lucky');
  choose(/To/, 'wallet');
  type(AMOUNT, '500');
  pressTwice(SEND);
  await waitFor(() => expect(app.received(READ).length).toBeGreaterThan(0));
  app.reply(READ, { slots: [lucky], lastSync: '2026-11-23T07:00:00.000Z' });
  letReadings();
  expect(await screen.findByText(text('transfer.success'))).toBeTruthy();
  expect(app.received(READ)).toHaveLength(1);
  expect(app.received(CALL)).toHaveLength(1);
});

test.each([
  ['SUCCESS', 'wallet', 'lucky', 'transfer.success', null],
  ['FAILED', 'wallet', 'lucky', 'status.failed', 'error.TRANSFER_FAIL'],
  ['FAILED', 'lucky', 'wallet', 'status.failed', 'transfer.failedStays'],
  ['SUCCESS', 'lucky', 'wallet', 'status.failed', 'transfer.reachedWallet'],
] as const)(
  'stuck in progress: a pending transfer that ends as %s from %s to %s changes in place',
  async (status, from, to, title, message) => {
    app.reply(CALL, { ...RECEIPT, id: 'TF7', status: 'PENDING' });
    open();
    type(AMOUNT, '500');
    press(SEND);
    expect(await screen.findByText(text('status.inProgress'))).toBeTruthy();
    const row = { ...RECEIPT, id: 'TF7', statementType: 'transfer', status, from, to } as const;
    app.reply('POST /api/statement', { statements: [row], total: 1 });
    await act(() => queryClient.invalidateQueries({ queryKey: ['statement'] }));
    expect(await screen.findByText(text(title))).toBeTruthy();
    if (message) expect(screen.getByText(text(message, { place: 'Lucky' }))).toBeTruthy();
    expect(app.received('POST /api/statement').map(({ body }) => body.id)).toContain('TF7');
  },
);

test('a receipt without a row: everything that waits to go into a game has none of its own', async () => {
  const legs = [{ from: 'lucky', amount: 250, status: 'PENDING' } as const];
  app.reply(ALL, { ...RECEIPT, status: 'PENDING', from: 'all', to: 'other', legs });
  open();
  moveAll();
  expect(await screen.findByText(text('status.inProgress'))).toBeTruthy();
  expect(screen.queryByText(text('receipt.view'))).toBeNull();
  expect(app.received('POST /api/statement')).toEqual([]);
});

/** Moves everything into the game, which is confirmed first. */
function moveAll(): void {
  press(new RegExp(text('transfer.allTo', { place: 'Lucky' })));
  within(screen.getByRole('alertdialog'))
    .getByRole('button', { name: text('transfer.all') })
    .click();
}

test('without an answer the same transfer is sent again under its key', async () => {
  app.dropConnection(CALL);
  open();
  type(AMOUNT, '500');
  press(SEND);
  expect(await screen.findByText(unanswered(500, text('wallet.main'), 'Lucky'))).toBeTruthy();
  app.reply(CALL, RECEIPT);
  await ready(AGAIN);
  press(AGAIN);
  await screen.findByText(text('transfer.success'));
  const keys = app.received(CALL).map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toEqual([keys[0], keys[0]]);
});

const reload = (): void => {
  cleanup();
  open();
};

test.each([
  [
    'an amount',
    CALL,
    () => {
      type(AMOUNT, '1000');
      press(text('transfer.now', { amount: baht(1000) }));
    },
    unanswered(1000, text('wallet.main'), 'Lucky'),
  ],
  [
    'one game',
    CALL,
    () => press(new RegExp(text('transfer.only'))),
    unanswered(250, 'Lucky', text('wallet.main')),
  ],
  ['everything', ALL, moveAll, text('transfer.unansweredAll', { place: 'Lucky' })],
] as const)(
  'moved twice: %s that has left its source is repeated under its key, also after a reload',
  async (_what, call, send, unknown) => {
    app.dropConnection(call);
    open();
    send();
    await screen.findByText(unknown);
    act(() =>
      app.setWallet((usual) => ({
        ...usual,
        slots: usual.slots.map((slot) => ({ ...slot, amount: 0, isInMaintenance: true })),
        wallet: { ...usual.wallet, amount: 0, version: 2 },
      })),
    );
    expect(screen.queryByLabelText(AMOUNT)).toBeNull();
    await ready(AGAIN);
    press(AGAIN);
    await waitFor(() => expect(app.received(call)).toHaveLength(2));
    reload();
    expect(screen.getByText(unknown)).toBeTruthy();
    if (call === ALL) app.reply(ALL, { ...RECEIPT, from: 'all', legs: [] });
    else app.reply(CALL, RECEIPT);
    press(AGAIN);
    expect(await screen.findByText(text('transfer.success'))).toBeTruthy();
    const [first, ...repeats] = app.received(call);
    expect(repeats).toEqual([first, first]);
  },
);

test('sent after closing: a transfer whose game is still read when the sheet closes is not sent', async () => {
  app.reply(CALL, RECEIPT);
  const letReadings = app.hold(READ);
  open();
  choose(/From/, 'lucky');
  choose(/To/, 'wallet');
  type(AMOUNT, '500');
  press(SEND);
  await waitFor(() => expect(app.received(READ)).toHaveLength(1));
  cleanup();
  const lucky = { code: 'lucky', amount: 2000, openBets: 0, ok: true, staleSince: null };
  app.reply(READ, { slots: [lucky], lastSync: '2026-11-23T07:00:00.000Z' });
  letReadings();
  await waitFor(() => expect(readStored('last_sync')).toBe('2026-11-23T07:00:00.000Z'));
  await app.settled();
  expect(app.received(CALL)).toEqual([]);
  expect(history.state).toBeNull();
});

test.each(wallet.transfer.refusals)('%s is shown as text and the form stays', async (code) => {
  app.refuse(CALL, code);
  open();
  type(AMOUNT, '500');
  press(SEND);
  expect(await screen.findByText(text(`error.${code}`))).toBeTruthy();
  await ready(SEND);
});

test('an exclusion that began meanwhile keeps the next press from being sent', async () => {
  app.refuse(CALL, 'SELF_EXCLUDED', { until: null });
  open();
  await waitFor(() => expect(app.received('GET /api/limits')).toHaveLength(1));
  app.reply('GET /api/limits', EXCLUDED);
  type(AMOUNT, '500');
  press(SEND);
  expect(await screen.findByText(text('error.SELF_EXCLUDED'))).toBeTruthy();
  await waitFor(() => expect(app.received('GET /api/limits')).toHaveLength(2));
  await ready(SEND);
  press(SEND);
  expect(await screen.findByText(text('transfer.notByLimits'))).toBeTruthy();
  expect(app.received(CALL)).toHaveLength(1);
});

test('moving everything needs a confirmation and names what stayed', async () => {
  app.reply(ALL, { ...RECEIPT, legs: [{ from: 'lucky', amount: 250, status: 'FAILED' }] });
  open();
  press(text('transfer.allTo', { place: 'Lucky' }));
  expect(app.received(ALL)).toEqual([]);
  const question = screen.getByRole('alertdialog');
  within(question)
    .getByRole('button', { name: text('transfer.all') })
    .click();
  expect(await screen.findByText(text('transfer.skipped', { places: 'Lucky' }))).toBeTruthy();
  expect(app.received(ALL).map(({ body }) => body)).toEqual([{ to: 'lucky' }]);
});

test('everything into a game that takes more than there is names the least it takes', async () => {
  app.refuse(ALL, 'TRANSFER_MINIMUM', { min: 10_000 });
  open();
  press(new RegExp(text('transfer.allTo', { place: 'Lucky' })));
  const question = screen.getByRole('alertdialog');
  within(question)
    .getByRole('button', { name: text('transfer.all') })
    .click();
  expect(await screen.findByText(text('transfer.atLeast', { min: baht(10_000) }))).toBeTruthy();
});

const chips = () =>
  within(screen.getByRole('group', { name: text('deposit.quick') }))
    .getAllByRole('button')
    .map((chip) => chip.textContent);

test('only amounts that the source holds and the game takes are offered', () => {
  open();
  expect(chips()).toEqual(['100', '500', '1,000', text('transfer.allShort')]);
  choose(/From/, 'lucky');
  choose(/To/, 'wallet');
  expect(chips()).toEqual(['100', text('transfer.allShort')]);
});

test('without an opened game the games are offered, each leading to its account', async () => {
  app.setWallet(({ slots, ...wallet }) => ({
    ...wallet,
    slots: slots.map((slot) => ({ ...slot, isActive: false })),
  }));
  app.show(<TransferSheet arg={undefined} />);
  expect(await screen.findByText(text('transfer.openFirst'))).toBeTruthy();
  expect(screen.queryByLabelText(AMOUNT)).toBeNull();
  press(/Lucky/);
  expect(history.state).toMatchObject({ sheet: 'slot', arg: 'lucky' });
});

test('a game outside the bonus, or any game during an exclusion, takes no money in', async () => {
  app.reply('GET /api/limits', { limits: [], break: { length: '7d', startedAt: '', until: null } });
  app.show(<TransferSheet arg={undefined} />);
  await screen.findByRole('option', { name: `Lucky · ${text('limit.page')}` });
  choose(/From/, 'wallet');
  choose(/To/, 'lucky');
  type(AMOUNT, '100');
  press(/100.00/);
  expect(await screen.findByText(text('transfer.notByLimits'))).toBeTruthy();
  expect(app.received(CALL)).toEqual([]);
});

test.each([
  ['lucky', 'wallet', 'transfer.failedStays'],
  ['wallet', 'lucky', 'error.TRANSFER_FAIL'],
] as const)('a failed transfer from %s to %s reports where the money is', async (from, to, texts) => {
  app.refuse(CALL, 'TRANSFER_FAIL');
  open();
  choose(/From/, from);
  choose(/To/, to);
  type(AMOUNT, '100');
  press(text('transfer.now', { amount: baht(100) }));
  expect(await screen.findByText(text(texts))).toBeTruthy();
});

test.each([
  [1, '1.00'],
  [0.125, '0.125'],
  [0.002, '0.002'],
  [1234.5, '1,234.50'],
])('the rate of %d is shown exactly, as %s', (rate, shown) => {
  app.setWallet((usual) => ({
    ...usual,
    slots: usual.slots.map((slot) => ({ ...slot, ftWalletSlot: rate })),
  }));
  open();
  const unit = text('currency.baht');
  expect(screen.getByText(text('transfer.rate', { rate: `${shown} ${unit}` }))).toBeTruthy();
});
