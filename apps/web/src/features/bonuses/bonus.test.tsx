import { bonuses, type MemberApi } from '@krapao/contract/member';
import { button, press, pressTwice } from '@krapao/ui/testing/form.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../platform/member/queries.ts';
import { baht, memberApp, text } from '../../testing/member-app.tsx';
import BonusPage from './bonus-page.tsx';
import BonusSheet from './bonus-sheet.tsx';
import PromotionSheet from './promotion-sheet.tsx';

const CALL = 'GET /api/bonus/activate/{code}';
const app = await memberApp();
const RECEIVE = text('bonus.receiveSum', { amount: baht(100) });

const OFFER: MemberApi['GET /api/bonus']['reply'][number] = {
  code: 'WELCOME',
  version: 3,
  title: 'Welcome bonus',
  description: '',
  percentSuccess: 200,
  percentFail: 10,
  banners: [],
  terms: {
    award: { fixed: 100, percent: null, most: null },
    deposit: null,
    turnoverTimes: 0,
    games: null,
    withdrawMost: null,
    days: 7,
    endsAt: null,
  },
  now: { deposit: 0, amount: 100, target: 200, floor: 10, turnoverNeeded: 0 },
  moveOutOf: [],
  type: 'limit',
  maxReceived: 1,
  userBonus: null,
};

async function open(): Promise<void> {
  app.show(<BonusSheet arg="WELCOME" />);
  await waitFor(() => button(RECEIVE));
}

beforeEach(() => {
  app.reply('GET /api/bonus', [OFFER]);
  app.reply('GET /api/bonus/check/active', { status: false, type: null });
  app.reply('GET /api/lookup/notice', { notice: '' });
});

test('a double press receives the bonus once and reports the start of its run', async () => {
  app.reply(CALL, { _id: 'B1', isActive: true, received: [] });
  await open();
  pressTwice(RECEIVE);
  expect(await screen.findByText(text('bonus.saved'))).toBeTruthy();
  expect(app.received(CALL).map(({ path }) => path)).toEqual(['/api/bonus/activate/WELCOME?version=3']);
});

test('while a run is under way nothing can be received', async () => {
  app.reply('GET /api/bonus/check/active', { status: true, type: 'bonus' });
  app.show(<BonusSheet arg="WELCOME" />);
  await waitFor(() => button(text('btn.confirm')));
  expect(screen.queryByText(text('bonus.receive'))).toBeNull();
});

const plain = bonuses.activateBonus.refusals.filter((code) => code !== 'BONUS_DEPOSIT_REQUIRED');

test.each(plain)('%s is shown as text and can be dismissed', async (code) => {
  app.refuse(CALL, code);
  await open();
  press(RECEIVE);
  expect(await screen.findByText(text(`error.${code}`))).toBeTruthy();
  press(text('btn.ok'));
  expect(screen.queryByText(text(`error.${code}`))).toBeNull();
});

test('an exclusion that began meanwhile takes the place of the offer', async () => {
  await open();
  app.refuse(CALL, 'SELF_EXCLUDED', { until: null });
  app.refuse('GET /api/bonus', 'SELF_EXCLUDED', { until: null });
  press(RECEIVE);
  expect(await screen.findByText(text('limit.page'))).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('button', { name: RECEIVE })).toBeNull());
});

test('a missing deposit is named and can be made from here', async () => {
  app.refuse(CALL, 'BONUS_DEPOSIT_REQUIRED', { min: 300, max: null });
  await open();
  press(RECEIVE);
  expect(await screen.findByText(/300/)).toBeTruthy();
  press(text('deposit.tile'));
  expect(history.state).toMatchObject({ sheet: 'deposit' });
});

const NEEDY = {
  ...OFFER,
  terms: { ...OFFER.terms, deposit: { least: 100, most: null } },
  now: null,
} as const;

test('a bonus that needs a deposit shows it on its card and links to a deposit of that sum', async () => {
  app.reply('GET /api/bonus', [NEEDY, { ...OFFER, code: 'FREE', title: 'Free bonus' }]);
  app.show(<BonusPage />);
  const amount = '100 baht';
  expect(await screen.findByText(text('bonus.depositToClaim', { amount }))).toBeTruthy();
  expect(screen.getAllByText(text('bonus.available'))).toHaveLength(1);
  app.show(<BonusSheet arg="WELCOME" />);
  await waitFor(() => button(text('bonus.depositNow', { amount })));
  expect(screen.queryByText(text('bonus.receive'))).toBeNull();
  press(text('bonus.depositNow', { amount }));
  expect(history.state).toMatchObject({ sheet: 'deposit', fill: { amount: 100 } });
});

const RUN = {
  status: true,
  type: 'bonus',
  name: 'Welcome bonus',
  base: 200,
  balance: 450,
  target: 400,
  floor: 20,
  turnover: 0,
  turnoverNeeded: 0,
  deposit: 100,
  withdrawMost: null,
  games: null,
  mayForfeit: true,
  expiresAt: '2099-01-01T00:00:00.000Z',
  isOver: false,
} as const;

async function openRun(balance: number): Promise<void> {
  app.reply('GET /api/bonus', []);
  app.reply('GET /api/bonus/check/active', { ...RUN, balance });
  app.show(<BonusPage />);
  await screen.findByText('Welcome bonus');
}

test('a run that is won is finished, which is celebrated with the way to withdraw', async () => {
  app.reply('GET /api/bonus/clear', { message: 'BONUS_CLEAR', state: 'SUCCESS', taken: 0, left: 451 });
  await openRun(450);
  expect(screen.getByText(text('bonus.mayEnd'))).toBeTruthy();
  expect(screen.queryByText(text('bonus.cancel'))).toBeNull();
  pressTwice(text('bonus.finish'));
  expect(await screen.findByText(text('bonus.finished', { name: 'Welcome bonus' }))).toBeTruthy();
  expect(within(screen.getByRole('alertdialog')).getByText(/451/)).toBeTruthy();
  expect(app.received('GET /api/bonus/clear')).toHaveLength(1);
  press(text('withdraw.title'));
  expect(history.state).toMatchObject({ sheet: 'withdraw' });
});

test('a run that is lost is ended, and one under way can only be cancelled', async () => {
  app.reply('GET /api/bonus/clear', { message: 'BONUS_CLEAR', state: 'FAILED', taken: 0, left: 20 });
  await openRun(20);
  expect(screen.getByText(text('bonus.mayEndLost'))).toBeTruthy();
  press(text('bonus.end'));
  expect(await screen.findByText(text('error.BONUS_CLEAR'))).toBeTruthy();
  cleanup();
  queryClient.clear();
  app.setWallet((usual) => usual);
  await openRun(100);
  expect(button(text('bonus.cancel'))).toBeTruthy();
});

test('an end without an answer is not called failed', async () => {
  app.dropConnection('GET /api/bonus/clear');
  await openRun(450);
  press(text('bonus.finish'));
  expect(await screen.findByText(text('error.unreachable'))).toBeTruthy();
  expect(screen.queryByText(text('bonus.cancelFail'))).toBeNull();
});

test('an end whose answer was lost says where its result is, though the run is gone from the page', async () => {
  app.dropConnection('GET /api/bonus/clear');
  await openRun(450);
  app.reply('GET /api/bonus/check/active', { status: false, type: null });
  press(text('bonus.finish'));
  expect(await screen.findByText(text('bonus.endedUnseen'))).toBeTruthy();
});

test('a run shown as won that was lost meanwhile is not celebrated', async () => {
  app.reply('GET /api/bonus/clear', { message: 'BONUS_CLEAR', state: 'FAILED', taken: 0, left: 3 });
  await openRun(450);
  press(text('bonus.finish'));
  expect(await screen.findByText(text('bonus.endedLost', { amount: baht(3) }))).toBeTruthy();
  expect(screen.queryByRole('button', { name: text('withdraw.title') })).toBeNull();
});

test('the page reads games that were not read for a minute, and then the run', async () => {
  await openRun(200);
  await waitFor(() => expect(app.received('GET /api/wallet/refresh/slot')).toHaveLength(1));
  await waitFor(() => expect(app.received('GET /api/bonus/check/active').length).toBeGreaterThan(1));
});

const FORFEIT = 'POST /api/bonus/forfeit';
const takes = (amount: number) => text('bonus.giveUpTakes', { amount: baht(amount) });
const lastPath = (call: typeof FORFEIT | 'GET /api/bonus/clear') => app.received(call).at(-1)!.path;

/** Presses the confirmation of the open question. */
async function confirm(label: string): Promise<void> {
  const question = within(await screen.findByRole('alertdialog'));
  question.getByRole('button', { name: label }).click();
}

test('giving up names what it takes by figures read now, and takes no more', async () => {
  app.reply(FORFEIT, { message: 'BONUS_CLEAR', state: 'FORFEITED', taken: 200, left: 100 });
  await openRun(200);
  app.reply('GET /api/bonus/check/active', { ...RUN, balance: 300 });
  press(text('bonus.giveUp'));
  expect(await screen.findByText(takes(200))).toBeTruthy();
  await confirm(text('bonus.giveUp'));
  expect(await screen.findByText(text('error.BONUS_CLEAR'))).toBeTruthy();
  expect(lastPath(FORFEIT)).toBe('/api/bonus/forfeit?takenMost=200');
});

test('an amount that has grown since is shown before it is confirmed again', async () => {
  app.refuse(FORFEIT, 'BONUS_TAKES_MORE', { takes: 800 });
  await openRun(200);
  press(text('bonus.giveUp'));
  expect(await screen.findByText(takes(100))).toBeTruthy();
  app.reply('GET /api/bonus/check/active', { ...RUN, balance: 900, target: 1000 });
  await confirm(text('bonus.giveUp'));
  expect(await screen.findByText(takes(800))).toBeTruthy();
  expect(screen.getByText(text('error.BONUS_TAKES_MORE'))).toBeTruthy();
  app.reply(FORFEIT, { message: 'BONUS_CLEAR', state: 'FORFEITED', taken: 800, left: 100 });
  await confirm(text('bonus.giveUp'));
  expect(await screen.findByText(text('error.BONUS_CLEAR'))).toBeTruthy();
  expect(lastPath(FORFEIT)).toBe('/api/bonus/forfeit?takenMost=800');
});

test('a run that was won with more than it leaves is not ended before that is confirmed', async () => {
  app.refuse('GET /api/bonus/clear', 'BONUS_TAKES_MORE', { takes: 50 });
  app.reply('GET /api/bonus', []);
  const capped = { ...RUN, withdrawMost: 400 };
  app.reply('GET /api/bonus/check/active', { ...capped, balance: 390 });
  app.show(<BonusPage />);
  await screen.findByText('Welcome bonus');
  app.reply('GET /api/bonus/check/active', capped);
  press(text('bonus.cancel'));
  const amount = text('bonus.capTakes', { most: baht(400), amount: baht(50) });
  expect(await screen.findByText(amount)).toBeTruthy();
  expect(lastPath('GET /api/bonus/clear')).toBe('/api/bonus/clear?takenMost=0');
  app.reply('GET /api/bonus/clear', { message: 'BONUS_CLEAR', state: 'SUCCESS', taken: 50, left: 400 });
  await confirm(text('bonus.finish'));
  expect(await screen.findByText(text('bonus.finished', { name: 'Welcome bonus' }))).toBeTruthy();
  expect(lastPath('GET /api/bonus/clear')).toBe('/api/bonus/clear?takenMost=50');
});

test('coupons are found beside the bonuses', async () => {
  app.reply('GET /api/spinwheel/active', { isActive: false, coupons: 1 });
  app.show(<BonusPage />);
  (await screen.findByText(text('coupon.mine'))).click();
  expect(history.state).toMatchObject({ sheet: 'wheel' });
});

const MOVE_OUT = text('bonus.moveOut', { games: 'Lucky' });
const OUT_OF_LUCKY = { sheet: 'transfer', fill: { amount: 250, from: 'lucky', to: 'wallet' } };

test('a bonus without the game that holds the money leads to the transfer out of it instead of a deposit', async () => {
  app.reply('GET /api/bonus', [{ ...NEEDY, moveOutOf: ['lucky'] }]);
  app.show(<BonusSheet arg="WELCOME" />);
  expect(await screen.findByText(MOVE_OUT)).toBeTruthy();
  expect(screen.queryByText(text('bonus.depositNow', { amount: '100 baht' }))).toBeNull();
  press(text('transfer.title'));
  expect(history.state).toMatchObject(OUT_OF_LUCKY);
});

test('a refusal because of money in a game that is not allowed names the game and leads to the transfer', async () => {
  app.refuse(CALL, 'BONUS_REMAINING', { games: ['lucky'] });
  await open();
  press(RECEIVE);
  expect(await screen.findByText(MOVE_OUT)).toBeTruthy();
  press(text('transfer.title'));
  expect(history.state).toMatchObject(OUT_OF_LUCKY);
});

test('guesses used up: an unknown promotion is asked for once, whatever events arrive', async () => {
  const find = 'GET /api/promotion/find/{code}';
  app.refuse(find, 'NO_PROMOTION');
  app.show(<PromotionSheet arg="SONGKRAN" />);
  expect(await screen.findByText(text('promo.notFound'))).toBeTruthy();
  await queryClient.invalidateQueries({ queryKey: ['bonus'] });
  expect(app.received(find)).toHaveLength(1);
});

test('past its time a won run offers its end alone, and asks before it takes what the time takes', async () => {
  const run = { ...RUN, isOver: true };
  app.reply('GET /api/bonus', []);
  app.reply('GET /api/bonus/check/active', run);
  app.show(<BonusPage />);
  expect(await screen.findByText(text('bonus.timeOver'))).toBeTruthy();
  for (const id of ['bonus.finish', 'bonus.giveUp', 'bonus.mayEnd'] as const)
    expect(screen.queryByText(text(id))).toBeNull();
  press(text('bonus.end'));
  const question = await screen.findByRole('alertdialog');
  expect(within(question).getByText(text('bonus.giveUpTakes', { amount: baht(350) }))).toBeTruthy();
  app.reply('GET /api/bonus/clear', { message: 'BONUS_CLEAR', state: 'EXPIRED', taken: 350, left: 100 });
  within(question)
    .getByRole('button', { name: text('bonus.end') })
    .click();
  await waitFor(() => expect(lastPath('GET /api/bonus/clear')).toBe('/api/bonus/clear?takenMost=350'));
});

test('a run whose time is over since it was read is ended by what the server would take', async () => {
  await openRun(450);
  const figures = { base: 200, balance: 450, target: 400, floor: 20, turnover: 0, turnoverNeeded: 0 };
  app.refuse('GET /api/bonus/clear', 'BONUS_TAKES_MORE', { takes: 350, ...figures });
  press(text('bonus.finish'));
  const question = await screen.findByRole('alertdialog');
  expect(within(question).getByText(text('bonus.giveUpTakes', { amount: baht(350) }))).toBeTruthy();
  app.reply('GET /api/bonus/clear', { message: 'BONUS_CLEAR', state: 'EXPIRED', taken: 350, left: 100 });
  within(question)
    .getByRole('button', { name: text('bonus.end') })
    .click();
  await waitFor(() => expect(lastPath('GET /api/bonus/clear')).toBe('/api/bonus/clear?takenMost=350'));
});

test('past its time an end that must wait says so, and names no target that does not count any more', async () => {
  app.reply('GET /api/bonus', []);
  app.reply('GET /api/bonus/check/active', { ...RUN, balance: 90, isOver: true });
  app.show(<BonusPage />);
  await screen.findByText(text('bonus.timeOver'));
  const figures = { base: 200, balance: 90, target: 400, floor: 20, turnover: 0, turnoverNeeded: 0 };
  app.refuse('GET /api/bonus/clear', 'BONUS_CONDITION', figures);
  press(text('bonus.end'));
  expect(await screen.findByText(text('bonus.stillMoving'))).toBeTruthy();
});
