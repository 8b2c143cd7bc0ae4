import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { checkConsole, goByKeys, openConsole, consoleText as t } from '../console.ts';
import { call, type Place, sharedEnv } from '../env-calls.ts';
import { newMember } from '../new-member.ts';
import { test } from '../test.ts';

/** Bonuses are found by their code; no other test uses these. */
const CODE = `OPERATOR${process.pid}`;
const LANGUAGE_TABS = ['ไทย', 'ລາວ', 'English'];

/** Writes a bonus of half a deposit in three languages and requests its publication. */
async function request(page: Page): Promise<void> {
  await page.getByRole('link', { name: t('bonus.add') }).click();
  await page.getByLabel(t('bonus.code')).fill(CODE.toLowerCase());
  await expect(page.getByLabel(t('bonus.code'))).toHaveValue(CODE);
  for (const language of LANGUAGE_TABS) {
    await page.getByRole('tab', { name: language }).click();
    await page.getByLabel(t('bonus.title')).fill(`ฝากวันแรก ${language}`);
    await page.getByLabel(t('bonus.description')).fill('<p>รับเพิ่ม <b>50%</b></p><script>1</script>');
  }
  await page.getByRole('tab', { name: 'ไทย' }).click();
  const preview = page.getByRole('region', { name: t('content.preview') });
  await expect(preview.locator('b')).toHaveText('50%');
  await expect(preview.locator('script')).toHaveCount(0);
  await expect(preview.getByText('฿300.00')).toBeVisible();
  await page.getByLabel(t('bonus.allGames')).press('Space');
  await page.getByRole('checkbox', { name: 'Naga Tales' }).check();
  await expect(page.getByText(/30 วันที่ผ่านมา/)).toBeVisible();
  await checkConsole(page, 'bonus new');
  await page.getByRole('button', { name: t('bonus.publish') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('โปรต้อนรับ');
  await dialog.getByRole('button', { name: t('withdrawals.sendToChecker') }).click();
  await expect(page.getByText(t('approval.requested'))).toBeVisible();
}

/** The checker sees the request and approves it. */
async function approve(page: Page, code: string, seen: string): Promise<void> {
  await page.goto('/approvals');
  const row = page.getByRole('row').filter({ hasText: code });
  await expect(row).toContainText(seen);
  await checkConsole(page, 'bonus approval');
  await row.getByRole('button', { name: t('approval.approve'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('approval.approve'), exact: true })
    .click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

const offered = async (token: string, env: Place) =>
  (await call('GET /api/bonus', undefined, token, env)).map((row: { code: string }) => row.code);

test('marketing makes a bonus, a second person agrees, members receive it, and it is stopped at once', async ({
  browser,
}) => {
  const env = sharedEnv();
  const member = await newMember({ balance: 200 });
  const { page } = await openConsole(browser, 'marketing');
  await goByKeys(page, 'i');
  await expect(page.getByRole('heading', { level: 1, name: t('nav.bonuses') })).toBeVisible();
  await request(page);
  const { page: other } = await openConsole(browser, 'finance-lead');
  await approve(other, CODE, '50 %');
  expect(await offered(member.token, env)).toContain(CODE);
  await call(`GET /api/bonus/activate/${CODE}` as 'GET /api/bonus', undefined, member.token, env);

  await page.goto(`/bonuses?q=${CODE}`);
  await checkConsole(page, 'bonus list');
  await page.getByRole('cell', { name: CODE }).click();
  await page.getByRole('tab', { name: t('bonus.runs') }).click();
  await expect(page.getByRole('table')).toContainText(t('runState.ACTIVE'));
  await checkConsole(page, 'bonus runs');
  await page.getByRole('button', { name: t('bonus.stop') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('งบหมด');
  await dialog.getByRole('button', { name: t('bonus.stop') }).click();
  await expect(page.getByText(t('bonusState.STOPPED'))).toBeVisible();
  expect(await offered(member.token, env)).not.toContain(CODE);
  await page.getByRole('tab', { name: t('content.history') }).click();
  await page.getByRole('button', { name: t('content.revert') }).click();
  await checkConsole(page, 'bonus revert');
  await page.keyboard.press('Escape');

  await other.goto(
    `/members/${(await call('GET /api/account/profile', undefined, member.token, env)).profile._id}`,
  );
  await other.getByRole('tab', { name: t('bonus.runs') }).click();
  await expect(other.getByRole('table')).toContainText(t('runState.ACTIVE'));
  await checkConsole(other, 'member runs');
  await other.getByRole('button', { name: t('run.end') }).click();
  const end = other.getByRole('dialog');
  await end.getByRole('textbox', { name: t('field.reason') }).fill('สมาชิกขอ');
  await checkConsole(other, 'run end');
  await end.getByRole('button', { name: t('run.end') }).click();
  await expect(other.getByRole('table')).toContainText(t('runState.FORFEITED'));
});

test('a promotion’s codes are made by two, taken away as a file, used once and revoked', async ({
  browser,
}) => {
  const env = sharedEnv();
  const code = `CODES${process.pid}`;
  const { page } = await openConsole(browser, 'marketing', sharedEnv(), '/bonuses/new');
  const { page: other } = await openConsole(browser, 'finance-lead');
  await page.getByLabel(t('bonus.code')).fill(code);
  await page.getByRole('combobox', { name: t('bonus.kind') }).click();
  await page.getByRole('option', { name: t('bonusKind.promotion') }).click();
  for (const language of LANGUAGE_TABS) {
    await page.getByRole('tab', { name: language }).click();
    await page.getByLabel(t('bonus.title')).fill(`งานวัด ${language}`);
  }
  await page.getByText(t('bonus.awardFixed')).click();
  await page.getByLabel(t('bonus.fixed')).fill('50');
  await page.getByLabel(t('bonus.needsDeposit')).press('Space');
  await page.getByLabel(t('bonus.successPercent')).fill('0');
  await expect(page.getByText(t('bonus.plainNote'))).toBeVisible();
  await page.getByText(t('bonusCodes.single')).click();
  await page.getByRole('button', { name: t('bonus.publish') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('แจกในงาน');
  await dialog.getByRole('button', { name: t('withdrawals.sendToChecker') }).click();
  await expect(page.getByText(t('approval.requested'))).toBeVisible();
  await approve(other, code, '50');

  await page.goto(`/bonuses/${code}`);
  await page.getByRole('tab', { name: t('codes.title') }).click();
  await expect(page.getByText(t('codes.none'))).toBeVisible();
  await page.getByRole('button', { name: t('codes.make') }).click();
  await dialog.getByLabel(t('codes.count')).fill('20');
  await dialog.getByLabel(t('field.reason')).fill('พิมพ์ใบปลิว');
  await checkConsole(page, 'codes new');
  await dialog.getByRole('button', { name: t('withdrawals.sendToChecker') }).click();
  await expect(dialog).toHaveCount(0);
  await approve(other, code, '20');
  await page.reload();
  await page.getByRole('tab', { name: t('codes.title') }).click();
  await page.getByRole('button', { name: t('btn.export') }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: t('export.csv') }).click();
  const rows = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1);
  expect(rows).toHaveLength(20);
  const member = await newMember();
  const one = rows[0]!.split(',')[0]!.replaceAll('"', '');
  await call(`GET /api/promotion/activate/${one}`, undefined, member.token, env);
  await page.reload();
  await page.getByRole('tab', { name: t('codes.title') }).click();
  await expect(page.getByText(t('codes.used', { used: '1', codes: '20' }))).toBeVisible();
  await checkConsole(page, 'codes');
  await page.getByRole('button', { name: t('codes.revoke') }).click();
  await dialog.getByLabel(t('field.reason')).fill('จบงาน');
  await dialog.getByRole('button', { name: t('codes.revoke') }).click();
  await expect(page.getByText(t('codes.revoked'))).toBeVisible();
});
