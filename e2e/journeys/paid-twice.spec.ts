import { expect, type Locator, type Page } from '@playwright/test';
import { checkConsole, consoleText, openConsole } from '../console.ts';
import { admin, call, inOwnEnv } from '../env-calls.ts';
import { checkSheetInAll } from '../member.ts';
import { newMember, payAsMalee, payIn, visit } from '../new-member.ts';
import { makeSlip, submitSlip } from '../slips.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

test('a payment report whose money was credited meanwhile says so, and is paid again only by two', async ({
  browser,
}) => {
  await inOwnEnv({}, async (env) => {
    await admin(['setting', 'set', 'deposit.manual', 'true'], env);
    const member = await newMember({ env });
    const report = () => call('POST /api/wallet/add', { amount: 345 }, member.token, env);
    await expect(report).toPass();
    await payIn(member, 345);
    const { page } = await openConsole(browser, 'finance', env, '/reports');
    await expect(page.getByRole('table')).toContainText(consoleText('reports.credited'));
    await page
      .getByRole('button', { name: consoleText('reports.credit') })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('alert')).toContainText(consoleText('reports.creditedNote'));
    await checkConsole(page, 'report credited before');
    const submit = dialog.getByRole('button', { name: consoleText('reports.credit') });
    await dialog.getByLabel(consoleText('field.reason')).fill('แจ้งยอดซ้ำ');
    // Nothing is chosen for the operator: neither a transaction nor a second payment.
    await expect(submit).toBeDisabled();
    await dialog.getByRole('combobox', { name: consoleText('reports.transaction') }).click();
    await page.getByRole('option', { name: consoleText('reports.manual') }).click();
    await submit.click();
    await expect(page.getByText(consoleText('approval.requested'))).toBeVisible();
    const { wallet } = await call('GET /api/wallet', undefined, member.token, env);
    expect(wallet.amount).toBe(345);
  });
});

test('a transfer whose report was credited manually is booked as its money, and the member keeps what they have', async ({
  browser,
}) => {
  await inOwnEnv({}, async (env) => {
    await admin(['setting', 'set', 'deposit.manual', 'true'], env);
    const member = await newMember({ env });
    await call('POST /api/wallet/add', { amount: 345 }, member.token, env);
    const { page } = await openConsole(browser, 'finance', env, '/reports');
    const press = (id: string, within: Page | Locator = page) =>
      within
        .getByRole('button', { name: consoleText(id) })
        .first()
        .click();
    const dialog = page.getByRole('dialog');
    await press('reports.credit');
    await dialog.getByLabel(consoleText('field.reason')).fill('สลิปในแชต');
    await press('reports.credit', dialog);
    await expect(dialog).toHaveCount(0);
    const slip = await submitSlip(member, await makeSlip(member, { amount: '345.00' }));
    expect(slip.status).toBe('REVIEW');
    await page.goto('/reports?list=doubts');
    await press('matches.decide');
    const choice = dialog.getByRole('combobox', { name: consoleText('matches.is') });
    await expect(choice).toHaveValue('');
    await choice.click();
    await checkConsole(page, 'transfer of a credited report');
    await page.getByRole('option').first().click();
    await dialog.getByLabel(consoleText('field.reason')).fill('เงินของรายการที่เติมแล้ว');
    await checkConsole(page, 'transfer of a credited report chosen');
    await press('matches.decide', dialog);
    const state = consoleText('state.CREDITED');
    await expect(page.getByText(consoleText('reports.done', { state }))).toBeVisible();
    await page.reload();
    await expect(page.getByRole('main')).toContainText(consoleText('table.empty'));
    const { wallet } = await call('GET /api/wallet', undefined, member.token, env);
    expect(wallet.amount).toBe(345);
  });
});

test('an unmatched transaction whose report was credited manually is booked as its money, by two operators', async ({
  browser,
}) => {
  await inOwnEnv({}, async (env) => {
    await admin(['setting', 'set', 'deposit.manual', 'true'], env);
    const member = await newMember({ env, accountName: 'MALEE SRISUK' });
    const { id } = await call('POST /api/wallet/add', { amount: 345 }, member.token, env);
    const { page } = await openConsole(browser, 'finance', env, '/reports');
    const dialog = page.getByRole('dialog');
    const press = (text: string, within: Page | Locator = page) =>
      within
        .getByRole('button', { name: consoleText(text) })
        .first()
        .click();
    await press('reports.credit');
    await dialog.getByLabel(consoleText('field.reason')).fill('สลิปในแชต');
    await press('reports.credit', dialog);
    await expect(dialog).toHaveCount(0);
    await payAsMalee(345, env);
    await page.goto('/unmatched');
    await press('unmatched.assign');
    await dialog.getByRole('radio').filter({ hasText: 'MALEE SRISUK' }).click();
    await expect(dialog.getByRole('alert')).toContainText(consoleText('bookings.report', { id }));
    await expect(
      dialog.getByRole('button', { name: consoleText('withdrawals.sendToChecker') }),
    ).toBeVisible();
    await checkConsole(page, 'unmatched money that is booked');
    await press('bookings.same', dialog);
    await expect(dialog).toContainText(consoleText('bookings.sameNote'));
    await dialog.getByLabel(consoleText('field.reason')).fill('ยอดเดียวกับสลิป');
    await checkConsole(page, 'unmatched money tied');
    await press('withdrawals.sendToChecker', dialog);
    await expect(page.getByText(consoleText('approval.requested'))).toBeVisible();
    const { page: other } = await openConsole(browser, 'finance-lead', env, '/approvals');
    const row = other.getByRole('row').filter({ hasText: id });
    await checkConsole(other, 'request to tie unmatched money');
    await row.getByRole('button', { name: consoleText('approval.approve'), exact: true }).click();
    await other
      .getByRole('dialog')
      .getByRole('button', { name: consoleText('approval.approve'), exact: true })
      .click();
    await expect(other.getByRole('dialog')).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('main')).toContainText(consoleText('empty.unmatched'));
    await page.goto('/unmatched?state=CREDITED');
    await expect(page.getByRole('row').filter({ hasText: 'MALEE' })).toContainText(
      consoleText('state.CREDITED'),
    );
    await checkConsole(page, 'unmatched money after it was tied');
    const { wallet } = await call('GET /api/wallet', undefined, member.token, env);
    expect(wallet.amount).toBe(345);
  });
});

test('more than one QR is made for is refused with the most, in every language', async ({ browser }) => {
  const t = (id: string, values?: Record<string, string>) => textOf('th', id, values);
  const page = await visit(browser, { language: 'th' }, await newMember());
  await page.goto('/user/home');
  await page.getByRole('button', { name: t('deposit.tile'), exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet
    .getByRole('button')
    .filter({ hasText: t('deposit.anyBankApp') })
    .click();
  await sheet.getByRole('textbox').fill('3000000');
  await sheet.locator('button[type=submit]').click();
  await expect(page.getByText('2,000,000.00')).toBeVisible();
  await checkSheetInAll(page, 'QR above the most');
});
