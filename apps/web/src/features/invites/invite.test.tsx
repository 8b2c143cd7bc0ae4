import type { MemberApi } from '@krapao/contract/member';
import { LANGUAGES, type Language } from '@krapao/contract/shared';
import { button, press, ready } from '@krapao/ui/testing/form.ts';
import type { MessageId } from '@lingui/core';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { activateLanguage } from '../../platform/language.ts';
import { queryClient } from '../../platform/member/queries.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { baht, EXCLUDED, memberApp, text } from '../../testing/member-app.tsx';
import InviteSheet from './invite-sheet.tsx';

const CALL = 'GET /api/invite/bonus';
const app = await memberApp();

const INVITES: MemberApi['POST /api/invite']['reply'] = {
  invites: [],
  total: 0,
  ready: 500,
  terms: { isOpen: true, percent: 5, most: 500, betTimes: 1 },
};

/** Opens the sheet of a member with invite shares of 500 baht. */
async function open(language: Language, isOpen = true): Promise<void> {
  await activateLanguage(language, true);
  app.setWallet((usual) => ({ ...usual, invite: { amount: 500, success: 200, fail: 10 } }));
  app.reply('GET /api/invite/banners', { banners: [] });
  app.reply('POST /api/invite', { ...INVITES, terms: { ...INVITES.terms, isOpen } });
  openSheet('invite');
  app.show(<InviteSheet arg={undefined} />);
  await screen.findByText(text('invite.ready', { amount: baht(500) }));
}

/** Presses Claim and confirms it. */
async function claim(): Promise<void> {
  await ready(text('bonus.receive'));
  press(text('bonus.receive'));
  const question = within(screen.getByRole('alertdialog'));
  question.getByRole('button', { name: text('invite.receive') }).click();
}

/** What is ready may be another than the sheet had. */
const listReadAgain = () =>
  waitFor(() => expect(app.received('POST /api/invite').length).toBeGreaterThanOrEqual(2));

/** What receiving is refused with, in the order in which the server looks. */
const REFUSALS = [
  'INVITE_INACTIVE',
  'NO_INVITE_BONUS',
  'NO_INVITEE_PLAY_INFO',
  'BONUS_REMAINING',
  'INVITE_COLLECT',
  'SELF_EXCLUDED',
  'LIMIT_REACHED',
  'PROVIDER_UNAVAILABLE',
  'INVITE_BONUS_FAIL',
] as const;

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(REFUSALS)('%s is shown in words', async (code) => {
    await open(language);
    app.refuse(CALL, code);
    await claim();
    const message = text(`error.${code}` as MessageId);
    expect(await screen.findByText(message)).toBeTruthy();
    expect(message).not.toContain(code);
    expect(app.received(CALL)).toHaveLength(1);
    await listReadAgain();
  });

  test('a share below the minimum names both sums', async () => {
    await open(language);
    app.refuse(CALL, 'INVITE_COLLECT', { minimum: 800, amount: 500 });
    await claim();
    const message = text('invite.belowMin', { min: baht(800), amount: baht(500) });
    expect(await screen.findByText(message)).toBeTruthy();
    await listReadAgain();
  });

  test('what was received is reported, and ends on its receipt', async () => {
    await open(language);
    app.reply(CALL, { message: 'INVITE_BONUS_SUCCESS', amount: 500, statementId: 'ST1' });
    await claim();
    expect(await screen.findByText(text('error.INVITE_BONUS_SUCCESS'))).toBeTruthy();
    expect(history.state).toMatchObject({ sheet: 'receipt', arg: 'ST1' });
    await listReadAgain();
  });

  test('a response after the sheet was closed is reported, and opens no sheet over the page below', async () => {
    await open(language);
    app.reply(CALL, { message: 'INVITE_BONUS_SUCCESS', amount: 500, statementId: 'ST1' });
    const respond = app.hold(CALL);
    await claim();
    await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
    history.replaceState(null, '');
    respond();
    expect(await screen.findByText(text('error.INVITE_BONUS_SUCCESS'))).toBeTruthy();
    expect(history.state).toBeNull();
    await listReadAgain();
  });

  test('while invites are off the sheet reports it, and nothing can be claimed', async () => {
    await open(language, false);
    expect(screen.getByText(text('error.INVITE_INACTIVE'))).toBeTruthy();
    expect(button(text('bonus.receive')).disabled).toBe(true);
  });
});

test('while invites are off the question from home is not asked', async () => {
  await activateLanguage('en', true);
  app.setWallet((usual) => ({ ...usual, invite: { amount: 500, success: 200, fail: 10 } }));
  app.reply('POST /api/invite', { ...INVITES, terms: { ...INVITES.terms, isOpen: false } });
  app.show(<InviteSheet arg="receive" />);
  expect(await screen.findByText(text('error.INVITE_INACTIVE'))).toBeTruthy();
  expect(screen.queryByRole('button', { name: text('invite.receive') })).toBeNull();
});

test.each([
  ['the sheet', undefined],
  ['the question alone', 'receive'],
])('during an exclusion %s offers no claim and links to the limits', async (_, arg) => {
  await activateLanguage('en', true);
  app.setWallet((usual) => ({ ...usual, invite: { amount: 500, success: 200, fail: 10 } }));
  app.reply('GET /api/invite/banners', { banners: [] });
  app.reply('POST /api/invite', INVITES);
  app.reply('GET /api/limits', EXCLUDED);
  app.show(<InviteSheet arg={arg} />);
  expect(await screen.findByText(text('error.SELF_EXCLUDED'))).toBeTruthy();
  expect(button(text('limit.page'))).toBeTruthy();
  if (!arg) expect(button(text('bonus.receive')).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: text('invite.receive') })).toBeNull();
});

test('every language has a different text', async () => {
  for (const code of [...REFUSALS, 'INVITE_BONUS_SUCCESS']) {
    const texts = new Set<string>();
    for (const language of LANGUAGES) {
      await activateLanguage(language, true);
      texts.add(text(`error.${code}` as MessageId));
    }
    expect(texts.size).toBe(LANGUAGES.length);
  }
});

test('a banner that appears while a claim is under way does not take the place of the sheet', async () => {
  await open('en');
  app.reply(CALL, { message: 'INVITE_BONUS_SUCCESS', amount: 500, statementId: 'ST1' });
  const respond = app.hold(CALL);
  await claim();
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
  const banner = { id: '1', title: 'Songkran', html: '<p>More friends</p>', image: '', link: '' };
  app.reply('GET /api/invite/banners', { banners: [banner] });
  await act(() => queryClient.invalidateQueries({ queryKey: ['banners'] }));
  respond();
  expect(await screen.findByText(text('error.INVITE_BONUS_SUCCESS'))).toBeTruthy();
  expect(history.state).toMatchObject({ sheet: 'receipt', arg: 'ST1' });
  await listReadAgain();
});
