import { expect, type Page } from '@playwright/test';
import { checkConsole, openConsole, consoleText as t } from '../console.ts';
import { control } from '../env-calls.ts';
import { checkScreen, checkScreenInAll, checkSheetInAll } from '../member.ts';
import { newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const AMOUNT = 123.45;
const sheet = (page: Page) => page.getByRole('dialog');
const rows = (page: Page) => page.getByRole('main').locator('section').getByRole('button');

/** Sends money from the member's mobile wallet to the one that is shown. */
const sendFrom = (phone: string, amount: number) =>
  control('transfer', {
    fromAccount: `TRUEMONEY:${phone}`,
    toBank: 'TRUEMONEY',
    toAccount: '0815550199',
    amount,
  });

test("a transfer from one's mobile wallet to the shown one is credited", async ({ browser }) => {
  const say = (id: string) => textOf('th', id);
  const member = await newMember();
  const page = await visit(browser, {}, member);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/user/home');
  await page.getByRole('button', { name: say('deposit.tile'), exact: true }).click();
  await sheet(page)
    .getByRole('button')
    .filter({ hasText: say('deposit.walletSend') })
    .click();
  await expect(sheet(page).getByText('081 555 0199')).toBeVisible();
  await checkSheetInAll(page, 'wallet');
  await sheet(page)
    .getByRole('button', { name: say('deposit.walletNo') })
    .click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('0815550199');
  await sendFrom(member.phone, AMOUNT);
  await page.goto('/user/statement');
  await expect(rows(page).first()).toContainText(`+${AMOUNT}`);
  await expect(rows(page).first()).toContainText(say('deposit.walletName'));
  await checkScreenInAll(page, 'statement of a wallet');
  await page.context().close();
});

test('a deposit is taken back by two, and both see why; the member sees both rows', async ({ browser }) => {
  const member = await newMember({ balance: 700 });
  const { page: maker } = await openConsole(browser, 'finance', member.env, `/deposits?q=${member.phone}`);
  const row = maker.getByRole('row').filter({ hasText: '700.00' });
  await row.getByRole('button', { name: t('deposits.reverse') }).click();
  await checkConsole(maker, 'reverse');
  await maker.getByRole('dialog').getByRole('textbox').fill('ลูกค้าโอนผิดบัญชี');
  await maker
    .getByRole('dialog')
    .getByRole('button', { name: t('withdrawals.sendToChecker') })
    .click();
  await expect(maker.getByText(t('approval.requested'))).toBeVisible();
  await expect(row).toContainText(t('state.APPROVAL'));

  const { page: checker } = await openConsole(browser, 'finance-lead', member.env, '/approvals');
  const request = checker.getByRole('row').filter({ hasText: '700.00' }).first();
  await request.getByRole('button', { name: t('approval.approve'), exact: true }).click();
  await expect(checker.getByRole('dialog')).toContainText('ลูกค้าโอนผิดบัญชี');
  await checker
    .getByRole('dialog')
    .getByRole('button', { name: t('approval.approve'), exact: true })
    .click();
  await expect(checker.getByText(t('approval.approved'), { exact: true }).first()).toBeVisible();
  await maker.goto(`/deposits?q=${member.phone}`);
  await expect(row).toContainText(t('state.REVERSED'));
  await checkConsole(maker, 'deposits');

  const phone = await visit(browser, { language: 'th' }, member);
  await phone.goto('/user/statement');
  await expect(rows(phone)).toHaveCount(2);
  await expect(rows(phone).first()).toContainText(textOf('th', 'statement.takenByStaff'));
  await expect(rows(phone).first()).toContainText('−700.00');
  await expect(rows(phone).last()).toContainText('+700.00');
  await checkScreen(phone, 'statement');
});
