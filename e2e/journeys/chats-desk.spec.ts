import { expect, type Page } from '@playwright/test';
import { lookAtDesk, openDesk, deskText as t } from '../desk.ts';
import { type Member, newMember, newPerson } from '../newcomer.ts';
import { test } from '../test.ts';
import { call, type Place, sharedTown } from '../world.ts';

const say = (member: Member, message: string, town: Place) =>
  call(
    'POST /api/chat/send-message',
    { message: { message_type: 'text', payload: { message } } },
    member.token,
    town,
  );
const heard = async (member: Member, town: Place): Promise<string[]> =>
  (await call('POST /api/chat/history', { limit: 20, skip: 0 }, member.token, town)).map(
    (item: { message: { payload?: { message?: string }; message_type: string } }) =>
      item.message.payload?.message ?? item.message.message_type,
  );

/** Finds the talk by what was said in it. */
async function open(page: Page, words: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('z');
  await expect(page.getByRole('heading', { level: 1, name: t('nav.chats') })).toBeVisible();
  await page.locator('#filter').fill(words);
  await page.getByRole('button', { name: words }).click();
}

test('an agent answers, notes, hands over and ends a talk, beside the customer’s money', async ({
  browser,
}) => {
  const town = sharedTown();
  const member = await newMember({ balance: 500 });
  const words = `ยอดไม่เข้า ${newPerson().phone}`;
  await say(member, words, town);
  const { page: lead } = await openDesk(browser, 'finance-lead');
  await open(lead, words);
  await lead.getByRole('button', { name: t('chats.canned') }).click();
  await lead.getByLabel(t('chats.shortcut')).fill('wait');
  await lead.getByRole('dialog').getByLabel(t('chats.words')).fill('ขอตรวจสอบสักครู่นะคะ');
  await lead.getByRole('button', { name: t('chats.saveCanned') }).click();
  await expect(lead.getByText('/wait')).toBeVisible();

  const { page, name } = await openDesk(browser, 'support');
  await open(page, words);
  const talk = page.getByRole('region', { name: 'ทดสอบ ใจดี' });
  await expect(talk.getByText(words)).toBeVisible();
  await expect(page.getByRole('complementary', { name: t('chats.beside') })).toContainText('500.00');
  const box = page.getByRole('textbox', { name: t('chats.hint') });
  await box.fill('/wa');
  await box.press('Enter');
  await expect(box).toHaveValue('ขอตรวจสอบสักครู่นะคะ');
  await box.press('Enter');
  await expect.poll(async () => (await heard(member, town))[0]).toBe('ขอตรวจสอบสักครู่นะคะ');
  const thanks = `ขอบคุณค่ะ <img src=x onerror="document.title='stolen'">`;
  await say(member, thanks, town);
  await expect(talk.getByText(thanks)).toBeVisible();
  await expect(page).not.toHaveTitle('stolen');
  // Whoever looks on answers only after taking over.
  await expect(lead.getByText(t('chats.with', { name })).first()).toBeVisible();
  await expect(lead.getByRole('button', { name: t('chats.takeOver') })).toBeVisible();
  await expect(lead.getByRole('textbox', { name: t('chats.hint') })).toHaveCount(0);

  await page.getByRole('button', { name: t('chats.build') }).click();
  await page.getByRole('menuitem', { name: t('chatKind.buttons') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: t('chats.words'), exact: true }).fill('ดูได้ที่นี่');
  await dialog.getByLabel(t('chats.buttonTitle')).fill('ดูรายการ');
  await dialog.getByLabel(t('chats.buttonPayload')).fill('javascript:alert(1)');
  await expect(dialog.getByRole('button', { name: t('chats.send') })).toBeDisabled();
  await dialog.getByLabel(t('chats.buttonPayload')).fill('/user/statement');
  await lookAtDesk(page, 'chat builder');
  await dialog.getByRole('button', { name: t('chats.send') }).click();
  await expect(talk.getByText('ดูรายการ')).toBeVisible();

  await page
    .getByRole('button', { name: t('chats.tie') })
    .first()
    .click();
  await expect(talk.getByText(t('chats.noteMark'))).toBeVisible();
  await page.getByRole('button', { name: t('chats.tags') }).click();
  await dialog.getByRole('combobox', { name: t('chats.tags') }).fill('ฝากเงิน');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: t('chats.saveTags') }).click();
  await expect(dialog).toHaveCount(0);
  await lookAtDesk(page, 'chat');
  await page.setViewportSize({ width: 1024, height: 768 });
  const beside = page.getByRole('complementary', { name: t('chats.beside') });
  await expect(beside).toBeHidden();
  await page.getByRole('button', { name: t('chats.beside') }).click();
  await expect(beside).toContainText('500.00');
  await lookAtDesk(page, 'chat 1024');
  await page.getByRole('button', { name: t('chats.beside') }).click();
  expect(await heard(member, town)).toHaveLength(4);
  await expect(talk).toContainText(t('chats.with', { name }));
  await page.getByRole('button', { name: t('chats.end') }).click();
  await expect(talk.getByText(t('chatState.ENDED'))).toBeVisible();
  await expect.poll(async () => (await heard(member, town)).length).toBe(5);
  await page.getByRole('button', { name: t('chats.beside') }).click();
  await beside.locator('a[href^="/deposits"]').click();
  await expect(page.getByRole('heading', { level: 1, name: t('nav.deposits') })).toBeVisible();
  await expect(page.getByText('500.00').first()).toBeVisible();
});
