import { expect, type Locator, type Page } from '@playwright/test';
import { listenIn, receivedOn } from '../bell.ts';
import { checkConsole, goByKeys, openConsole, consoleText as t } from '../console.ts';
import { call, type Place, sharedEnv } from '../env-calls.ts';
import { type Member, newMember, newPerson, payIn } from '../new-member.ts';
import { makeSlip } from '../slips.ts';
import { test } from '../test.ts';

const say = (member: Member, message: string, env: Place) =>
  call(
    'POST /api/chat/send-message',
    { message: { message_type: 'text', payload: { message } } },
    member.token,
    env,
  );
const received = async (member: Member, env: Place): Promise<string[]> =>
  (await call('POST /api/chat/history', { limit: 20, skip: 0 }, member.token, env)).map(
    (item: { message: { payload?: { message?: string }; message_type: string } }) =>
      item.message.payload?.message ?? item.message.message_type,
  );

/** Finds the conversation by what was said in it. */
async function open(page: Page, texts: string): Promise<void> {
  await goByKeys(page, 'z');
  await expect(page.getByRole('heading', { level: 1, name: t('nav.chats') })).toBeVisible();
  await page.locator('#filter').fill(texts);
  await page.getByRole('button', { name: texts }).click();
}

type Picture = Awaited<ReturnType<typeof makeSlip>>['picture'];

/** Puts a message with one button, one reply or a card with a picture together and sends it. */
async function build(
  page: Page,
  kind: string,
  texts: string,
  button: string,
  picture?: Picture,
): Promise<void> {
  await page.getByRole('button', { name: t('chats.build') }).click();
  await page.getByRole('menuitem', { name: t(`chatKind.${kind}`) }).click();
  const dialog = page.getByRole('dialog');
  const name = t(kind === 'generic' ? 'chats.cardTitle' : 'chats.text');
  await dialog.getByRole('textbox', { name, exact: true }).fill(texts);
  await dialog.getByLabel(t('chats.buttonTitle')).fill(button);
  if (kind === 'generic') {
    await dialog.getByRole('combobox', { name: t('chats.buttonType') }).click();
    await page.getByRole('option', { name: t('chatButton.call') }).click();
    await dialog.getByLabel(t('chats.buttonPayload')).fill('02 123 4567');
    await dialog.locator('input[type="file"]').setInputFiles(picture ?? []);
    await expect(dialog.getByRole('img', { name: t('chats.cardPicture') })).toBeVisible();
    await checkConsole(page, 'chat card');
  }
  await dialog.getByRole('button', { name: t('chats.send') }).click();
  await expect(dialog).toHaveCount(0);
}

/** Sends a picture by the button, and one by pasting it; a name with a script in it is only a name. */
async function sendPictures(page: Page, conversation: Locator, member: Member): Promise<void> {
  const { picture } = await makeSlip(member);
  const evil = `<img src=x onerror="document.title='stolen'">.png`;
  const shown = (name: string) => conversation.getByRole('img', { name, exact: true });
  await page.locator('input[type="file"]').setInputFiles({ ...picture, name: evil });
  await expect(shown(evil)).toBeVisible();
  const base64 = picture.buffer.toString('base64');
  await page.getByRole('textbox', { name: t('chats.hint') }).evaluate(
    (box, { bytes, type }) => {
      const clipboardData = new DataTransfer();
      const content = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
      clipboardData.items.add(new File([content], 'pasted.png', { type }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { bytes: base64, type: picture.mimeType },
  );
  await expect(shown('pasted.png')).toBeVisible();
  for (const name of [evil, 'pasted.png'])
    await expect
      .poll(() => shown(name).evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(40);
}

test('an agent answers, notes, hands over and ends a conversation, beside the customer’s money', async ({
  browser,
}) => {
  const env = sharedEnv();
  const member = await newMember({ balance: 500 });
  const texts = `ยอดไม่เข้า ${newPerson().phone}`;
  await say(member, texts, env);
  const { page: lead } = await openConsole(browser, 'finance-lead');
  await open(lead, texts);
  await lead.getByRole('button', { name: t('chats.canned') }).click();
  await lead.getByLabel(t('chats.shortcut')).fill('wait');
  await lead.getByRole('dialog').getByLabel(t('chats.text')).fill('ขอตรวจสอบสักครู่นะคะ');
  await lead.getByRole('button', { name: t('chats.saveCanned') }).click();
  await expect(lead.getByText('/wait')).toBeVisible();

  const { page, name } = await openConsole(browser, 'support');
  await listenIn(page);
  await page.getByRole('button', { name: t('bell.title') }).click();
  await page.getByRole('menuitemcheckbox', { name: t('bell.notify') }).click();
  await page.keyboard.press('Escape');
  await open(page, texts);
  const conversation = page.getByRole('region', { name: 'ทดสอบ ใจดี' });
  await expect(conversation.getByText(texts)).toBeVisible();
  await expect(page.getByRole('complementary', { name: t('chats.beside') })).toContainText('500.00');
  const box = page.getByRole('textbox', { name: t('chats.hint') });
  await box.fill('/wa');
  await box.press('Enter');
  await expect(box).toHaveValue('ขอตรวจสอบสักครู่นะคะ');
  await box.press('Enter');
  await expect.poll(async () => (await received(member, env))[0]).toBe('ขอตรวจสอบสักครู่นะคะ');
  const thanks = `ขอบคุณค่ะ <img src=x onerror="document.title='stolen'">`;
  await say(member, thanks, env);
  await expect(conversation.getByText(thanks)).toBeVisible();
  await expect.poll(async () => (await receivedOn(page)).notes).toContain(t('new.chats'));
  expect((await receivedOn(page)).rings).toBeGreaterThan(0);

  // Another customer of the same words: arrows go from talk to talk, also while one writes.
  const other = await newMember();
  const theirs = `${texts} ด้วยค่ะ`;
  await say(other, theirs, env);
  await expect(page.getByRole('button', { name: theirs })).toBeVisible();
  await box.press('Alt+ArrowUp');
  await expect(conversation.getByText(theirs)).toBeVisible();
  await box.press('Alt+ArrowDown');
  await expect(conversation.getByText(thanks)).toBeVisible();
  // Another agent responds only after taking over.
  await expect(lead.getByText(t('chats.with', { name })).first()).toBeVisible();
  await expect(lead.getByRole('button', { name: t('chats.takeOver') })).toBeVisible();
  await expect(lead.getByRole('textbox', { name: t('chats.hint') })).toHaveCount(0);

  await page.getByRole('button', { name: t('chats.build') }).click();
  await page.getByRole('menuitem', { name: t('chatKind.buttons') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: t('chats.text'), exact: true }).fill('ดูได้ที่นี่');
  await dialog.getByLabel(t('chats.buttonTitle')).fill('ดูรายการ');
  await dialog.getByLabel(t('chats.buttonPayload')).fill('javascript:alert(1)');
  await expect(dialog.getByRole('button', { name: t('chats.send') })).toBeDisabled();
  await dialog.getByLabel(t('chats.buttonPayload')).fill('/user/statement');
  await checkConsole(page, 'chat builder');
  await dialog.getByRole('button', { name: t('chats.send') }).click();
  await expect(conversation.getByText('ดูรายการ')).toBeVisible();
  await build(page, 'quick_replies', 'เรียบร้อยไหมคะ', 'เรียบร้อย');
  const slip = await makeSlip(member);
  await build(page, 'generic', 'ติดต่อเรา', 'โทรหาเรา', slip.picture);
  await expect(conversation.getByRole('img', { name: 'ติดต่อเรา' })).toBeVisible();
  await expect(conversation.getByText('โทรหาเรา')).toBeVisible();
  await sendPictures(page, conversation, member);
  await expect(page).not.toHaveTitle('stolen');

  await page
    .getByRole('button', { name: t('chats.tie') })
    .first()
    .click();
  await expect(conversation.getByText(t('chats.noteMark'))).toBeVisible();
  await page.getByRole('button', { name: t('chats.tags') }).click();
  await dialog.getByRole('combobox', { name: t('chats.tags') }).fill('ฝากเงิน');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: t('chats.saveTags') }).click();
  await expect(dialog).toHaveCount(0);
  await checkConsole(page, 'chat');
  await page.setViewportSize({ width: 1024, height: 768 });
  const beside = page.getByRole('complementary', { name: t('chats.beside') });
  await expect(beside).toBeHidden();
  await page.getByRole('button', { name: t('chats.beside') }).click();
  await expect(beside).toContainText('500.00');
  await checkConsole(page, 'chat 1024');
  await page.getByRole('button', { name: t('chats.beside') }).click();
  expect(await received(member, env)).toHaveLength(8);
  await expect(conversation).toContainText(t('chats.with', { name }));
  await page.getByRole('button', { name: t('chats.end') }).click();
  await expect(conversation.getByText(t('chatState.ENDED'))).toBeVisible();
  await expect.poll(async () => (await received(member, env)).length).toBe(9);
  // What was said long ago is found, also in a conversation that has ended.
  await expect(
    page.getByRole('button', { name: 'ทดสอบ ใจดี' }).and(page.locator('[aria-current=true]')),
  ).toBeVisible();
  await page.getByRole('button', { name: t('chats.beside') }).click();
  await beside.locator('a[href^="/deposits"]').click();
  await expect(page.getByRole('heading', { level: 1, name: t('nav.deposits') })).toBeVisible();
  await expect(page.getByText('500.00').first()).toBeVisible();
});

test('support opens the withdrawal in a member’s question with one click, and sees only permitted actions', async ({
  browser,
}) => {
  const env = sharedEnv();
  const member = await newMember({ balance: 3_000 });
  const { id } = await call('POST /api/wallet/withdraw', { amount: 2_500 }, member.token, env);
  const texts = `ถอนไปแล้วยังไม่เข้า ${Date.now()}`;
  await say(member, texts, env);
  const { page } = await openConsole(browser, 'support');
  const queues = page.getByRole('main').getByRole('link');
  await expect(queues.filter({ hasText: t('nav.withdrawals') })).toBeVisible();
  for (const closed of ['nav.unmatched', 'nav.approvals', 'nav.transfers', 'nav.reports'])
    await expect(queues.filter({ hasText: t(closed) })).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').getByText(t('keys.find'))).toBeVisible();
  await expect(page.getByRole('dialog').getByText(t('keys.approve'))).toHaveCount(0);
  await page.keyboard.press('Escape');
  await open(page, texts);
  await page
    .getByRole('complementary', { name: t('chats.beside') })
    .getByRole('link', { name: t('type.withdraw'), exact: true })
    .click();
  const panel = page.getByRole('complementary').filter({ hasText: id });
  await expect(panel).toContainText('2,500.00');
  await expect(panel.getByRole('button', { name: t('withdrawals.approve') })).toHaveCount(0);
  await expect(page.getByText(t('keys.reject'))).toHaveCount(0);
  await checkConsole(page, 'withdrawal for support');

  // The member's page follows what happens while it is open.
  await page.getByRole('row').filter({ hasText: '2,500.00' }).getByRole('link').click();
  const main = page.getByRole('main');
  await expect(main).toContainText(t('member.wallet'));
  await expect(main).not.toContainText('623.00');
  await payIn(member, 123);
  await expect(main).toContainText('623.00');
  await expect(main.getByRole('row').filter({ hasText: '123.00' })).toBeVisible();
});

test('a macro answers, tags and puts a conversation on hold at once, until the customer writes again', async ({
  browser,
}) => {
  const env = sharedEnv();
  const member = await newMember({ balance: 500 });
  const texts = `รอโอนอยู่ ${newPerson().phone}`;
  await say(member, texts, env);
  const { page } = await openConsole(browser, 'finance-lead');
  await open(page, texts);
  await page.getByRole('button', { name: t('macros.title') }).click();
  const dialog = page.getByRole('dialog');
  const macro = `ตามธนาคาร ${process.pid}`;
  await dialog.getByRole('textbox', { name: t('macros.name') }).fill(macro);
  await dialog.getByRole('textbox', { name: t('macros.text') }).fill('กำลังตามกับธนาคารให้นะคะ');
  await dialog.getByRole('combobox', { name: t('macros.tags') }).fill('ตามธนาคาร');
  await page.keyboard.press('Enter');
  await dialog.getByRole('combobox', { name: t('macros.ending') }).click();
  await page.getByRole('option', { name: t('macroEnding.HOLD') }).click();
  await checkConsole(page, 'macros');
  await dialog.getByRole('button', { name: t('macros.save') }).click();
  await expect(dialog.getByText(macro)).toBeVisible();
  await page.keyboard.press('Escape');

  const conversation = page.getByRole('region', { name: 'ทดสอบ ใจดี' });
  await conversation.getByRole('button', { name: t('macros.title') }).click();
  await page.getByRole('menuitem', { name: macro }).click();
  await expect.poll(async () => (await received(member, env))[0]).toBe('กำลังตามกับธนาคารให้นะคะ');
  await expect(conversation.getByText(t('chatState.ON_HOLD'))).toBeVisible();
  await expect(conversation.getByRole('button', { name: t('chats.unhold') })).toBeVisible();
  for (const language of ['en', 'la', 'th']) {
    await page.evaluate((value) => localStorage.setItem('locale', value), language);
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: width === 1280 ? 720 : 900 });
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await checkConsole(page, `chat on hold ${language} ${width}`);
    }
  }
  await say(member, `${texts} นานจัง`, env);
  await expect(conversation.getByRole('button', { name: t('chats.hold') })).toBeVisible();
});

test('many conversations are taken, tagged and ended at once; one that a colleague has taken is left to the colleague', async ({
  browser,
}) => {
  const env = sharedEnv();
  const texts = `ถามเรื่องเดียวกัน ${newPerson().phone}`;
  const members = await Promise.all([newMember(), newMember(), newMember()]);
  for (const [index, member] of members.entries()) await say(member, `${texts} ${index}`, env);
  const { page: colleague, name } = await openConsole(browser, 'support');
  await open(colleague, `${texts} 0`);
  await colleague.getByRole('button', { name: t('chats.take') }).click();
  await expect(colleague.getByText(t('chats.with', { name })).first()).toBeVisible();

  const { page } = await openConsole(browser, 'finance-lead', env, '/chats');
  // Before its response the list has the rows that are not filtered.
  const filtered = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get('q') === texts,
  );
  await page.locator('#filter').fill(texts);
  await filtered;
  await page.waitForURL('**q=**');
  const rows = page.getByRole('button', { name: texts });
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: t('chats.select'), exact: true }).click();
  // The bar above the rows is drawn with it.
  await expect(page.locator('[aria-pressed="true"]')).toBeVisible();
  const place = await rows.last().boundingBox();
  for (const row of await rows.all()) await row.click();
  // No row moves when the first is selected, so that the next press hits what was seen.
  expect(await rows.last().boundingBox()).toEqual(place);
  const perform = (label: string, count: number) =>
    page.getByRole('button', { name: `${t(label)} (${count})` });
  await perform('chats.take', 3).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(t('bulk.possible', { possible: '2', count: '3' }));
  await expect(dialog.getByRole('row')).toContainText(t('error.CLAIMED', { by: name }));
  await checkConsole(page, 'chats taken at once');
  await dialog.getByRole('button', { name: `${t('chats.take')} (2)` }).click();
  await expect(dialog).toContainText(t('bulk.result', { done: '2', failed: '1' }));
  await checkConsole(page, 'chats taken report');
  await page.keyboard.press('Escape');

  for (const language of ['en', 'la', 'th']) {
    await page.evaluate((value) => localStorage.setItem('locale', value), language);
    await page.reload();
    await expect(rows).toHaveCount(3);
    // The button that begins to select is the only one that can be pressed until then.
    await page.locator('[aria-pressed]').click();
    for (const row of await rows.all()) await row.click();
    await checkConsole(page, `chats selected ${language}`);
  }
  await perform('chats.addTag', 3).click();
  await dialog.getByRole('textbox', { name: t('chats.tag') }).fill('ระบบล่ม');
  await dialog.getByRole('button', { name: t('chats.addTag') }).click();
  await expect(dialog).toContainText(t('bulk.result', { done: '3', failed: '0' }));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: texts }).filter({ hasText: 'ระบบล่ม' })).toHaveCount(3);
  await rows.filter({ hasText: `${texts} 2` }).click();
  await perform('chats.end', 1).click();
  await dialog.getByRole('button', { name: `${t('chats.end')} (1)` }).click();
  await expect(dialog).toContainText(t('bulk.result', { done: '1', failed: '0' }));
  // The end of a conversation is a message to its customer, who is asked for a rating.
  await expect.poll(async () => (await received(members[2]!, env)).length).toBe(2);
  expect(await received(members[1]!, env)).toHaveLength(1);
});
