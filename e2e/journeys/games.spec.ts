import { expect } from '@playwright/test';
import { control } from '../env-calls.ts';
import { checkScreen, checkSheet, checkSheetInAll } from '../member.ts';
import { gameName, newMember, playMoney, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const ALL_GAMES = [
  'Naga Tales',
  'Lantern Night',
  'Lotus Court',
  'River Sail',
  'Golden Rice',
  'Silk Loom',
  'Night Table',
  'Kick-off',
  'Half Court',
  'Season Ticket',
  'Drum Lotto',
];

test('a game of an aggregator is opened, its password set again, and entered', async ({ browser }) => {
  const t = (id: string) => textOf('la', id);
  const member = await newMember({ balance: 50 });
  const page = await visit(browser, { language: 'la' }, member);
  await page.goto('/user/home');
  for (const game of ALL_GAMES) await expect(page.getByRole('button', { name: game })).toBeAttached();
  for (const [title, game] of [
    ['game.slot', 'Naga Tales'],
    ['game.sport', 'Kick-off'],
    ['game.lotto', 'Drum Lotto'],
  ] as const) {
    const carousel = page.getByRole('region', { name: t(title), exact: true });
    await expect(carousel.getByRole('button', { name: game })).toBeAttached();
  }
  await page.getByRole('button', { name: 'Season Ticket' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: t('game.open'), exact: true }).click();
  await expect(sheet.getByText('SEASON-1')).toBeVisible();
  for (const link of ['game.web', 'game.android', 'game.ios'])
    await expect(sheet.getByText(t(link), { exact: true })).toHaveCount(0);
  const shown = (name: string) =>
    sheet
      .locator('dt', { hasText: t(name) })
      .locator('xpath=..')
      .locator('dd');
  const password = shown('game.password');
  const before = await password.innerText();
  await checkSheetInAll(page, 'game account');

  await sheet.getByRole('button', { name: t('game.resetPassword') }).click();
  const confirmDialog = page.getByRole('alertdialog');
  await expect(confirmDialog).toContainText(t('game.resetConfirm'));
  await confirmDialog.getByRole('button', { name: t('game.resetPassword') }).click();
  await expect(page.getByText(t('game.resetDone'))).toBeVisible();
  await expect(password).not.toHaveText(before);
  const pair = {
    username: (await shown('game.username').innerText()).trim(),
    password: (await password.innerText()).trim(),
  };
  const enter = await page.request.post(`${member.env.sandboxUrl}/games/askmebet/login`, {
    form: pair,
    maxRedirects: 0,
  });
  expect(enter.headers()['set-cookie']).toBeDefined();
  // The second within a minute is refused, and says when it works again.
  await sheet.getByRole('button', { name: t('game.resetPassword') }).click();
  await confirmDialog.getByRole('button', { name: t('game.resetPassword') }).click();
  await expect(page.getByText(t('error.SLOT_RESET_PASSWORD_FAIL'))).toBeVisible();

  const [game] = await Promise.all([
    page.waitForEvent('popup'),
    sheet.getByRole('button', { name: t('game.play') }).click(),
  ]);
  await game.waitForURL('**/games/askmebet/play**');
  // The game calls itself as it was called where it was pressed.
  await expect(game.getByRole('heading', { level: 1 })).toHaveText('Season Ticket');
  await game.close();

  // Where the game has a page or apps of its own, they are offered.
  const links = {
    web: 'https://game.example',
    android: 'https://game.example/app.apk',
    ios: 'https://game.example/ios',
  };
  await page.route('**/api/wallet', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    Object.assign(
      body.slots.find(({ name }: { name: string }) => name === 'Season Ticket'),
      links,
    );
    await route.fulfill({ response, json: body });
  });
  // The sheet is still open after that.
  await page.reload();
  for (const [kind, address] of Object.entries(links))
    await expect(sheet.getByRole('link', { name: t(`game.${kind}`) })).toHaveAttribute('href', address);
  await checkSheetInAll(page, 'game links');
  await page.unrouteAll({ behavior: 'wait' });
});

test('what a game takes in whole credits leaves its rest where it was', async ({ browser }) => {
  const member = await newMember({ balance: 100 });
  await playMoney(member, 'pg', 30);
  const page = await visit(browser, { language: 'en' }, member);
  await page.goto('/user/home');
  await expect(page.getByRole('button', { name: 'Golden Rice' })).toContainText('30.00');
  await page.getByRole('button', { name: textOf('en', 'transfer.title'), exact: true }).click();
  await page.getByRole('combobox', { name: textOf('en', 'transfer.source') }).selectOption('wallet');
  await page.getByRole('combobox', { name: textOf('en', 'transfer.destination') }).selectOption('pg');
  await page.getByRole('dialog').getByRole('textbox').fill('10.75');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expect(page.getByText(textOf('en', 'transfer.success'))).toBeVisible();
  await page.getByRole('button', { name: textOf('en', 'btn.ok') }).click();
  await expect(page.getByRole('button', { name: 'Golden Rice' })).toContainText('40.00');

  // The first play of another game takes the rest along: card, sum, play.
  await page.getByRole('button', { name: 'Lantern Night' }).click();
  await page.getByRole('button', { name: textOf('en', 'transfer.allShort'), exact: true }).click();
  const [game] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: textOf('en', 'game.playWith', { amount: '' }) }).click(),
  ]);
  await game.waitForURL('**/play**');
  await game.close();
  await expect(page.getByRole('dialog')).toContainText('60.00');
  await checkSheet(page, 'a game after the first play');
});

test('a silent game keeps its figure, marked old, until it answers again', async ({ browser }) => {
  const member = await newMember({ balance: 100 });
  await playMoney(member, 'areaslot', 40);
  const page = await visit(browser, { language: 'th' }, member);
  await page.goto('/user/home');
  const card = page.getByRole('button', { name: 'Lantern Night' });
  await expect(card).toContainText('40.00');
  const username = await gameName(member, 'areaslot');
  const silence = { party: 'game-f', call: 'balance', agent: 'areaslot', member: username };
  const { fault } = await control('faults', { ...silence, kind: 'outage' });
  const old = textOf('th', 'game.asOf', { time: '' }).trim();
  const refresh = page.getByRole('button', { name: textOf('th', 'money.refresh') });
  await expect(async () => {
    await refresh.click();
    await expect(card).toContainText(old, { timeout: 1_000 });
  }).toPass();
  await checkScreen(page, 'home with a silent game');
  await card.click();
  await expect(page.getByRole('dialog')).toContainText('40.00');
  await expect(page.getByRole('dialog')).toContainText(
    textOf('th', 'game.silent', { time: '' }).slice(0, 30),
  );
  await checkSheet(page, 'a silent game');
  await page.keyboard.press('Escape');
  await control('faults', { clear: fault.id });
  await expect(async () => {
    await refresh.click();
    await expect(card).not.toContainText(old, { timeout: 1_000 });
  }).toPass();
});
