import { readFileSync } from 'node:fs';
import { type Browser, expect, type Page } from '@playwright/test';
import { call, control, inOwnEnv } from '../env-calls.ts';
import { checkSheet } from '../member.ts';
import { type Member, newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const t = (id: string, values?: Record<string, string>) => textOf('en', id, values);

const sheet = (page: Page) => page.getByRole('dialog');
const submit = (page: Page) => sheet(page).locator('button[type=submit]');
const timer = (page: Page) => page.getByRole('timer');
const readQr = (member: Member) => call('GET /api/qrcode/KBANK', undefined, member.token, member.env);

/** Home with the form of the QR channel open. */
async function openForm(page: Page): Promise<void> {
  await page.goto('/user/home');
  await page.getByRole('button', { name: t('deposit.tile'), exact: true }).click();
  await sheet(page)
    .getByRole('button')
    .filter({ hasText: t('deposit.anyBankApp') })
    .click();
}

async function makeQr(page: Page, amount: number): Promise<void> {
  await page.getByRole('button', { name: String(amount), exact: true }).click();
  await submit(page).click();
  await expect(timer(page)).toHaveText(/0?9:\d\d/);
}

/** Lets the page request its QR, and delays the response. */
async function holdResponse(page: Page): Promise<{ arrive(): Promise<void> }> {
  let letGo = (): void => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const answered = new Promise<void>((isHeld) => {
    void page.route(
      '**/api/qrcode/KBANK',
      async (route) => {
        const response = await route.fetch();
        isHeld();
        await isLetGo;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
  });
  const [request] = await Promise.all([
    page.waitForRequest('**/api/qrcode/KBANK'),
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))),
    answered,
  ]);
  return {
    async arrive() {
      letGo();
      await (await request.response())?.finished();
      // Drawn by then, if it were taken.
      for (let frame = 0; frame < 3; frame++)
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    },
  };
}

const openPage = (browser: Browser, member: Member) =>
  visit(browser, { language: 'en', device: 'desktop' }, member);

test('quick amounts stand as agreed, nothing is made for 0, and a cancelled QR makes room for another', async ({
  browser,
}) => {
  const member = await newMember();
  const page = await openPage(browser, member);
  await openForm(page);
  const quick = sheet(page).getByRole('group', { name: t('deposit.quick') });
  await expect(quick.getByRole('button')).toHaveText(['10', '20', '50', '100', '500', /^1,?000|1k$/i]);
  for (const note of [t('qr.once', { minutes: '10' }), t('deposit.oneMinute')])
    await expect(sheet(page)).toContainText(note);
  for (const nothing of ['', '0', '0.00', 'abc']) {
    await sheet(page).getByRole('textbox').fill(nothing);
    await expect(submit(page)).toBeDisabled();
  }
  await sheet(page).getByRole('textbox').fill('0.5');
  await submit(page).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(timer(page)).toHaveCount(0);
  await makeQr(page, 50);
  const first = await timer(page).innerText();
  await expect(timer(page)).not.toHaveText(first);
  const late = await holdResponse(page);
  await page.getByRole('button', { name: t('qr.cancel') }).click();
  await expect(timer(page)).toHaveCount(0);
  expect((await readQr(member)).hasQrcode).toBe(false);
  // What was true before it was cancelled does not bring it back.
  await late.arrive();
  await expect(timer(page)).toHaveCount(0);
  await makeQr(page, 10);
  // On another device: no press, and long before the page would look by itself.
  await call('DELETE /api/qrcode/KBANK', undefined, member.token, member.env);
  await expect(timer(page)).toHaveCount(0);
  await makeQr(page, 20);
  expect((await readQr(member)).amount).toBe(20);
  await page.getByRole('button', { name: t('qr.done') }).click();
  await expect(page.getByText(t('qr.doneHint'))).toBeVisible();
  await expect(sheet(page)).toHaveCount(0);
});

test('a saved QR picture is paid in the bank app, and the waiting page turns by itself', async ({
  browser,
}) => {
  const member = await newMember();
  const page = await openPage(browser, member);
  await openForm(page);
  await makeQr(page, 100);
  const { payload } = await readQr(member);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('btn.savePicture') }).click(),
  ]);
  const picture = await download.path();
  expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
  if (process.env.PICTURES) await download.saveAs(`${process.env.PICTURES}/saved QR.png`);
  const phone = await browser.newPage();
  await phone.goto(`${member.env.sandboxUrl}/?lang=en`);
  const spaced = member.phone.replace(/^(\d{3})(\d{3})(\d+)$/, '$1 $2 $3');
  await phone.locator('#people').getByRole('link').filter({ hasText: spaced }).click();
  await phone.locator('#bank-home a[href*="s=scan"]').click();
  await phone.locator('[data-decode] input').setInputFiles(picture);
  await phone.waitForURL('**s=review**');
  expect(await phone.locator('form[action="/phone/pay"] input[name=payload]').inputValue()).toBe(payload);
  await expect(phone.locator('#bankapp .big')).toContainText('100.00');
  await phone.locator('form[action="/phone/pay"] button.wide').click();
  await expect(page.getByText(t('qr.paid'))).toBeVisible();
  await expect(sheet(page)).toContainText('100.00');
  // Without input, the total has risen behind the sheet, which turns into the receipt.
  await expect(page.getByLabel(t('money.total'))).toContainText('100.00');
  await expect(sheet(page)).toContainText(t('deposit.done'));
  await expect(sheet(page)).toContainText(`${t('receipt.balanceAfter')}฿100.00`);
  await expect(sheet(page)).toContainText(`xxx-x-x${member.accountNo.slice(5, 9)}-x`);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    sheet(page)
      .getByRole('button', { name: t('btn.savePicture') })
      .click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^receipt-DP\w+\.png$/);
  await sheet(page)
    .getByRole('button', { name: t('receipt.again') })
    .click();
  await expect(sheet(page).getByRole('textbox')).toHaveValue('100.00');
  await expect(phone.locator('#bankapp')).toContainText('100.00');
  // The same again takes two presses.
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await page.getByRole('button', { name: t('deposit.tile'), exact: true }).click();
  await sheet(page).getByText(t('deposit.againLead')).click();
  await expect(sheet(page).getByRole('heading', { name: t('qr.scanToDeposit') })).toBeVisible();
  expect((await readQr(member)).amount).toBe(100);
});

test('of two tabs only one QR stays alive', async ({ browser }) => {
  const member = await newMember();
  const first = await openPage(browser, member);
  await openForm(first);
  await makeQr(first, 10);
  const old = await readQr(member);
  const second = await first.context().newPage();
  await openForm(second);
  // The QR is the member's, not the tab's: it is shown here too.
  await expect(second.getByText(old.reference)).toBeVisible();
  await second.getByRole('button', { name: t('qr.cancel') }).click();
  await makeQr(second, 500);
  const now = await readQr(member);
  expect(now.qrcodeId).not.toBe(old.qrcodeId);
  await first.bringToFront();
  await first.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(first.getByText(now.reference)).toBeVisible();
  await expect(first.getByText(old.reference)).toHaveCount(0);
});

test('a QR is dropped at 00:00, and a bank that cannot make one says so', async ({ browser }) => {
  const clockOf = (sandboxUrl: string) => ({ CLOCK_URL: `${sandboxUrl}/control/clock` });
  await inOwnEnv(clockOf, async (env) => {
    const member = await newMember({ env });
    const page = await openPage(browser, member);
    await page.clock.install();
    await openForm(page);
    await control('faults', { party: 'bank-a', kind: 'refuse', call: 'create-qr', count: 1 }, env);
    await page.getByRole('button', { name: '50', exact: true }).click();
    await submit(page).click();
    await expect(page.getByRole('alert')).toContainText(t('error.QR_FAIL'));
    await expect(timer(page)).toHaveCount(0);
    await makeQr(page, 50);
    // Of ten minutes, four stay for a slow machine: both clocks run on meanwhile.
    await control('clock', { advanceMs: 360_000 }, env);
    await page.clock.fastForward(360_000);
    await expect(timer(page)).toHaveText(/^0?[0-3]:\d\d$/);
    expect((await readQr(member)).hasQrcode).toBe(true);
    await control('clock', { advanceMs: 245_000 }, env);
    await page.clock.fastForward(245_000);
    await expect(timer(page)).toHaveCount(0);
    await expect(submit(page)).toBeVisible();
    await checkSheet(page, 'QR expired');
    await expect.poll(async () => (await readQr(member)).hasQrcode).toBe(false);
    await page.context().close();
  });
});
