import { type Browser, expect, type Page } from '@playwright/test';
import { listenIn, receivedOn } from '../bell.ts';
import { checkConsole, consoleText, openConsole } from '../console.ts';
import { call, type Place, startOwnEnv } from '../env-calls.ts';
import { newMember } from '../new-member.ts';
import { test } from '../test.ts';
import type { TestEnv } from '../test-env.ts';

/** Amounts in the order of the table's rows. */
const amounts = async (page: Page): Promise<string[]> =>
  (await page.locator('tbody tr').allTextContents()).map((row) => /฿([\d,]+\.\d\d)/.exec(row)?.[1] ?? '');

async function waiting(env: Place, ...wanted: number[]): Promise<void> {
  for (const amount of wanted) {
    const member = await newMember({ balance: amount + 500, env });
    await call('POST /api/wallet/withdraw', { amount }, member.token, env);
  }
}

async function saveView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: consoleText('views.title') }).click();
  await page.getByRole('menuitem', { name: consoleText('views.save') }).click();
  await page.getByLabel(consoleText('views.name')).fill(name);
  await page.getByRole('combobox', { name: consoleText('views.audience') }).click();
  await page.getByRole('option', { name: consoleText('views.all') }).click();
  await checkConsole(page, 'save view');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: consoleText('views.save') })
    .click();
  await expect(page.getByText(consoleText('views.saved'))).toBeVisible();
}

async function sortAndChoose(page: Page): Promise<void> {
  const head = page.getByRole('columnheader', { name: consoleText('col.amount') });
  await head.getByRole('button').click();
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(() => amounts(page)).toEqual(['2,500.00', '3,500.00', '4,500.00']);
  await page.getByRole('button', { name: consoleText('table.columns') }).click();
  await page.getByRole('menuitemcheckbox', { name: consoleText('col.account') }).click();
  await checkConsole(page, 'columns');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: consoleText('col.account') })).toHaveCount(0);
}

async function openSharedView(browser: Browser, env: Place, name: string, link: string) {
  const { page } = await openConsole(browser, 'finance', env, '/withdrawals');
  await expect(page.getByRole('columnheader', { name: consoleText('col.account') })).toBeVisible();
  await page.getByRole('button', { name: consoleText('views.title') }).click();
  await page.getByRole('menuitem', { name }).click();
  await expect.poll(() => amounts(page)).toEqual(['2,500.00', '3,500.00', '4,500.00']);
  await expect(page.getByRole('columnheader', { name: consoleText('col.account') })).toHaveCount(0);
  await page.goto('/');
  await page.goto(link);
  await expect.poll(() => amounts(page)).toEqual(['2,500.00', '3,500.00', '4,500.00']);
  await page.context().close();
}

/** One test environment in turn, with three withdrawals that wait in the end: the lists may contain no others. */
test.describe.configure({ mode: 'serial' });
let env: TestEnv;
test.beforeAll(async () => {
  env = await startOwnEnv();
});
test.afterAll(() => env.stop());

test('a new withdrawal rings once a browser, in every console of a permitted operator, and notifies those who enabled it', async ({
  browser,
}) => {
  const [{ page }, { page: other }, { page: reader }] = await Promise.all([
    openConsole(browser, 'finance', env),
    openConsole(browser, 'finance', env),
    openConsole(browser, 'auditor', env),
  ]);
  const second = await page.context().newPage();
  await second.goto('/withdrawals');
  for (const one of [page, second, other, reader]) await listenIn(one);
  await page.getByRole('button', { name: consoleText('bell.title') }).click();
  expect((await receivedOn(page)).requested).toBe(0);
  await page.getByRole('menuitemcheckbox', { name: consoleText('bell.notify') }).click();
  await checkConsole(page, 'bell');
  await page.keyboard.press('Escape');
  await waiting(env, 3_500);
  for (const one of [page, second, other]) await expect(one).toHaveTitle(/^\(1\) /);
  const both = async () => (await receivedOn(page)).rings + (await receivedOn(second)).rings;
  await expect.poll(both).toBe(1);
  await expect.poll(async () => (await receivedOn(other)).rings).toBe(1);
  const notes = async () => [...(await receivedOn(page)).notes, ...(await receivedOn(second)).notes];
  await expect.poll(notes).toEqual([consoleText('new.withdrawals')]);
  expect((await receivedOn(other)).notes).toEqual([]);
  expect((await receivedOn(reader)).rings).toBe(0);
  await other.getByRole('button', { name: consoleText('bell.title') }).click();
  await other.getByRole('menuitemcheckbox', { name: consoleText('bell.sound') }).click();
  await waiting(env, 2_500);
  await expect(other).toHaveTitle(/^\(2\) /);
  await expect.poll(both).toBe(2);
  expect((await receivedOn(other)).rings).toBe(1);
  for (const one of [page, other, reader]) await one.context().close();
});

test('a list is sorted, its columns chosen, and a colleague sees the same rows by view and by link', async ({
  browser,
}) => {
  await waiting(env, 4_500);
  const { page } = await openConsole(browser, 'finance', env, '/withdrawals');
  await sortAndChoose(page);
  await saveView(page, 'ยอดน้อยก่อน');
  await openSharedView(browser, env, 'ยอดน้อยก่อน', page.url());
  await page.goto('/withdrawals');
  await expect(page.getByRole('columnheader', { name: consoleText('col.amount') })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: consoleText('col.account') })).toHaveCount(0);
  await page.context().close();
});

test('many withdrawals are approved by keyboard, and the report has a result for each', async ({
  browser,
}) => {
  const { page: rival } = await openConsole(browser, 'finance', env, '/withdrawals');
  const { page } = await openConsole(browser, 'finance', env, '/withdrawals');
  await expect(rival.locator('tbody tr')).toHaveCount(3);
  await rival.keyboard.press('j');
  await rival.keyboard.press('c');
  await expect(page.locator('tbody tr').filter({ hasText: 'finance-' })).toHaveCount(1);
  await expect(page.locator('tbody tr')).toHaveCount(3);
  await page.keyboard.press('Shift+X');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('10,500.00');
  await expect(
    dialog.getByRole('button', { name: consoleText('withdrawals.approveMany', { count: '3' }) }),
  ).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText(consoleText('bulk.result', { done: '2', failed: '1' }));
  await expect(dialog.locator('tr').first()).toContainText('3,500.00');
  await expect(dialog.locator('tr').first()).toContainText('finance-');
  await checkConsole(page, 'bulk report');
  for (const one of [page, rival]) await one.context().close();
});
