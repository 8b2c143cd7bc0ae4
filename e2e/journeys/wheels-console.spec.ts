import { expect, type Page } from '@playwright/test';
import { checkConsole, goByKeys, openConsole, consoleText as t } from '../console.ts';
import { call, sharedEnv } from '../env-calls.ts';
import { newMember } from '../new-member.ts';
import { test } from '../test.ts';

/** Wheels are found by their name; no other test uses these. */
const NAME = `วงล้อทดสอบ ${process.pid}`;
const LANGUAGE_TABS = ['ไทย', 'ລາວ', 'English'];

const reason = async (page: Page, yes: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: t('field.reason') }).fill('ตามแผน');
  await dialog.getByRole('button', { name: yes }).click();
};

/** Writes what every slice is called, and a prize of cash on the first. */
async function writeSlices(page: Page, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await page
      .getByRole('button', { name: t('wheel.edit'), exact: true })
      .nth(index)
      .click();
    const sheet = page.getByRole('dialog');
    if (index === 0) {
      await sheet.getByRole('combobox', { name: t('wheel.prize') }).click();
      await page.getByRole('option', { name: t('prizeKind.CASH') }).click();
      await sheet.getByRole('textbox', { name: t('prize.value') }).fill('70000');
      await sheet.getByLabel(t('wheel.stock')).fill('3');
    }
    for (const language of LANGUAGE_TABS) {
      await sheet.getByRole('tab', { name: language }).click();
      await sheet.getByLabel(t('wheel.label')).fill(index === 0 ? '70,000' : `เสียใจ ${index}`);
      if (index === 0) await sheet.getByLabel(t('prize.name')).fill('เงินสด 70,000 กีบ');
    }
    if (index === 0) await checkConsole(page, 'wheel slice');
    await sheet.getByRole('button', { name: t('wheel.keepSlice') }).click();
    await expect(sheet).toHaveCount(0);
  }
}

/** Writes a wheel for members in kip, of whom no other test has any that spin. */
async function write(page: Page): Promise<void> {
  await page.getByRole('link', { name: t('wheel.add') }).click();
  await page.getByRole('combobox', { name: t('bonus.currency') }).click();
  await page.getByRole('option', { name: t('channel.LAK') }).click();
  for (const language of LANGUAGE_TABS) {
    await page.getByRole('tab', { name: language }).click();
    await page.getByLabel(t('wheel.name')).fill(NAME);
  }
  await writeSlices(page, 6);
  await page.getByLabel(t('wheel.weightOf', { slice: '70,000' })).fill('50');
  await page.getByRole('button', { name: t('wheel.simulate') }).click();
  await expect(page.getByText(t('wheel.spinsDone', { count: '100,000' }))).toBeVisible();
  const table = page.getByRole('table', { name: t('wheel.simulation') });
  await expect(table.getByRole('row').nth(1).getByRole('cell').nth(3)).toHaveText('3');
  await checkConsole(page, 'wheel new');
  await page.getByRole('button', { name: t('wheel.save') }).click();
  await reason(page, t('wheel.save'));
  await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
}

test('marketing draws a wheel, simulates it, a second person publishes it, and it is stopped at once', async ({
  browser,
}) => {
  const { page } = await openConsole(browser, 'marketing');
  await goByKeys(page, 'h');
  await expect(page.getByRole('heading', { level: 1, name: t('nav.wheels') })).toBeVisible();
  await write(page);
  const publish = t('wheel.publish', { version: '1' });
  await page.getByRole('button', { name: publish }).click();
  await reason(page, t('withdrawals.sendToChecker'));
  await expect(page.getByText(t('wheel.waits'))).toBeVisible();

  const { page: other } = await openConsole(browser, 'finance-lead', sharedEnv(), '/approvals');
  const row = other.getByRole('row').filter({ hasText: NAME });
  await expect(row).toContainText('50 %');
  await checkConsole(other, 'wheel approval');
  await row.getByRole('button', { name: t('approval.approve'), exact: true }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByRole('button', { name: t('approval.approve'), exact: true }).click();
  await expect(dialog).toHaveCount(0);

  await page.goto('/wheels');
  await expect(page.getByRole('row').filter({ hasText: NAME })).toContainText(t('wheelState.OPEN'));
  await checkConsole(page, 'wheel list');
  await page.getByRole('cell', { name: NAME }).click();
  await page.getByRole('tab', { name: t('wheel.given') }).click();
  await checkConsole(page, 'wheel given');
  await page.getByRole('tab', { name: t('content.history') }).click();
  await checkConsole(page, 'wheel versions');
  await page.getByRole('button', { name: t('wheel.stop') }).click();
  await reason(page, t('wheel.stop'));
  await expect(page.getByText(t('wheelState.STOPPED'))).toBeVisible();
});

test('marketing gives coupons to a list, takes some back, and hands an item over', async ({ browser }) => {
  const env = sharedEnv();
  const [one, two] = [await newMember(), await newMember()];
  const { page } = await openConsole(browser, 'marketing');
  await goByKeys(page, 'k');
  await expect(page.getByRole('heading', { level: 1, name: t('nav.coupons') })).toBeVisible();
  await page.getByRole('button', { name: t('coupon.grant') }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('combobox', { name: t('prize.kind') }).click();
  await page.getByRole('option', { name: t('prizeKind.ITEM') }).click();
  for (const language of LANGUAGE_TABS) {
    await sheet.getByRole('tab', { name: language }).click();
    await sheet.getByLabel(t('prize.name')).fill(`เสื้อ ${process.pid}`);
  }
  await sheet.getByLabel(t('coupon.members')).fill(`${one.phone}\n${two.phone}\n0999999999`);
  await sheet.getByRole('button', { name: t('coupon.check') }).click();
  await expect(sheet.getByText(t('coupon.report', { ok: '2', all: '3' }))).toBeVisible();
  await expect(sheet.getByText(t('couponRow.UNKNOWN'))).toBeVisible();
  await sheet.getByLabel(t('field.reason')).fill('ขอบคุณ');
  await checkConsole(page, 'coupon grant');
  await sheet.getByRole('button', { name: t('coupon.give', { count: '2' }) }).click();
  await expect(sheet).toHaveCount(0);

  const coupons = await call('GET /api/spinwheel/coupon', undefined, one.token, env);
  await call('POST /api/spinwheel/coupon/claim', { coupon: coupons.result[0]!._id }, one.token, env);
  const waiting = page
    .getByRole('row')
    .filter({ hasText: t('couponState.TO_DELIVER') })
    .filter({ hasText: `เสื้อ ${process.pid}` });
  await page.reload();
  await expect(waiting).toBeVisible();
  await checkConsole(page, 'coupon list');
  await waiting.getByRole('button', { name: t('coupon.deliver') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('ส่งไปรษณีย์');
  await dialog.getByRole('button', { name: t('coupon.deliver') }).click();
  await expect(waiting).toHaveCount(0);
  const open = page
    .getByRole('row')
    .filter({ hasText: t('couponState.OPEN') })
    .filter({ hasText: `เสื้อ ${process.pid}` });
  await open.getByRole('button', { name: t('coupon.revoke') }).click();
  await reason(page, t('coupon.revoke'));
  await expect(open).toHaveCount(0);
  expect((await call('GET /api/spinwheel/coupon', undefined, two.token, env)).result).toEqual([]);
  await page.getByRole('tab', { name: t('coupon.prizes') }).click();
  await checkConsole(page, 'coupon prizes');
});
