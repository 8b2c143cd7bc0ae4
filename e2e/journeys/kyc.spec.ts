import { expect } from '@playwright/test';
import { checkConsole, openConsole, consoleText as t } from '../console.ts';
import { call } from '../env-calls.ts';
import { checkSheetInAll } from '../member.ts';
import { newMember, visit } from '../new-member.ts';
import { makeSlip } from '../slips.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const th = (id: string) => textOf('th', id);

test('an operator requests documents, sends one back and verifies the member, who follows it on the phone', async ({
  browser,
}) => {
  const member = await newMember();
  const { picture } = await makeSlip(member);
  const { _id: id } = (await call('GET /api/account/profile', undefined, member.token, member.env)).profile;
  const phone = await visit(browser, {}, member);
  await phone.goto('/user/profile');
  await expect(phone.getByText(th('device.title'))).toBeVisible();
  await expect(phone.getByText(th('kyc.title'))).toHaveCount(0);
  const { page } = await openConsole(browser, 'risk', member.env, `/members/${id}`);
  const card = page.getByRole('region', { name: t('kyc.title') });
  const dialog = page.getByRole('dialog');
  const press = (action: string) => dialog.getByRole('button', { name: t(action), exact: true }).click();

  await card.getByRole('button', { name: t('kyc.request') }).click();
  await dialog.getByLabel(t('field.reason')).fill('ถอนเงินจำนวนมาก');
  await checkConsole(page, 'request for documents');
  await press('kyc.request');
  await expect(card).toContainText(t('state.REQUESTED'));

  const row = phone
    .getByRole('main')
    .getByRole('button')
    .filter({ hasText: th('kyc.title') });
  await expect(row).toContainText(th('kyc.rowNeeded'));
  await row.click();
  const sheet = phone.getByRole('dialog');
  const send = sheet.getByRole('button', { name: th('kyc.send') });
  await expect(send).toBeDisabled();
  await checkSheetInAll(phone, 'documents to send');
  for (let left = 2; left > 0; left--) {
    await expect(sheet.locator('input[type=file]')).toHaveCount(left);
    await sheet.locator('input[type=file]').first().setInputFiles(picture);
  }
  await checkSheetInAll(phone, 'documents chosen');
  await send.click();
  await expect(sheet).toContainText(th('kyc.submitted'));
  await checkSheetInAll(phone, 'documents submitted');

  await expect(card).toContainText(t('state.SUBMITTED'));
  await checkConsole(page, 'documents to check');
  await card.getByRole('button', { name: t('kyc.open', { document: t('kycDocument.identity') }) }).click();
  await expect(dialog.getByRole('img', { name: t('kycDocument.identity') })).toHaveJSProperty(
    'complete',
    true,
  );
  await checkConsole(page, 'a document');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await card.getByRole('button', { name: t('kyc.refuse') }).click();
  await dialog.getByRole('combobox').click();
  await page.getByRole('option', { name: t('kycRefusal.UNREADABLE') }).click();
  await dialog.getByRole('checkbox', { name: t('kycDocument.selfie') }).uncheck();
  await checkConsole(page, 'documents sent back');
  await press('kyc.refuse');
  await expect(card).toContainText(t('state.REFUSED'));

  await expect(sheet).toContainText(th('kycRefusal.UNREADABLE'));
  await checkSheetInAll(phone, 'a document again');
  await sheet.locator('input[type=file]').setInputFiles(picture);
  await send.click();
  await expect(sheet).toContainText(th('kyc.submitted'));
  await expect(card).toContainText(t('state.SUBMITTED'));
  await card.getByRole('button', { name: t('kyc.verify') }).click();
  await press('kyc.verify');
  await expect(card).toContainText(t('state.VERIFIED'));
  await expect(sheet).toContainText(th('kyc.verified'));
  await checkSheetInAll(phone, 'verified');
  await phone.keyboard.press('Escape');
  await expect(row).toContainText(th('kyc.rowVerified'));
});
