import { type MemberApi, pin, wallet } from '@krapao/contract/member';
import { button, press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { amountText } from '@krapao/ui/text/amount-text.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { limitsQuery, queryClient, withdrawQuery } from '../../platform/member/queries.ts';
import { updateWallet } from '../../platform/member/wallet.ts';
import { readStored } from '../../platform/storage.ts';
import { baht, EXCLUDED, memberApp, receiptOf, text } from '../../testing/member-app.tsx';
import WithdrawSheet from './withdraw-sheet.tsx';

const CALL = 'POST /api/wallet/withdrawAll';
const app = await memberApp();
const AMOUNT = text('withdraw.amount');
const SEND = text('withdraw.now', { amount: baht(500) });
const UNANSWERED = text('withdraw.unanswered', { amount: baht(500) });
const AGAIN = text('money.sendAgain');
const READ = 'GET /api/wallet/refresh/slot';

const LIMITS: MemberApi['GET /api/lookup/withdraw']['reply'] = {
  isOpen: true,
  withdrawMin: 100,
  withdrawMax: 50_000,
  automaticMax: 2000,
  payoutsFrom: null,
  needsPin: false,
  hasOpen: false,
  last: 300,
};

async function open(amount: string): Promise<void> {
  app.reply('GET /api/lookup/withdraw', LIMITS);
  app.reply('POST /api/statement', { statements: [], total: 0 });
  app.show(<WithdrawSheet />);
  await screen.findByLabelText(AMOUNT);
  type(AMOUNT, amount);
}

test('without an amount nothing can be sent; outside the limits the form shows what to change', async () => {
  await open('');
  expect(button(text('withdraw.title')).disabled).toBe(true);
  for (const [amount, problem] of [
    ['50', text('withdraw.belowMin', { min: baht(100) })],
    ['60000', text('withdraw.aboveMax', { max: baht(50_000) })],
  ] as const) {
    type(AMOUNT, amount);
    press(/Withdraw/);
    expect(await screen.findByText(problem)).toBeTruthy();
  }
  expect(app.received(CALL)).toEqual([]);
});

test('what is offered and advised is within the balance too, and following the advice passes', async () => {
  app.reply(CALL, receiptOf({}));
  await open('5000');
  const chips = within(screen.getByRole('group', { name: text('deposit.quick') }));
  expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
    `${text('money.lastUsed')} 300`,
    '100',
    '500',
    '1,000',
    text('transfer.allShort'),
  ]);
  press(/Withdraw/);
  expect(await screen.findByText(text('withdraw.aboveBalance', { max: baht(1250) }))).toBeTruthy();
  expect(screen.getByText(text('withdraw.takeLess', { amount: baht(3750) }))).toBeTruthy();
  expect(app.received(CALL)).toEqual([]);
  type(AMOUNT, '1250');
  press(/Withdraw/);
  expect(await screen.findByText(text('withdraw.done'))).toBeTruthy();
});

test('an amount that needs a verified identity says so and leads there; smaller ones do not', async () => {
  await open('500');
  app.reply('GET /api/lookup/withdraw', { ...LIMITS, verifyFrom: 400 });
  await act(() => queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey }));
  expect(await screen.findByText(text('withdraw.verify'))).toBeTruthy();
  expect(screen.queryByText(text('withdraw.automatic', { max: baht(2000) }))).toBeNull();
  press(text('withdraw.verifyNow'));
  expect(history.state.sheet).toBe('kyc');
  type(AMOUNT, '399');
  expect(screen.queryByText(text('withdraw.verify'))).toBeNull();
});

test('promise refused: who has deposits to bet reads that staff check them first, and others what is paid automatically', async () => {
  await open('500');
  const automatic = text('withdraw.automatic', { max: baht(2000) });
  expect(screen.getByText(automatic)).toBeTruthy();
  app.reply('GET /api/lookup/withdraw', { ...LIMITS, owesBets: true });
  await act(() => queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey }));
  expect(await screen.findByText(/as much as you deposited/)).toBeTruthy();
  expect(screen.queryByText(automatic)).toBeNull();
  app.reply('GET /api/lookup/withdraw', { ...LIMITS, owesBets: true, playedTimes: 3 });
  await act(() => queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey }));
  expect(
    await screen.findByText(text('withdraw.automaticPlayed', { max: baht(2000), times: 3 })),
  ).toBeTruthy();
  expect(screen.getByText(/3×\swhat you deposited/)).toBeTruthy();
});

test.each(['-5', '1.005'])('rejects %s as an amount, and cannot be sent', async (typed) => {
  await open(typed);
  expect(screen.getByText(text('money.unreadable'))).toBeTruthy();
  expect(button(text('withdraw.title')).disabled).toBe(true);
});

const RUN = {
  status: true,
  type: 'bonus',
  name: 'Welcome bonus',
  base: 1500,
  balance: 1500,
  target: 3000,
  floor: 150,
  turnover: 0,
  turnoverNeeded: 0,
  deposit: 1000,
  withdrawMost: null,
  games: null,
  mayForfeit: true,
  expiresAt: '2099-12-01T00:00:00.000Z',
} as const;

test('during a bonus the sheet names it, shows what is missing, and links to it', async () => {
  app.reply('GET /api/bonus/check/active', RUN);
  app.reply('GET /api/lookup/withdraw', LIMITS);
  app.show(<WithdrawSheet />);
  expect(await screen.findByText(text('bonus.stop', { name: 'Welcome bonus' }))).toBeTruthy();
  expect(screen.getByText(text('bonus.balanceLeft', { amount: baht(1500) }))).toBeTruthy();
  expect(screen.queryByLabelText(AMOUNT)).toBeNull();
  press(text('bonus.see'));
  expect(location.pathname).toBe('/user/bonus');
});

test('a bonus that begins meanwhile takes the place of the form when it refuses', async () => {
  await open('500');
  app.refuse(CALL, 'BONUS_REMAINING');
  app.reply('GET /api/bonus/check/active', { ...RUN, balance: 3000 });
  press(SEND);
  expect(await screen.findByText(text('bonus.stopMet', { name: 'Welcome bonus' }))).toBeTruthy();
  expect(button(text('bonus.finish'))).toBeTruthy();
});

test.each([
  [{ hasOpen: true }, text('withdraw.oneOpen')],
  [{ isOpen: false }, text('withdraw.stopped')],
  [{ withdrawMin: 2000 }, text('withdraw.tooLittle', { min: baht(2000), total: baht(1250) })],
])('with %o nothing is offered that would be refused', async (change, reason) => {
  app.reply('GET /api/lookup/withdraw', { ...LIMITS, ...change });
  app.show(<WithdrawSheet />);
  expect(await screen.findByText(reason)).toBeTruthy();
  expect(screen.queryByLabelText(AMOUNT)).toBeNull();
});

test('money below the minimum: who may not deposit is led to support, others to a deposit', async () => {
  const limits = { ...LIMITS, withdrawMin: 2000 };
  app.reply('GET /api/lookup/withdraw', limits);
  app.reply('GET /api/limits', EXCLUDED);
  app.show(<WithdrawSheet />);
  expect(await screen.findByText(text('limit.contact'))).toBeTruthy();
  expect(screen.queryByText(text('deposit.title'))).toBeNull();
  app.reply('GET /api/lookup/enableChatWidget', true);
  press(text('limit.contact'));
  await waitFor(() => expect(history.state).toMatchObject({ chat: true }));
  app.reply('GET /api/limits', { limits: [], break: null });
  await act(() => queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey }));
  expect(await screen.findByText(text('deposit.title'))).toBeTruthy();
  expect(screen.queryByText(text('limit.contact'))).toBeNull();
});

test('a balance that goes into a game while the form is in use leaves what was typed', async () => {
  await open('500');
  act(() => updateWallet((known) => ({ ...known, slots: [], wallet: { ...known.wallet, amount: 0 } })));
  expect(Number((screen.getByLabelText(AMOUNT) as HTMLInputElement).value)).toBe(500);
  act(() => updateWallet((known) => ({ ...known, wallet: { ...known.wallet, amount: 1000 } })));
  expect(Number((screen.getByLabelText(AMOUNT) as HTMLInputElement).value)).toBe(500);
});

test('a double press sends the amount once, and the receipt is shown', async () => {
  app.reply(CALL, receiptOf({ status: 'PROCESSING' }));
  await open('500');
  pressTwice(SEND);
  expect(await screen.findByText(text('withdraw.waiting'))).toBeTruthy();
  expect(app.received(CALL)).toEqual([
    { path: '/api/wallet/withdrawAll', body: { amount: 500 }, idempotencyKey: expect.any(String) },
  ]);
});

test('a withdrawal that was decided before its response was repeated shows its end', async () => {
  const receipt = receiptOf({ id: 'WD1', status: 'PENDING' });
  app.reply(CALL, receipt);
  const row = { ...receipt, statementType: 'withdraw', status: 'FAILED' } as const;
  await open('500');
  app.reply('POST /api/statement', { statements: [row], total: 1 });
  press(SEND);
  expect(await screen.findByText(text('withdraw.failed'))).toBeTruthy();
  expect(screen.getByText(text('receipt.moneyBack'))).toBeTruthy();
  expect(screen.getByText(text('receipt.checkAccount'))).toBeTruthy();
});

test('a failed withdrawal shows the reason an operator gave in place of the general advice', async () => {
  const receipt = receiptOf({ id: 'WD1', status: 'PENDING' });
  app.reply(CALL, receipt);
  const details = { channel: null, account: null, balanceAfter: null, reason: 'Verify your identity first.' };
  const row = { ...receipt, statementType: 'withdraw', status: 'FAILED', receipt: details } as const;
  await open('500');
  app.reply('POST /api/statement', { statements: [row], total: 1 });
  press(SEND);
  expect(await screen.findByText(details.reason)).toBeTruthy();
  expect(screen.queryByText(text('receipt.checkAccount'))).toBeNull();
});

test('without an answer the same intent is sent again under its key; a decided one gets another', async () => {
  app.dropConnection(CALL);
  await open('500');
  press(SEND);
  expect(await screen.findByText(UNANSWERED)).toBeTruthy();
  app.refuse(CALL, 'MONEY_NOT_ENOUGH');
  await ready(AGAIN);
  press(AGAIN);
  expect(await screen.findByText(text('error.MONEY_NOT_ENOUGH'))).toBeTruthy();
  app.reply(CALL, receiptOf({}));
  await ready(SEND);
  press(SEND);
  expect(await screen.findByText(text('withdraw.done'))).toBeTruthy();
  const [first, second, third] = app.received(CALL).map(({ idempotencyKey }) => idempotencyKey);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

const reload = (): void => {
  cleanup();
  app.show(<WithdrawSheet />);
};

test.each([
  ['a limit of calls', 'REQUEST_LIMIT', {}, text('withdraw.oneOpen')],
  ['a provider that is away', 'PROVIDER_UNAVAILABLE', {}, text('error.PROVIDER_UNAVAILABLE')],
  ['a PIN that is asked for', 'WRONG_PASSWORD', { pin: true }, text('pin.enterLead', { amount: baht(500) })],
])('unknown result: %s is a response, also after a reload', async (_what, code, data, response) => {
  app.refuse(CALL, code, data);
  await open('500');
  press(SEND);
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
  await screen.findByText(response);
  reload();
  await screen.findByLabelText(AMOUNT);
  expect(screen.queryByText(UNANSWERED)).toBeNull();
});

test('unknown result: a limit of calls at the repeat leaves it unknown, also after a reload', async () => {
  app.dropConnection(CALL);
  await open('500');
  press(SEND);
  expect(await screen.findByText(UNANSWERED)).toBeTruthy();
  app.refuse(CALL, 'REQUEST_LIMIT');
  await ready(AGAIN);
  press(AGAIN);
  expect(await screen.findByText(text('withdraw.oneOpen'))).toBeTruthy();
  reload();
  expect(await screen.findByText(UNANSWERED)).toBeTruthy();
});

/** Takes the amount out of the wallet, as the server does although its response does not arrive. */
function debit(amount: number): void {
  app.setWallet((usual) => ({
    ...usual,
    slots: [],
    wallet: { ...usual.wallet, amount: 1000 - amount, version: 2 },
  }));
}

test.each([
  ['pressed again', () => undefined],
  ['after a reload', reload],
])('paid twice: all that the wallet held is repeated under its key, %s', async (_when, between) => {
  app.dropConnection(CALL);
  await open('1000');
  press(text('withdraw.now', { amount: baht(1000) }));
  const unknown = text('withdraw.unanswered', { amount: baht(1000) });
  await screen.findByText(unknown);
  act(() => debit(1000));
  between();
  await screen.findByText(unknown);
  app.reply(CALL, receiptOf({ amount: 1000 }));
  await ready(AGAIN);
  press(AGAIN);
  expect(await screen.findByText(text('withdraw.done'))).toBeTruthy();
  const [first, ...repeats] = app.received(CALL);
  expect(repeats).toEqual([first]);
});

test('paid twice: while a withdrawal has no answer no other amount is asked for, offered or advised', async () => {
  app.dropConnection(CALL);
  await open('600');
  press(text('withdraw.now', { amount: baht(600) }));
  await screen.findByText(text('withdraw.unanswered', { amount: baht(600) }));
  act(() => debit(600));
  expect(screen.queryByLabelText(AMOUNT)).toBeNull();
  expect(screen.queryByRole('group', { name: text('deposit.quick') })).toBeNull();
  await ready(AGAIN);
  press(AGAIN);
  await waitFor(() => expect(app.received(CALL)).toHaveLength(2));
  await ready(AGAIN);
  expect(screen.queryByText(text('withdraw.takeLess', { amount: baht(200) }))).toBeNull();
  press(text('statement.title'));
  expect(location.pathname).toBe('/user/statement');
});

test('sent after closing: a withdrawal whose games are still read when the sheet closes is not sent', async () => {
  app.reply(CALL, receiptOf({}));
  await open('1251');
  const letReadings = app.hold(READ);
  press(text('withdraw.now', { amount: baht(1251) }));
  await waitFor(() => expect(app.received(READ).length).toBeGreaterThan(0));
  cleanup();
  app.setWallet((usual) => ({ ...usual, wallet: { ...usual.wallet, amount: 2000, version: 2 } }));
  app.reply(READ, { slots: [], lastSync: '2026-11-23T07:00:00.000Z' });
  letReadings();
  await waitFor(() => expect(readStored('last_sync')).toBe('2026-11-23T07:00:00.000Z'));
  await app.settled();
  expect(app.received(CALL)).toEqual([]);
  expect(history.state).toBeNull();
});

test('sent after closing: a withdrawal whose PIN is still checked when the sheet closes is not sent', async () => {
  const prove = 'POST /api/account/pin/prove';
  app.refuse(CALL, 'UNAUTHORIZED', { pin: true });
  await open('500');
  press(SEND);
  await screen.findByText(text('pin.enterLead', { amount: baht(500) }));
  const letProofs = app.hold(prove);
  app.reply(prove, { message: 'OK' });
  type(text('pin.enter'), '123456');
  await waitFor(() => expect(app.received(prove)).toHaveLength(1));
  cleanup();
  letProofs();
  await app.settled();
  expect(app.received(CALL)).toHaveLength(1);
});

const FIGURES = { min: baht(100), max: baht(50_000) };

test.each(wallet.withdrawAll.refusals)('%s is shown as text and the form stays', async (code) => {
  app.refuse(CALL, code);
  await open('500');
  press(SEND);
  const own = {
    REQUEST_LIMIT: text('withdraw.oneOpen'),
    TRANSFER_FAIL: text('transfer.failedStays'),
    UNAUTHORIZED: text('withdraw.stopped'),
  };
  const texts = own[code as keyof typeof own] ?? text(`error.${code}`, FIGURES);
  expect(await screen.findByText(texts)).toBeTruthy();
  await ready(SEND);
});

test.each([
  ['withdrawals stopped', 'UNAUTHORIZED', { isOpen: false }, 'withdraw.stopped'],
  ['a withdrawal begun elsewhere', 'REQUEST_LIMIT', { hasOpen: true }, 'withdraw.oneOpen'],
] as const)(
  '%s while the form is in use takes its place when it is refused',
  async (_what, code, change, message) => {
    await open('500');
    app.refuse(CALL, code);
    app.reply('GET /api/lookup/withdraw', { ...LIMITS, ...change });
    press(SEND);
    await waitFor(() => expect(screen.queryByLabelText(AMOUNT)).toBeNull());
    expect(screen.getByText(text(message))).toBeTruthy();
  },
);

test.each([
  [
    'WITHDRAW_MINIMUM',
    { min: 800 },
    { withdrawMin: 800 },
    text('error.WITHDRAW_MINIMUM', { min: baht(800) }),
  ],
  [
    'WITHDRAW_MAXIMUM',
    { max: 300 },
    { withdrawMax: 300 },
    text('error.WITHDRAW_MAXIMUM', { max: baht(300) }),
  ],
] as const)(
  '%s names the limit as it is now, and the form follows it',
  async (code, data, change, message) => {
    await open('500');
    app.refuse(CALL, code, data);
    const limits = { ...LIMITS, ...change };
    app.reply('GET /api/lookup/withdraw', limits);
    press(SEND);
    expect(await screen.findByText(message)).toBeTruthy();
    const range = { min: amountText(limits.withdrawMin), max: baht(limits.withdrawMax) };
    expect(await screen.findByText(text('withdraw.range', range))).toBeTruthy();
  },
);

test('paid twice: a withdrawal without an answer is sent again under its key once the PIN is proven', async () => {
  app.dropConnection(CALL);
  await open('500');
  press(SEND);
  expect(await screen.findByText(UNANSWERED)).toBeTruthy();
  app.refuse(CALL, 'UNAUTHORIZED', { pin: true });
  await ready(AGAIN);
  press(AGAIN);
  await screen.findByText(text('pin.enterLead', { amount: baht(500) }));
  app.reply('POST /api/account/pin/prove', { message: 'OK' });
  app.reply(CALL, receiptOf({}));
  type(text('pin.enter'), '123456');
  expect(await screen.findByText(text('withdraw.done'))).toBeTruthy();
  const keys = app.received(CALL).map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toEqual([keys[0], keys[0], keys[0]]);
});

test('a required PIN is requested, a wrong one is reported, and the right one sends the withdrawal', async () => {
  const prove = 'POST /api/account/pin/prove';
  app.refuse(CALL, 'WRONG_PASSWORD', { pin: true });
  await open('500');
  press(SEND);
  const field = text('pin.enter');
  await screen.findByText(text('pin.enterLead', { amount: baht(500) }));
  for (const code of pin.provePin.refusals) {
    app.refuse(prove, code, code === 'REQUEST_LIMIT' ? { minutes: 12 } : {});
    type(field, '111111');
    const texts = code === 'WRONG_PASSWORD' ? text('pin.wrong') : text('pin.blocked', { minutes: 12 });
    expect(await screen.findByText(texts)).toBeTruthy();
  }
  app.reply(prove, { message: 'OK' });
  app.reply(CALL, receiptOf({}));
  type(field, '123456');
  expect(await screen.findByText(text('withdraw.done'))).toBeTruthy();
  expect(app.received(prove).at(-1)?.body).toEqual({ pin: '123456' });
  await waitFor(() => expect(app.received(CALL)).toHaveLength(2));
});
