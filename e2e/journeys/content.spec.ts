import { expect, type Page } from '@playwright/test';
import { lookAtDesk, openDesk, deskText as t } from '../desk.ts';
import { lookAtSheet } from '../member.ts';
import { newMember, visit } from '../newcomer.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';
import { inOwnTown } from '../world.ts';

const SCRIPT = '<script>document.title = "stolen"</script><img src=x onerror="document.title = \'stolen\'">';

/** Publishes what stands in the editor that is open. */
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

test('what an operator publishes is on the member’s phone at once, without the script in it; agreements ask again', async ({
  browser,
}) => {
  await inOwnTown({}, async (town) => {
    const member = await newMember({ town });
    const phone = await visit(browser, {}, member);
    await phone.goto('/user/profile');
    const { page } = await openDesk(browser, 'marketing', town);
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await expect(page.getByRole('heading', { level: 1, name: t('nav.content') })).toBeVisible();

    await page.getByRole('tab', { name: t('content.notice') }).click();
    const thai = page.getByRole('region', { name: 'ไทย' });
    const preview = page.getByRole('region', { name: t('content.preview') });
    await thai.getByRole('textbox').fill(`สงกรานต์นี้ <b>ฝากรับเพิ่ม</b>${SCRIPT}`);
    await expect(preview.locator('b')).toHaveText('ฝากรับเพิ่ม');
    await expect(preview.locator('script, img')).toHaveCount(0);
    await lookAtDesk(page, 'content notice');
    await publish(page);
    const notice = await (await fetch(`${town.url}/api/lookup/notice`)).json();
    expect(notice).toEqual({ notice: 'สงกรานต์นี้ <b>ฝากรับเพิ่ม</b>' });

    await page.getByRole('tab', { name: t('content.contact') }).click();
    await thai.getByRole('textbox').first().fill(`โทรหาเราได้ทุกวัน 08:00–22:00${SCRIPT}`);
    await publish(page);
    await page.getByRole('tab', { name: t('content.conditions') }).click();
    await thai.getByRole('textbox').first().fill(`<h3>กติกาใหม่</h3><p>ฝากวันนี้ถอนวันนี้${SCRIPT}</p>`);
    await lookAtDesk(page, 'content conditions');
    await publish(page);
    await page.getByRole('tab', { name: t('content.agreements') }).click();
    await thai.getByRole('textbox').first().fill('<p>ข้อตกลงฉบับใหม่</p>');
    await publish(page);
    await page.getByRole('button', { name: t('content.history') }).click();
    await expect(page.getByRole('dialog').getByText(t('content.shown'))).toBeVisible();
    await lookAtDesk(page, 'content history');

    await phone.goto('/user/contact');
    await expect(phone.getByText('โทรหาเราได้ทุกวัน 08:00–22:00', { exact: true })).toBeVisible();
    await phone.getByRole('button', { name: textOf('th', 'nav.conditions') }).click();
    await expect(phone.getByRole('heading', { name: 'กติกาใหม่' })).toBeVisible();
    await lookAtSheet(phone, 'published conditions');
    await phone.goto('/user/home');
    await expect(phone.getByText('ข้อตกลงฉบับใหม่')).toBeVisible();
    await phone.getByRole('button', { name: textOf('th', 'agree.accept') }).click();
    await expect(phone.locator('dialog[open]')).toHaveCount(0);
    expect(await phone.evaluate(() => localStorage.getItem('remember-agreement'))).toBe('2');
    expect(await phone.title()).not.toBe('stolen');
  });
});
