import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { expect } from '@playwright/test';
import { checkConsole as checkScreen, goByKeys, openConsole, consoleText as t } from '../console.ts';
import { call, control, inOwnEnv } from '../env-calls.ts';
import { newMember } from '../new-member.ts';
import { test } from '../test.ts';

const BANGKOK_MS = 420 * MINUTE_MS;

/** How long the day in Bangkok still lasts. */
const dayLeftMs = () => DAY_MS - ((Date.now() + BANGKOK_MS) % DAY_MS);

test('a day that agrees says so; a line the bank leaves out is found, explained by keyboard and gone from today', async ({
  browser,
}) => {
  const clockOf = (sandboxUrl: string) => ({ CLOCK_URL: `${sandboxUrl}/control/clock` });
  await inOwnEnv(clockOf, async (env) => {
    // Who signs in reads their codes off a clock of their own, so it is done before the test environment's is moved.
    const { page } = await openConsole(browser, 'finance-lead', env);
    // All of it on one day: shortly before midnight, on the next.
    if (dayLeftMs() < 10 * MINUTE_MS) await control('clock', { advanceMs: dayLeftMs() }, env);
    const member = await newMember({ balance: 1000, env });
    const { payload } = await call('POST /api/qrcode/WW', { amount: 300 }, member.token, env);
    const { payments } = await control('pay-qr', { payload }, env);
    await expect(async () => {
      const { wallet } = await call('GET /api/wallet', undefined, member.token, env);
      expect(wallet.amount).toBe(1300);
    }).toPass();
    await control('clock', { advanceMs: 5 * MINUTE_MS }, env);

    await goByKeys(page, 'c');
    await expect(page.getByRole('heading', { level: 1, name: t('nav.reconciliation') })).toBeVisible();
    await expect(page.getByText(t('recon.notYet'))).toBeVisible();
    await page.keyboard.press(']');
    await expect(page.getByLabel(t('recon.next'))).toBeDisabled();
    await page.getByRole('button', { name: t('recon.again') }).click();
    await expect(page.getByText(t('recon.agrees'))).toBeVisible();
    await checkScreen(page, 'reconciliation agrees');

    await control('misprint', { party: 'ww', reference: payments[0].transRef }, env);
    await page.getByRole('button', { name: t('recon.again') }).click();
    const list = page.getByRole('table', { name: t('recon.open') });
    await expect(list.getByText(t('difference.MISSING_THEIRS'))).toBeVisible();
    await expect(list.getByRole('row')).toHaveCount(2);
    await checkScreen(page, 'reconciliation differences');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('300.00');
    await page.getByRole('dialog').getByRole('textbox').fill('เกตเวย์แจ้งยอดล่าช้า');
    await page.keyboard.press('Control+Enter');
    await expect(list.getByText(t('state.EXPLAINED'))).toBeVisible();
    await goByKeys(page, 't');
    await expect(page.getByText(t('today.noAlerts'))).toBeVisible();
  });
});

test('a statement file replaces the bank’s call; the same file again changes nothing', async ({
  browser,
}) => {
  const { page } = await openConsole(browser, 'finance-lead', undefined, '/reconciliation?day=2026-01-05');
  await page.getByRole('button', { name: t('recon.files') }).click();
  const dialog = page.getByRole('dialog', { name: t('recon.files') });
  await expect(dialog.getByRole('combobox', { name: t('recon.account') })).not.toHaveValue('');
  const send = (content: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'january.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const notice = page.locator('output');
  await send('Date,Amount\n05/01/2026,1.00\n06/01/2026,later\n');
  await expect(notice).toHaveText(t('error.STATEMENT_UNREADABLE', { line: '3' }));
  await send('Date,Amount\n05/01/2026,1.00\n06/01/2026,-2.00\n');
  await expect(dialog.getByText('january.csv')).toBeVisible();
  await send('Date,Amount\n05/01/2026,1.00\n06/01/2026,-2.00\n');
  await expect(notice).toHaveText(t('recon.fileRepeated'));
  await expect(dialog.getByRole('row')).toHaveCount(2);
  await checkScreen(page, 'statement files');
  await page.keyboard.press('Escape');
  await expect(page.getByText(t('recon.fromFile', { name: 'january.csv' }))).toBeVisible();
});
