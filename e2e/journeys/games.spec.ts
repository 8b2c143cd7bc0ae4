import { expect, test } from '@playwright/test';
import { lookAtSheet } from '../member.ts';
import { newMember, playMoney, visit } from '../newcomer.ts';
import { LANGUAGES, textOf } from '../texts.ts';

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

for (const language of LANGUAGES)
  test(`a game of an aggregator is opened, its password set anew, and entered, in ${language}`, async ({
    browser,
  }) => {
    const t = (id: string) => textOf(language, id);
    const member = await newMember({ balance: 50 });
    const page = await visit(browser, { language }, member);
    await page.goto('/user/home');
    for (const game of ALL_GAMES) await expect(page.getByRole('button', { name: game })).toBeAttached();
    await page.getByRole('button', { name: 'Season Ticket' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: t('game.open'), exact: true }).click();
    await expect(sheet.getByText('SEASON-1')).toBeVisible();
    const shown = (name: string) =>
      sheet
        .locator('dt', { hasText: t(name) })
        .locator('xpath=..')
        .locator('dd');
    const password = shown('game.password');
    const before = await password.innerText();
    await lookAtSheet(page, `game-account-${language}`);

    await sheet.getByRole('button', { name: t('game.resetPassword') }).click();
    const ask = page.getByRole('alertdialog');
    await expect(ask).toContainText(t('game.resetAsk'));
    await ask.getByRole('button', { name: t('game.resetPassword') }).click();
    await expect(page.getByText(t('game.resetDone'))).toBeVisible();
    await expect(password).not.toHaveText(before);
    const pair = {
      username: (await shown('game.username').innerText()).trim(),
      password: (await password.innerText()).trim(),
    };
    const enter = await page.request.post(`${member.town.sandboxUrl}/games/askmebet/login`, {
      form: pair,
      maxRedirects: 0,
    });
    expect(enter.headers()['set-cookie']).toBeDefined();
    // The second within a minute is refused, and says when it works again.
    await sheet.getByRole('button', { name: t('game.resetPassword') }).click();
    await ask.getByRole('button', { name: t('game.resetPassword') }).click();
    await expect(page.getByText(t('error.REQUEST_LIMIT_1MIN'))).toBeVisible();

    const [game] = await Promise.all([
      page.waitForEvent('popup'),
      sheet.getByRole('button', { name: t('game.enter') }).click(),
    ]);
    await game.waitForURL('**/games/askmebet/play**');
    await game.close();
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
});
