import { press, pressTwice, ready } from '@krapao/ui/testing/form.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { baht, memberApp, receiptOf, text } from '../../testing/member-app.tsx';
import SlotSheet from './slot-sheet.tsx';

const OPEN = 'GET /api/wallet/activate/{slotCode}';
const MOVE = 'POST /api/wallet/transfer';
const ACCOUNT = 'GET /api/wallet/account/{slotCode}';
const ENTER = 'GET /api/autoLogin/{game}/{username}';
const app = await memberApp();
const PLAY = text('game.play');
const PLAY_100 = text('game.playWith', { amount: baht(100) });
const FIGURES = { amount: baht(100), game: 'Lucky' };

/** The tab that a press opens. */
const tab = { opener: {}, close: vi.fn(), location: { replace: vi.fn() } };

beforeEach(() => {
  vi.restoreAllMocks();
  tab.close.mockReset();
  tab.location.replace.mockReset();
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  app.reply(ACCOUNT, { username: 'kp100001', password: 'secret' });
  app.reply(ENTER, { link: 'https://game.example/once' });
  app.reply(MOVE, receiptOf({ type: 'transfer', to: 'lucky', amount: 100 }));
});

/** Shows a game without an account, which opening gives. */
function showClosed(): void {
  app.setWallet(({ slots: [game], ...wallet }) => {
    if (!game) throw new Error('the usual wallet has a game');
    app.reply(OPEN, { ...game, amount: 0 });
    return { ...wallet, slots: [{ ...game, isActive: false, amount: 0 }] };
  });
  app.show(<SlotSheet arg="lucky" />);
}

/** Chooses the amount to transfer; the button shows it. */
async function choose100(): Promise<void> {
  press('100');
  await ready(PLAY_100);
}

const entered = () =>
  waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith('https://game.example/once'));

test('the first play opens the account, moves the chosen sum in and enters, each once', async () => {
  showClosed();
  await choose100();
  pressTwice(PLAY_100);
  await entered();
  expect(app.received(OPEN)).toHaveLength(1);
  expect(app.received(MOVE).map(({ body }) => body)).toEqual([{ from: 'wallet', to: 'lucky', amount: 100 }]);
  expect(app.received(ENTER).map(({ path }) => path)).toEqual(['/api/autoLogin/lucky/kp100001']);
  // The next press takes nothing more along.
  await ready(PLAY);
});

test('without a sum no money moves', async () => {
  app.show(<SlotSheet arg="lucky" />);
  press(text('game.bringNone'));
  press(PLAY);
  await entered();
  expect([app.received(OPEN), app.received(MOVE)]).toEqual([[], []]);
});

test('an account that cannot be opened reports that no money has moved', async () => {
  showClosed();
  app.refuse(OPEN, 'GAME_ACTIVATION_FAIL');
  await choose100();
  press(PLAY_100);
  expect(await screen.findByText(text('game.moneyStays'))).toBeTruthy();
  expect(screen.getByText(text('error.GAME_ACTIVATION_FAIL'))).toBeTruthy();
  expect(tab.close).toHaveBeenCalled();
  expect(app.received(MOVE)).toEqual([]);
});

test('a refused transfer does not enter, and one without an answer is sent again under its key', async () => {
  app.show(<SlotSheet arg="lucky" />);
  await choose100();
  app.refuse(MOVE, 'TRANSFER_FAIL');
  press(PLAY_100);
  expect(await screen.findByText(text('error.TRANSFER_FAIL'))).toBeTruthy();
  app.dropConnection(MOVE);
  await ready(PLAY_100);
  press(PLAY_100);
  expect(await screen.findByText(text('error.unknownResult'))).toBeTruthy();
  expect(app.received(ENTER)).toEqual([]);
  app.reply(MOVE, receiptOf({ type: 'transfer', to: 'lucky', amount: 100 }));
  await ready(PLAY_100);
  press(PLAY_100);
  await entered();
  const [refused, unknown, again] = app.received(MOVE).map(({ idempotencyKey }) => idempotencyKey);
  expect(again).toBe(unknown);
  expect(unknown).not.toBe(refused);
});

test('moved twice: while a transfer has no answer no other amount is offered', async () => {
  app.dropConnection(MOVE);
  app.show(<SlotSheet arg="lucky" />);
  await choose100();
  press(PLAY_100);
  expect(await screen.findByText(text('error.unknownResult'))).toBeTruthy();
  await ready(PLAY_100);
  expect(screen.queryByRole('group', { name: text('game.bring') })).toBeNull();
  app.refuse(MOVE, 'MONEY_NOT_ENOUGH');
  press(PLAY_100);
  expect(await screen.findByText(text('error.MONEY_NOT_ENOUGH'))).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('group', { name: text('game.bring') })).toBeTruthy());
});

test('sent after closing: no money moves into a game whose account is still opened when the sheet closes', async () => {
  showClosed();
  await choose100();
  const letOpenings = app.hold(OPEN);
  press(PLAY_100);
  await waitFor(() => expect(app.received(OPEN)).toHaveLength(1));
  cleanup();
  letOpenings();
  await waitFor(() => expect(tab.close).toHaveBeenCalled());
  expect(app.received(MOVE)).toEqual([]);
});

test('money in transit is reported as such, and is not sent twice', async () => {
  app.reply(MOVE, receiptOf({ type: 'transfer', to: 'lucky', amount: 100, status: 'PENDING' }));
  app.show(<SlotSheet arg="lucky" />);
  await choose100();
  press(PLAY_100);
  expect(await screen.findByText(text('game.moneyMoving', FIGURES))).toBeTruthy();
  expect(tab.close).toHaveBeenCalled();
  await ready(PLAY);
  press(PLAY);
  await entered();
  expect(app.received(MOVE)).toHaveLength(1);
});

test('a game that does not open after the transfer reports where the money is', async () => {
  app.refuse(ENTER, 'PROVIDER_UNAVAILABLE');
  app.show(<SlotSheet arg="lucky" />);
  await choose100();
  press(PLAY_100);
  expect(await screen.findByText(text('game.moneyIn', FIGURES))).toBeTruthy();
  expect(screen.getByText(text('error.PROVIDER_UNAVAILABLE'))).toBeTruthy();
  await ready(PLAY);
});

test('a limit of game entries reports when the game can be entered again, and where the money is', async () => {
  app.refuse(ENTER, 'REQUEST_LIMIT', { minutes: 42 }, 429);
  app.show(<SlotSheet arg="lucky" />);
  await choose100();
  press(PLAY_100);
  expect(await screen.findByText(text('game.moneyIn', FIGURES))).toBeTruthy();
  expect(screen.getByText(text('error.waitMinutes', { minutes: 42 }))).toBeTruthy();
  expect(tab.close).toHaveBeenCalled();
});

test('an excluded member is offered nothing', async () => {
  app.reply('GET /api/limits', { limits: [], break: { length: '7d', startedAt: '', until: null } });
  showClosed();
  expect(await screen.findByText(text('limit.page'))).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(PLAY)).toBeNull());
});

test('an exclusion that began meanwhile takes the place of the play button once it refuses', async () => {
  app.show(<SlotSheet arg="lucky" />);
  await screen.findByText('kp100001');
  app.refuse(ENTER, 'SELF_EXCLUDED', { until: null });
  app.refuse(ACCOUNT, 'SELF_EXCLUDED', { until: null });
  press(PLAY);
  expect(await screen.findByText(text('limit.page'))).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(PLAY)).toBeNull());
});

test('a game outside the bonus takes no money in, and can be entered', async () => {
  app.reply('GET /api/bonus/check/active', { status: true, type: 'bonus', games: ['other'] });
  app.show(<SlotSheet arg="lucky" />);
  expect(await screen.findByText(text('transfer.notInBonus'))).toBeTruthy();
  expect(screen.queryByText(text('game.bringNone'))).toBeNull();
  press(PLAY);
  await entered();
});
