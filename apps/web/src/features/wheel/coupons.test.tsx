import type { MemberApi } from '@krapao/contract/member';
import { LANGUAGES } from '@krapao/contract/shared';
import { button, press, ready } from '@krapao/ui/testing/form.ts';
import type { MessageId } from '@lingui/core';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { activateLanguage } from '../../platform/language.ts';
import { queryClient } from '../../platform/member/queries.ts';
import { EXCLUDED, memberApp, text } from '../../testing/member-app.tsx';
import { Coupons } from './coupons.tsx';
import WheelSheet from './wheel-sheet.tsx';

const CALL = 'POST /api/spinwheel/coupon/claim';
const app = await memberApp();

const COUPON: MemberApi['GET /api/spinwheel/coupon']['reply']['result'][number] = {
  _id: 'CP1-1',
  prize: { name: 'Cash 50', slice: null },
  kind: 'CASH',
  amount: 2,
  value: 50,
  terms: null,
  expireAt: '2026-12-01T00:00:00.000Z',
};

/** Presses Redeem beside the coupon and confirms it. */
async function redeem(): Promise<void> {
  app.reply('GET /api/spinwheel/coupon', { success: true, result: [COUPON] });
  app.show(<Coupons />);
  const name = `${text('coupon.redeem')} ${COUPON.prize.name}`;
  await screen.findByRole('button', { name });
  await ready(name);
  screen.getByRole('button', { name }).click();
  const question = within(await screen.findByRole('alertdialog'));
  question.getByRole('button', { name: text('coupon.redeem') }).click();
}

/** What redeeming is refused with, in the order in which the server looks. */
const REFUSALS = [
  'INVALID_CODE',
  'INVALID_PRIZE_CODE',
  'SELF_EXCLUDED',
  'LIMIT_REACHED',
  'INVALID_COUPON_TYPE',
  'COUPON_EXPIRED',
  'NO_CLAIMABLE_COUPON',
  'BONUS_REMAINING',
  'PROVIDER_UNAVAILABLE',
] as const;

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(REFUSALS)('%s within an answer is shown in words', async (code) => {
    await activateLanguage(language, true);
    app.reply(CALL, { success: false, error: code });
    await redeem();
    const message = text(`error.${code}` as MessageId);
    expect(await screen.findByText(message)).toBeTruthy();
    expect(message).not.toContain(code);
    expect(app.received(CALL).map(({ body }) => body)).toEqual([{ coupon: COUPON._id }]);
    // The list may have been out of date.
    await waitFor(() => expect(app.received('GET /api/spinwheel/coupon')).toHaveLength(2));
  });
});

test('a coupon of a bonus says its maximum, games and days before it is redeemed', async () => {
  await activateLanguage('en', true);
  const terms = {
    percentSuccess: 200,
    percentFail: 10,
    turnoverTimes: 0,
    days: 3,
    withdrawMost: 700,
    games: ['lucky'],
  };
  app.reply('GET /api/spinwheel/coupon', { success: true, result: [{ ...COUPON, kind: 'BONUS', terms }] });
  app.show(<Coupons />);
  const name = `${text('coupon.redeem')} ${COUPON.prize.name}`;
  await ready(name);
  screen.getByRole('button', { name }).click();
  const question = within(await screen.findByRole('alertdialog'));
  for (const part of [/700/, /Lucky/, /^3 days$/]) expect(question.getByText(part)).toBeTruthy();
  for (const id of ['bonus.withdrawMost', 'bonus.games', 'bonus.lasts'] as const)
    expect(question.getByText(text(id))).toBeTruthy();
});

test('a coupon that waits for money in a game names the game', async () => {
  await activateLanguage('en', true);
  app.reply(CALL, { success: false, error: 'BONUS_REMAINING', data: { games: ['lucky'] } });
  await redeem();
  expect(await screen.findByText(text('bonus.moveOut', { games: 'Lucky' }))).toBeTruthy();
});

/** A wheel of one slice, on which a spin costs one coin, for a member with these coins. */
function replyWheel(userCoin: number): void {
  const slice = { code: 'S1', label: '50', color: '#fff', image: null, htmlDescription: '' };
  const wheel = { name: 'Wheel', costPerSpin: 1, slices: [slice] };
  app.reply('GET /api/spinwheel/setup', {
    success: true,
    result: { activeSpinwheel: wheel as never, userCoin, earning: null },
  });
}

test('a spin that will be refused is not offered while the wheel is read again after the last coin', async () => {
  await activateLanguage('en', true);
  replyWheel(1);
  app.reply('GET /api/spinwheel/coupon', { success: true, result: [] });
  // A slice that is not on the wheel any more is shown without the animation.
  app.reply('POST /api/spinwheel/spin', {
    success: true,
    result: { ...COUPON.prize, code: 'GONE', label: '50', remainingCoin: 0 } as never,
  });
  app.show(<WheelSheet />);
  await ready(text('wheel.spin'));
  const respond = app.hold('GET /api/spinwheel/setup');
  press(text('wheel.spin'));
  const prize = within(await screen.findByRole('alertdialog'));
  prize.getAllByRole('button').at(-1)!.click();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(screen.getByText(text('wheel.yourCoins', { count: 0 }))).toBeTruthy();
  expect(button(text('wheel.spin')).disabled).toBe(true);
  respond();
});

test('while the wheel turns, a notice of the prize does not show its coupon before the wheel does', async () => {
  await activateLanguage('en', true);
  replyWheel(5);
  app.reply('GET /api/spinwheel/coupon', { success: true, result: [] });
  app.reply('POST /api/spinwheel/spin', {
    success: true,
    result: { ...COUPON.prize, code: 'S1', label: '50', remainingCoin: 4 } as never,
  });
  app.show(<WheelSheet />);
  await ready(text('wheel.spin'));
  press(text('wheel.spin'));
  await waitFor(() => expect(screen.getByText(text('wheel.yourCoins', { count: 4 }))).toBeTruthy());
  app.reply('GET /api/spinwheel/coupon', { success: true, result: [COUPON] });
  const name = `${text('coupon.redeem')} ${COUPON.prize.name}`;
  const reads = () => app.received('GET /api/spinwheel/coupon').length;
  const before = reads();
  await queryClient.invalidateQueries({ queryKey: ['wheel'] });
  expect(reads()).toBe(before);
  fireEvent.transitionEnd(document.querySelector('[style*="rotate"]')!);
  expect(await screen.findByRole('button', { name, hidden: true })).toBeTruthy();
});

test('while no wheel turns the sheet is about the coupons, which can be redeemed', async () => {
  await activateLanguage('en', true);
  app.reply('GET /api/spinwheel/setup', {
    success: true,
    result: { activeSpinwheel: null, userCoin: 0, earning: null },
  });
  app.reply('GET /api/spinwheel/coupon', { success: true, result: [COUPON] });
  app.show(<WheelSheet />);
  expect(await screen.findByRole('dialog', { name: text('coupon.mine') })).toBeTruthy();
  expect(screen.queryByText(text('error.SPINWHEEL_INACTIVE'))).toBeNull();
  await ready(`${text('coupon.redeem')} Cash 50`);
});

test('during an exclusion the wheel offers no spin, and only coupons without conditions', async () => {
  await activateLanguage('en', true);
  replyWheel(5);
  const bonus = { ...COUPON, _id: 'CP2-1', kind: 'BONUS', prize: { name: 'Bonus 50', slice: null } } as const;
  app.reply('GET /api/spinwheel/coupon', { success: true, result: [COUPON, bonus] });
  app.reply('GET /api/limits', EXCLUDED);
  app.show(<WheelSheet />);
  expect(await screen.findByText(text('error.SELF_EXCLUDED'))).toBeTruthy();
  expect(screen.queryByRole('button', { name: text('wheel.spin') })).toBeNull();
  await ready(`${text('coupon.redeem')} Cash 50`);
  expect(button(`${text('coupon.redeem')} Bonus 50`).disabled).toBe(true);
});

test('every language has a different text', async () => {
  for (const code of REFUSALS) {
    const texts = new Set<string>();
    for (const language of LANGUAGES) {
      await activateLanguage(language, true);
      texts.add(text(`error.${code}` as MessageId));
    }
    expect(texts.size).toBe(LANGUAGES.length);
  }
});
