import { type Browser, expect, type Page } from '@playwright/test';
import { call, control } from '../env-calls.ts';
import { checkSheet } from '../member.ts';
import { gameName, type Member, newMember, PASSWORD, playMoney, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const t = (id: string, values?: Record<string, string>) => textOf('en', id, values);

const sheet = (page: Page) => page.getByRole('dialog');
const submit = (page: Page) => sheet(page).locator('button[type=submit]');
const total = (page: Page) => page.getByLabel(t('money.total'));

async function home(browser: Browser, member: Member): Promise<Page> {
  const page = await visit(browser, { language: 'en' }, member);
  await page.goto('/user/home');
  await expect(total(page)).toBeVisible();
  return page;
}

async function openSheet(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await expect(sheet(page)).toBeVisible();
}

/** How often the page reads the wallet from now on. */
function walletsRequested(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/wallet')) count++;
  });
  return () => count;
}

async function choose(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('combobox', { name: t('transfer.source') }).selectOption(from);
  await page.getByRole('combobox', { name: t('transfer.destination') }).selectOption(to);
}

/** Waits until the balance card shows a figure: the total, or one of its two addends. */
const stands = (page: Page, figure: string) => expect(total(page)).toContainText(figure);

test('a transfer needs two places that differ and an amount, and all of it can go at once', async ({
  browser,
}) => {
  const member = await newMember({ balance: 100 });
  await playMoney(member, 'betflix', 30);
  await playMoney(member, 'areaslot', 20);
  const page = await home(browser, member);
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/wallet/transfer')) sent++;
  });
  await openSheet(page, t('transfer.title'));
  const amount = sheet(page).getByRole('textbox');
  await amount.fill('10');
  for (const [from, to, problem] of [
    ['wallet', '', t('transfer.chooseBoth')],
    ['', 'betflix', t('transfer.chooseBoth')],
    ['betflix', 'betflix', t('transfer.same')],
  ] as const) {
    await choose(page, from, to);
    await submit(page).click();
    await expect(sheet(page).getByText(problem)).toBeVisible();
  }
  await choose(page, 'wallet', 'betflix');
  await amount.fill('0.99');
  await submit(page).click();
  await expect(sheet(page).getByText(t('transfer.atLeast', { min: '1.00\u00a0baht' }))).toBeVisible();
  expect(sent).toBe(0);
  await choose(page, 'wallet', 'betflix');
  await sheet(page)
    .getByRole('button', { name: t('transfer.allTo', { place: 'Naga Tales' }) })
    .click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('transfer.all') })
    .click();
  await expect(page.getByText(t('transfer.success'))).toBeVisible();
  await page.getByRole('button', { name: t('btn.ok') }).click();
  await expect(page.getByRole('button', { name: 'Naga Tales' })).toContainText('100.00');
  await expect(page.getByRole('button', { name: 'Lantern Night' })).toContainText('0.00');
  await openSheet(page, t('transfer.title'));
  await choose(page, 'areaslot', 'wallet');
  await expect(sheet(page).getByRole('button', { name: t('transfer.only') })).toBeDisabled();
  await choose(page, 'betflix', 'wallet');
  const requested = walletsRequested(page);
  await sheet(page)
    .getByRole('button', { name: t('transfer.only') })
    .click();
  await expect(page.getByText(t('transfer.success'))).toBeVisible();
  // The back gesture closes it as the button does.
  await page.goBack();
  await stands(page, '100.00');
  await expect(page.getByRole('button', { name: 'Naga Tales' })).not.toContainText('100.00');
  // Events of the transfer may cause one more read.
  expect(requested()).toBeGreaterThan(0);
});

test('a transfer on another device is shown here without a press: the game’s balance and the total', async ({
  browser,
}) => {
  const member = await newMember({ balance: 100 });
  await playMoney(member, 'betflix', 30);
  const page = await home(browser, member);
  await stands(page, '100.00');
  await expect(page.locator('[data-live]')).toBeVisible();
  const requested = walletsRequested(page);
  const move = { from: 'wallet', to: 'betflix', amount: 40 };
  await call('POST /api/wallet/transfer', move, member.token, member.env);
  await expect(page.getByRole('button', { name: 'Naga Tales' })).toContainText('70.00');
  await stands(page, '100.00');
  expect(requested()).toBeGreaterThan(0);
});

test('the total stays while money is on its way into a game, which the card names', async ({ browser }) => {
  const member = await newMember({ balance: 100 });
  await playMoney(member, 'betflix', 30);
  const username = await gameName(member, 'betflix');
  const page = await home(browser, member);
  await stands(page, '100.00');
  await expect(page.locator('[data-live]')).toBeVisible();
  /** Every total and every line below it that was drawn from now on. */
  const drawn = await total(page).evaluateHandle((card) => {
    const seen = { totals: new Set<string>(), lines: new Set<string>() };
    const look = () => {
      const [figure, line] = card.querySelectorAll('p');
      seen.totals.add(figure?.textContent ?? '');
      seen.lines.add(line?.textContent ?? '');
      requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  await control('faults', {
    party: 'game-f',
    kind: 'delay',
    ms: 2_000,
    call: 'transfer',
    agent: 'betflix',
    member: username,
  });
  const move = { from: 'wallet', to: 'betflix', amount: 40 };
  await call('POST /api/wallet/transfer', move, member.token, member.env);
  await expect(page.getByRole('button', { name: 'Naga Tales' })).toContainText('70.00');
  const onTheWay = t('money.onTheWay', { sum: '40.00 baht' });
  await expect(total(page)).not.toContainText(onTheWay);
  const { totals, lines } = await drawn.evaluate((seen) => ({
    totals: [...seen.totals],
    lines: [...seen.lines],
  }));
  expect(totals).toHaveLength(1);
  expect(lines.map((line) => line.replace(/\s/g, ' '))).toContain(onTheWay);
});

test('after a transfer the new figures stand before its sheet is closed, without the live connection and without a reload', async ({
  browser,
}) => {
  const member = await newMember({ balance: 100 });
  await playMoney(member, 'betflix', 30);
  const page = await visit(browser, { language: 'en' }, member);
  await page.route('**/socket.io/**', (route) => route.abort());
  await page.goto('/user/home');
  await stands(page, '100.00');
  await openSheet(page, t('transfer.title'));
  await choose(page, 'wallet', 'betflix');
  await sheet(page).getByRole('textbox').fill('10');
  await submit(page).click();
  await expect(page.getByText(t('transfer.success'))).toBeVisible();
  const figures = page.locator('main');
  await expect(figures).toContainText('60.00');
  await expect(figures).toContainText('40.00');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  const requested = walletsRequested(page);
  await page.getByRole('button', { name: t('btn.ok') }).click();
  await expect(page.getByRole('button', { name: 'Naga Tales' })).toContainText('40.00');
  await stands(page, '100.00');
  await expect.poll(requested).toBeGreaterThan(0);
});

test('what a game holds comes home whole, also when it is less than one', async ({ browser }) => {
  const member = await newMember({ balance: 100 });
  await playMoney(member, 'betflix', 10);
  const back = { from: 'betflix', to: 'wallet', amount: 9.4 };
  await call('POST /api/wallet/transfer', back, member.token, member.env);
  const page = await home(browser, member);
  await openSheet(page, t('transfer.title'));
  await choose(page, 'betflix', 'wallet');
  const amount = sheet(page).getByRole('textbox');
  await amount.fill('0.59');
  await submit(page).click();
  await expect(sheet(page).getByText(t('transfer.atLeast', { min: '0.60\u00a0baht' }))).toBeVisible();
  await sheet(page)
    .getByRole('button', { name: t('transfer.only') })
    .click();
  await expect(page.getByText(t('transfer.success'))).toBeVisible();
  await expect(page.getByRole('alertdialog')).toContainText('0.60');
  await page.getByRole('button', { name: t('btn.ok') }).click();
  await expect(page.getByRole('button', { name: 'Naga Tales' })).not.toContainText('0.60');
  const { wallet } = await call('GET /api/wallet', undefined, member.token, member.env);
  expect(wallet.amount).toBe(100);
});

test('a game that refuses leaves the wallet whole, and the row says FAILED', async ({ browser }) => {
  const member = await newMember({ balance: 80 });
  await playMoney(member, 'betflix', 0);
  const username = await gameName(member, 'betflix');
  const page = await home(browser, member);
  await control('faults', {
    party: 'game-f',
    kind: 'refuse',
    call: 'transfer',
    agent: 'betflix',
    member: username,
  });
  await openSheet(page, t('transfer.title'));
  await choose(page, 'wallet', 'betflix');
  await sheet(page).getByRole('textbox').fill('50');
  await submit(page).click();
  await expect(sheet(page).getByText(t('error.TRANSFER_FAIL'))).toBeVisible();
  await checkSheet(page, 'transfer failed');
  await page.keyboard.press('Escape');
  await stands(page, '80.00');
  await page.getByRole('link', { name: t('statement.nav') }).click();
  const row = page.getByRole('main').getByRole('button').filter({ hasText: 'Naga Tales' }).first();
  await expect(row).toContainText(t('status.failed'));
});

test('a withdrawal keeps its limits, takes game money along, and allows one at a time', async ({
  browser,
}) => {
  const member = await newMember({ balance: 200 });
  await playMoney(member, 'betflix', 70);
  await call('POST /api/wallet/withdraw', { amount: 100 }, member.token, member.env);
  const page = await home(browser, member);
  await page.getByRole('link', { name: t('statement.nav') }).click();
  const row = page
    .getByRole('main')
    .getByRole('button')
    .filter({ hasText: t('type.withdraw') })
    .first();
  await expect(row).toContainText(t('status.success'));
  await page.getByRole('link', { name: t('nav.home') }).click();
  // 30 in the wallet, 70 in the game.
  await openSheet(page, t('withdraw.tile'));
  const amount = sheet(page).getByRole('textbox');
  await amount.fill('99.99');
  await submit(page).click();
  await expect(sheet(page).getByText(t('withdraw.belowMin', { min: '100.00\u00a0baht' }))).toBeVisible();
  await amount.fill('50000.01');
  await submit(page).click();
  await expect(sheet(page).getByText(t('withdraw.aboveMax', { max: '50,000.00\u00a0baht' }))).toBeVisible();
  await checkSheet(page, 'withdraw above the maximum');
  await amount.fill('100');
  await submit(page).click();
  await expect(page.getByText(t('withdraw.waiting'))).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Naga Tales' })).not.toContainText('70.00');
});

test('a second withdrawal waits for the first, and a refused one brings the money back live', async ({
  browser,
}) => {
  const member = await newMember({ balance: 500 });
  // The bank decides when the test lets it, however late the test looks at an open withdrawal.
  await control('faults', {
    party: 'bank-a',
    kind: 'late',
    call: 'settle-payout',
    member: member.accountNo,
    ms: 3_600_000,
  });
  const page = await home(browser, member);
  await openSheet(page, t('withdraw.tile'));
  await sheet(page).getByRole('textbox').fill('300');
  const taken = page.waitForResponse('**/api/wallet/withdrawAll');
  await submit(page).click();
  await expect(page.getByText(t('withdraw.waiting'))).toBeVisible();
  await page.getByRole('button', { name: t('btn.ok') }).click();
  await stands(page, '200.00');
  await openSheet(page, t('withdraw.tile'));
  await expect(sheet(page).getByText(t('withdraw.oneOpen'))).toBeVisible();
  await expect(sheet(page).getByRole('textbox')).toHaveCount(0);
  await page.keyboard.press('Escape');
  const { id: reference } = await (await taken).json();
  await control('wait', { for: 'payout', reference, state: 'ACCEPTED', timeoutMs: 60_000 });
  await control('payout', { reference, state: 'REJECTED' });
  // Without a reload: the bank's refusal is pushed.
  await expect(total(page)).toContainText('500.00');
  await page.getByRole('link', { name: t('statement.nav') }).click();
  const row = page
    .getByRole('main')
    .getByRole('button')
    .filter({ hasText: t('type.withdraw') })
    .first();
  await expect(row).toContainText(t('status.failed'));
});

test('the eye hides every balance, and stays closed after a reload', async ({ browser }) => {
  const member = await newMember({ balance: 1234 });
  const page = await home(browser, member);
  await stands(page, '1,234.00');
  await page.getByRole('button', { name: t('money.hide') }).click();
  await expect(page.getByRole('main')).not.toContainText('1,234');
  await page.reload();
  await expect(page.getByRole('button', { name: t('money.show') })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('1,234');
  await page.getByRole('button', { name: t('money.show') }).click();
  await stands(page, '1,234.00');
});

test('copying says so with the text, and so does its failure', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/user/profile');
  const copy = page.getByRole('button', { name: `${t('btn.copy')} ${t('bank.accountNo')}` });
  await copy.click();
  await expect(page.getByText(`${t('btn.copied')} ${member.accountNo}`)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(member.accountNo);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
  });
  await copy.click();
  await expect(page.getByText(t('btn.copyFailed'))).toBeVisible();
});

test('a password is changed with the old one only, and an empty field says so', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/changepwd')) sent++;
  });
  await page.goto('/user/profile');
  await openSheet(page, t('profile.changePassword'));
  const type = async (old: string, fresh: string, again: string) => {
    await page.getByLabel(t('profile.oldPassword'), { exact: true }).fill(old);
    await page.getByLabel(t('profile.newPassword'), { exact: true }).fill(fresh);
    await page.getByLabel(t('profile.confirmPassword'), { exact: true }).fill(again);
    await submit(page).click();
  };
  await type(PASSWORD, 'x', '');
  await expect(page.getByText(t('valid.required'))).toHaveCount(1);
  await type(PASSWORD, 'x', 'y');
  await expect(page.getByText(t('valid.passwordMismatch'))).toBeVisible();
  expect(sent).toBe(0);
  await type('wrong', 'x', 'x');
  await expect(
    page.getByRole('alertdialog').getByRole('heading', { name: t('error.WRONG_PASSWORD') }),
  ).toBeVisible();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('btn.ok') })
    .click();
  await type(PASSWORD, 'x', 'x');
  await expect(page.getByText(t('profile.passwordChanged'))).toBeVisible();
  await call('POST /api/login', { username: member.phone, password: 'x' }, null, member.env);
});
