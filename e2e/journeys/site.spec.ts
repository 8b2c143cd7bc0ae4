import { expect, type Page } from '@playwright/test';
import { checkConsole, openConsole, consoleText as t } from '../console.ts';
import { inOwnEnv } from '../env-calls.ts';
import { checkScreen, checkSheet } from '../member.ts';
import { newMember, playMoney, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const th = (id: string) => textOf('th', id);
/** A saved change appears without a click: only the live event triggers the read. */
const LANGUAGE_TABS = ['ไทย', 'ລາວ', 'English'];

/** Puts up a banner in three languages; without a picture it is words only. */
async function putUp(page: Page, place: 'home' | 'invite', picture?: Buffer): Promise<void> {
  const region = page.getByRole('region', { name: t(`bannerPlace.${place}`) });
  await region.getByRole('button', { name: t('banner.add') }).click();
  const dialog = page.getByRole('dialog');
  for (const language of LANGUAGE_TABS) {
    await dialog.getByRole('tab', { name: language }).click();
    await dialog.getByLabel(t('banner.title')).fill(`ฝากวันนี้รับเพิ่ม ${language}`);
    await dialog.getByLabel(t('banner.html')).fill('<b>เฉพาะสัปดาห์นี้</b> ฝากครั้งแรกของวัน');
  }
  await dialog.getByRole('tab', { name: 'ไทย' }).click();
  if (picture) await choosePicture(page, picture);
  await dialog.getByLabel(t('field.reason')).fill('โปรประจำสัปดาห์');
  await dialog.getByRole('button', { name: t('banner.save') }).click();
  await expect(dialog).toHaveCount(0);
}

/** A picture and where it leads. */
async function choosePicture(page: Page, picture: Buffer): Promise<void> {
  const dialog = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: t('banner.choosePicture') }).click();
  await (await chooser).setFiles({ name: 'banner.png', mimeType: 'image/png', buffer: picture });
  await expect(dialog.getByRole('region', { name: t('content.preview') }).locator('img')).toBeVisible();
  await dialog.getByLabel(t('banner.link')).fill('/user/bonus');
  await checkConsole(page, 'banner editor');
}

/** A banner goes up and comes down in front of a member who only looks. */
async function banners(page: Page, phone: Page): Promise<void> {
  await page.getByRole('tab', { name: t('banner.banners') }).click();
  await putUp(page, 'home', await phone.screenshot({ clip: { x: 0, y: 0, width: 360, height: 180 } }));
  const card = phone.getByRole('button', { name: 'ฝากวันนี้รับเพิ่ม ไทย' });
  await expect(card).toBeVisible();
  await expect
    .poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(100);
  await card.click();
  await expect(phone.getByRole('dialog')).toContainText('เฉพาะสัปดาห์นี้');
  await phone.getByRole('button', { name: th('banner.open') }).click();
  await phone.waitForURL('**/user/bonus');
  await phone.goBack();
  await expect(card).toBeVisible();
  await page.getByRole('button', { name: `${t('content.change')} ฝากวันนี้รับเพิ่ม ไทย` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch').press('Space');
  await dialog.getByLabel(t('field.reason')).fill('จบแล้ว');
  await dialog.getByRole('button', { name: t('banner.save') }).click();
  await expect(card).toHaveCount(0);
}

/** Banners of a sheet come before it; closing them opens it. */
async function bannersFirst(page: Page, phone: Page): Promise<void> {
  await putUp(page, 'invite');
  await phone.getByRole('button', { name: th('invite.title'), exact: true }).click();
  const sheet = phone.getByRole('dialog');
  await expect(sheet).toContainText('เฉพาะสัปดาห์นี้');
  await checkSheet(phone, 'banners first');
  await phone.keyboard.press('Escape');
  await expect(sheet).toContainText('/register?code=PR');
  await phone.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
}

async function news(page: Page, phone: Page): Promise<void> {
  await page.getByRole('tab', { name: t('content.news') }).click();
  await page
    .getByRole('region', { name: 'ไทย' })
    .getByRole('textbox')
    .fill('<b>คืนนี้ 01:00–02:00</b> ปิดปรับปรุงระบบ');
  await page.getByRole('button', { name: t('content.save') }).click();
  await page.getByRole('button', { name: t('content.publish') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('แจ้งล่วงหน้า');
  await dialog.getByRole('button', { name: t('content.publish') }).click();
  await expect(dialog).toHaveCount(0);
  await expect(phone.getByRole('region', { name: th('banner.news') })).toContainText('ปิดปรับปรุงระบบ');
}

/** Who is in the game sees it at once, cannot enter, and takes their money out. */
async function maintenance(page: Page, phone: Page): Promise<void> {
  await page.goto('/games');
  await page.getByRole('button', { name: `${t('content.change')} River Sail` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: t('col.state') }).click();
  await page.getByRole('option', { name: t('games.choose-MAINTENANCE') }).click();
  await dialog.getByLabel(t('field.reason')).fill('ค่ายแจ้งปิดปรับปรุง');
  await dialog.getByRole('button', { name: t('channel.save') }).click();
  const card = phone.getByRole('button', { name: /River Sail/ });
  await expect(card).toContainText(th('game.maintenance'));
  await card.scrollIntoViewIfNeeded();
  await checkScreen(phone, 'home with maintenance');
  await card.click();
  const sheet = phone.getByRole('dialog');
  await expect(sheet).toContainText(th('game.maintenanceNote'));
  await expect(sheet.getByRole('button', { name: th('game.play') })).toHaveCount(0);
  await checkSheet(phone, 'maintenance');
  await sheet.getByRole('button', { name: th('game.takeOut') }).click();
  await expect(sheet.getByRole('combobox', { name: th('transfer.source') })).toHaveValue('circus');
  await sheet.getByRole('textbox').fill('100');
  await sheet.locator('button[type=submit]').click();
  await expect(phone.getByText(th('transfer.success'))).toBeVisible();
}

/** A guide takes another title and film, and another leaves. */
async function guides(page: Page, visitor: Page): Promise<void> {
  await page.goto('/content?part=guides');
  const change = (name: string) =>
    page.getByRole('button', { name: `${t('content.change')} ${t(name)}` }).click();
  const dialog = page.getByRole('dialog');
  const save = async () => {
    await dialog.getByLabel(t('field.reason')).fill('ตามที่ตกลง');
    await dialog.getByRole('button', { name: t('banner.save') }).click();
    await expect(dialog).toHaveCount(0);
  };
  await change('guideName.wallet');
  await dialog.getByLabel('ไทย').fill('ฝากเงินครั้งแรก');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: t('guide.chooseFilm') }).click();
  await (await chooser).setFiles('apps/web/public/howto/check-balance.mp4');
  await expect(dialog.locator('video')).toBeVisible();
  await checkConsole(page, 'guide editor');
  await save();
  await change('guideName.end-bonus');
  await dialog.getByRole('switch').press('Space');
  await save();
  await visitor.goto('/howto');
  await expect(visitor.getByRole('button', { name: th('howto.endBonus') })).toHaveCount(0);
  await visitor.getByRole('button', { name: 'ฝากเงินครั้งแรก' }).click();
  const film = visitor.locator('dialog video');
  await expect(film).toHaveAttribute('src', /^\/media\/.*\.mp4$/);
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
}

test('banners, news, maintenance and guides are on the member’s phone as soon as they are saved', async ({
  browser,
}) => {
  await inOwnEnv({}, async (env) => {
    const member = await newMember({ balance: 500, env });
    await playMoney(member, 'circus', 200);
    const phone = await visit(browser, { theme: 'dark' }, member);
    await phone.goto('/user/home');
    await expect(phone.getByLabel(th('money.total'))).toContainText('500.00');
    const { page } = await openConsole(browser, 'admin', env, '/content');
    await news(page, phone);
    await banners(page, phone);
    await bannersFirst(page, phone);
    await maintenance(page, phone);
    await guides(page, await visit(browser, { env, isMoving: true }));
  });
});
