import { expect, type Page } from '@playwright/test';
import { checkConsole, goByKeys, openConsole, consoleText as t } from '../console.ts';
import { admin, inOwnEnv, type Place } from '../env-calls.ts';
import { checkScreen, checkSheet } from '../member.ts';
import { newMember, newPerson, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const SCRIPT = '<script>document.title = "stolen"</script><img src=x onerror="document.title = \'stolen\'">';

/** Publishes the text in the open editor. */
async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('content.save') }).click();
  await expect(page.getByText(t('content.saved'))).toBeVisible();
  await page.getByRole('button', { name: t('content.publish') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('ข่าวใหม่');
  await dialog.getByRole('button', { name: t('content.publish') }).click();
  await expect(page.getByText(t('content.published'))).toBeVisible();
  await expect(dialog).toHaveCount(0);
}

/** A new name and website, and a chat account with a picture of its own, are what a visitor reads. */
async function names(page: Page, visitor: Page): Promise<void> {
  const thai = page.getByRole('region', { name: 'ไทย' });
  await page.getByRole('tab', { name: t('content.info') }).click();
  await thai.getByLabel(t('content.field-name')).fill('ตลาดเช้า');
  await publish(page);
  await page.getByRole('tab', { name: t('content.contact') }).click();
  await thai.getByLabel(t('content.field-contactText')).fill(`โทรหาเราได้ทุกวัน 08:00–22:00${SCRIPT}`);
  await thai.getByLabel(t('content.field-lineName')).fill('@talad-chao');
  await thai.getByLabel(t('content.field-lineLink')).fill('https://line.me/R/ti/p/@talad-chao');
  const chooser = page.waitForEvent('filechooser');
  await thai.getByRole('button', { name: t('content.choosePicture') }).click();
  const buffer = await visitor.screenshot({ clip: { x: 0, y: 0, width: 300, height: 300 } });
  await (await chooser).setFiles({ name: 'qr.png', mimeType: 'image/png', buffer });
  await expect(thai.getByRole('img', { name: t('content.picture') })).toBeVisible();
  await publish(page);
  await visitor.goto('/contact');
  await expect(visitor.getByRole('banner').getByText('ตลาดเช้า').first()).toBeVisible();
  await expect(visitor.getByText('โทรหาเราได้ทุกวัน 08:00–22:00', { exact: true })).toBeVisible();
  await expect(visitor.getByText('@talad-chao', { exact: true })).toBeVisible();
  await expect(visitor.getByRole('link', { name: textOf('th', 'contact.open') })).toHaveAttribute(
    'href',
    'https://line.me/R/ti/p/@talad-chao',
  );
  const picture = visitor.getByRole('img', { name: textOf('th', 'contact.scan') });
  await expect(picture).toHaveAttribute('src', /^data:image\/jpeg/);
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(100);
  await expect(visitor.getByText(textOf('th', 'contact.version', { version: '1.1.14' }))).toBeVisible();
  await checkScreen(visitor, 'published contact');
}

/** A new source is in the form of the next visitor. */
async function sources(page: Page, visitor: Page, env: Place): Promise<void> {
  await admin(['setting', 'set', 'register.otp', 'false'], env);
  await page.getByRole('tab', { name: t('content.choices') }).click();
  await page.getByRole('button', { name: t('content.add-sources') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('content.code')).fill('market');
  await dialog.getByLabel('ไทย').fill('ป้ายหน้าตลาด');
  await dialog.getByLabel('ລາວ').fill('ປ້າຍໜ້າຕະຫຼາດ');
  await dialog.getByLabel('English').fill('A poster');
  await dialog.getByLabel(t('field.reason')).fill('ป้ายใหม่');
  await dialog.getByRole('button', { name: t('content.add-sources') }).click();
  await expect(dialog).toHaveCount(0);
  await visitor.goto('/register');
  await visitor.getByLabel(textOf('th', 'auth.phone')).fill(newPerson().phone);
  await visitor.getByRole('button', { name: textOf('th', 'btn.next') }).click();
  await visitor.getByLabel(textOf('th', 'register.source')).selectOption('ป้ายหน้าตลาด');
}

test('what an operator publishes is on the member’s phone at once, without the script in it; new agreements must be accepted again', async ({
  browser,
}) => {
  await inOwnEnv({}, async (env) => {
    const member = await newMember({ env });
    const phone = await visit(browser, {}, member);
    await phone.goto('/user/profile');
    const { page } = await openConsole(browser, 'marketing', env);
    await goByKeys(page, 'n');
    await expect(page.getByRole('heading', { level: 1, name: t('nav.content') })).toBeVisible();

    await page.getByRole('tab', { name: t('content.notice') }).click();
    const thai = page.getByRole('region', { name: 'ไทย' });
    const preview = page.getByRole('region', { name: t('content.preview') });
    await thai.getByRole('textbox').fill(`สงกรานต์นี้ <b>ฝากรับเพิ่ม</b>${SCRIPT}`);
    await expect(preview.locator('b')).toHaveText('ฝากรับเพิ่ม');
    await expect(preview.locator('script, img')).toHaveCount(0);
    await checkConsole(page, 'content notice');
    await publish(page);
    const notice = await (await fetch(`${env.url}/api/lookup/notice`)).json();
    expect(notice).toEqual({ notice: 'สงกรานต์นี้ <b>ฝากรับเพิ่ม</b>' });

    const visitor = await visit(browser, { env });
    await visitor.goto('/howto');
    await names(page, visitor);
    await page.getByRole('tab', { name: t('content.conditions') }).click();
    await thai.getByRole('textbox').first().fill(`<h3>กติกาใหม่</h3><p>ฝากวันนี้ถอนวันนี้${SCRIPT}</p>`);
    await checkConsole(page, 'content conditions');
    await publish(page);
    await page.getByRole('tab', { name: t('content.agreements') }).click();
    await thai.getByRole('textbox').first().fill('<p>ข้อตกลงฉบับใหม่</p>');
    await publish(page);
    await page.getByRole('button', { name: t('content.history') }).click();
    await expect(page.getByRole('dialog').getByText(t('content.shown'))).toBeVisible();
    await checkConsole(page, 'content history');

    await phone.goto('/user/contact');
    await expect(phone.getByText('โทรหาเราได้ทุกวัน 08:00–22:00', { exact: true })).toBeVisible();
    await phone.getByRole('button', { name: textOf('th', 'nav.conditions') }).click();
    await expect(phone.getByRole('heading', { name: 'กติกาใหม่' })).toBeVisible();
    await checkSheet(phone, 'published conditions');
    await phone.goto('/user/home');
    await expect(phone.getByText('ข้อตกลงฉบับใหม่')).toBeVisible();
    await phone.getByRole('button', { name: textOf('th', 'agree.accept') }).click();
    await expect(phone.locator('dialog[open]')).toHaveCount(0);
    expect(await phone.evaluate(() => localStorage.getItem('remember-agreement'))).toBe('2');
    expect(await phone.title()).not.toBe('stolen');
    await page.keyboard.press('Escape');
    await sources(page, visitor, env);
  });
});
