import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { buildInto } from '../build.ts';
import { lookAt, lookAtSheet } from '../member.ts';
import { meet, newPerson, PASSWORD } from '../newcomer.ts';
import { textOf } from '../texts.ts';
import { admin, codeFor, inOwnTown, type Place } from '../world.ts';

const la = (id: string, values?: Record<string, string>) => textOf('la', id, values);

/** Nine digits: the Lao build checks no length. */
async function register(page: Page, phone: string, accountNo: string, town: Place): Promise<void> {
  await page.goto('/register');
  await page.getByLabel(la('auth.phone')).fill(phone);
  await page.getByRole('button', { name: la('btn.next') }).click();
  await expect(page.getByRole('heading', { name: la('otp.enter') })).toBeVisible();
  await page
    .getByRole('textbox')
    .first()
    .pressSequentially(await codeFor(phone, town));
  await page.getByLabel(la('auth.name'), { exact: true }).fill('ສົມໃຈ ດີ');
  await page.getByLabel(la('auth.password'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(la('auth.confirmPassword'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(la('register.source')).selectOption('friend');
  await page.getByRole('button', { name: la('btn.next') }).click();
  await expect(page.getByRole('radio', { name: la('currency.kip') })).toBeChecked();
  await lookAt(page, 'Lao register bank');
  await page.getByLabel(la('bank.bank'), { exact: true }).selectOption('BCEL');
  await page.getByLabel(la('bank.accountNo')).fill(accountNo);
  await page.getByLabel(la('bank.firstName')).fill('somjai');
  await page.getByLabel(la('bank.lastName')).fill('dee');
  await page.getByRole('button', { name: la('auth.register') }).click();
  await page.waitForURL('**/login');
}

async function walk(page: Page, town: Place): Promise<void> {
  const { phone, accountNo } = newPerson();
  const number = phone.slice(1);
  await meet({ phone: number, accountNo }, town);
  await page.goto('/login');
  await expect(page.locator('html')).toHaveAttribute('lang', 'lo');
  await lookAt(page, 'Lao login');
  await register(page, number, accountNo, town);
  await page.getByLabel(la('auth.phone')).fill(number);
  await page.getByLabel(la('auth.password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: la('auth.login') }).click();
  await page.getByRole('button', { name: la('agree.accept') }).click();
  await admin(['credit', number, '1500000', 'a test'], town);
  const card = page.getByLabel(la('money.total'));
  await expect(card).toContainText('₭');
  await expect(card).toContainText('1,500,000.00');
  await lookAt(page, 'Lao home');
  await page.getByRole('button', { name: la('withdraw.tile'), exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('100000');
  await lookAtSheet(page, 'Lao withdraw');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expect(page.getByText(la('withdraw.waiting'))).toBeVisible();
  await page.getByRole('button', { name: la('btn.ok') }).click();
  await expect(card).toContainText('1,400,000.00');
}

test('the Lao build speaks Lao first and counts a member in kip', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-lao-'));
  const WEB_DIR = await buildInto(folder, { VARIANT: 'la' });
  await inOwnTown({ VARIANT: 'la', WEB_DIR }, async (town) => {
    const context = await browser.newContext({
      viewport: { width: 360, height: 780 },
      isMobile: true,
      hasTouch: true,
      baseURL: town.url,
    });
    await walk(await context.newPage(), town);
    await context.close();
  });
  rmSync(folder, { recursive: true, force: true });
});
