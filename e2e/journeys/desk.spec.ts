import { type Browser, expect, type Page, test } from '@playwright/test';
import { deskText, lookAtDesk, openDesk } from '../desk.ts';
import { lookAt, lookAtSheet } from '../member.ts';
import { newMember, visit } from '../newcomer.ts';
import { type Language, textOf } from '../texts.ts';

const current = (page: Page) => page.locator('tr[aria-current=true]');

/** Walks the queue with `j` until the row that names this is under the keyboard. */
async function walkTo(page: Page, text: string): Promise<void> {
  do await page.keyboard.press('j');
  while (!(await current(page).textContent())?.includes(text));
}

/** Asks for an account at SCB in the member's own words; answers its number. */
async function askForAccount(page: Page, language: Language): Promise<string> {
  const t = (id: string) => textOf(language, id);
  const accountNo = `66${String(Date.now()).slice(-8)}`;
  await page.goto('/user/profile');
  await page.getByRole('button', { name: t('profile.changeAccount') }).click();
  await lookAtSheet(page, 'account sheet');
  const sheet = page.locator('dialog[open]').last();
  await sheet.getByLabel(t('bank.bank'), { exact: true }).selectOption('SCB');
  await sheet.getByLabel(t('bank.accountNo')).fill(accountNo);
  await sheet.getByLabel(t('bank.firstName')).fill('SOM');
  await sheet.getByLabel(t('bank.lastName')).fill('CHAI');
  await sheet.getByRole('button', { name: t('profile.askAccount') }).click();
  return accountNo;
}

async function changeAccount(browser: Browser, language: Language) {
  const member = await newMember({ balance: 1_000 });
  const phone = await visit(browser, { language }, member);
  const accountNo = await askForAccount(phone, language);
  const account = `SCB ••${accountNo.slice(-4)}`;
  await expect(phone.getByText(textOf(language, 'profile.accountPending', { account }))).toBeVisible();
  await lookAt(phone, 'profile pending');
  return { phone, account, accountNo };
}

test('a new bank account is asked for on the phone, compared and approved by keyboard, and rests a day', async ({
  browser,
}) => {
  const { phone, account, accountNo } = await changeAccount(browser, 'th');
  const { page: desk } = await openDesk(browser, 'finance-lead');
  await desk.keyboard.press('g');
  await desk.keyboard.press('a');
  await expect(desk.getByText(account)).toBeVisible();
  await walkTo(desk, account);
  await desk.keyboard.press('a');
  const dialog = desk.getByRole('dialog');
  await expect(dialog).toContainText(account);
  await dialog.getByRole('button', { name: deskText('approval.reveal') }).click();
  await expect(dialog).toContainText(accountNo);
  await lookAtDesk(desk, 'account change');
  await dialog.getByRole('button', { name: deskText('approval.approve') }).press('Enter');
  await expect(desk.getByText(deskText('approval.approved'), { exact: true }).first()).toBeVisible();

  await phone.reload();
  await expect(phone.getByText('SOM CHAI')).toBeVisible();
  await expect(phone.getByText(textOf('th', 'profile.payoutsFrom', { time: '' }).trim())).toBeVisible();
  await lookAt(phone, 'profile rests');
  for (const page of [desk, phone]) await page.context().close();
});
