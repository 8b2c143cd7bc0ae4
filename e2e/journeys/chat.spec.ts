import { LANGUAGES } from '@krapao/contract/shared';
import { type Browser, expect } from '@playwright/test';
import { launcher, log, openChat, panel, texts, write } from '../chat.ts';
import { openConsole } from '../console.ts';
import { call, sharedEnv } from '../env-calls.ts';
import { checkScreen, lastsFor, NO_AXE } from '../member.ts';
import { newMember, PASSWORD, visit } from '../new-member.ts';
import { makeSlip } from '../slips.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

/** What happens elsewhere is seen without a click. */

/** An agent without a screen, who responds to the sender of a message. */
async function agent(browser: Browser) {
  const { page, name } = await openConsole(browser, 'support');
  const headers = { 'x-requested-with': 'console-operator', origin: sharedEnv().consoleUrl };
  const perform = async (id: string, what: string, data: object = {}) => {
    const reply = await page.request.post(`/api/operator/chats/${id}/${what}`, { headers, data });
    expect(reply.ok(), `${what}: ${await reply.text()}`).toBe(true);
  };
  return {
    name,
    perform,
    say: (id: string, message: string) =>
      perform(id, 'messages', { message: { message_type: 'text', payload: { message } } }),
    send: (id: string, message: object) => perform(id, 'messages', { message }),
    /** The conversation in which something was said. */
    async find(expected: string): Promise<string> {
      const reply = await page.request.get(`/api/operator/chats?q=${encodeURIComponent(expected)}`, {
        headers,
      });
      const { chats } = (await reply.json()) as { chats: { id: string }[] };
      expect(chats).toHaveLength(1);
      return chats[0]!.id;
    },
    leave: () => page.context().close(),
  };
}

const button = (title: string, type: string, payload: string) => ({ title, type, payload });

for (const language of LANGUAGES)
  test(`in ${language} one press of the sign opens the panel over a member’s phone, and one closes it`, async ({
    browser,
  }) => {
    const page = await visit(browser, { language }, await newMember());
    await page.goto('/user/home');
    const button = launcher(page, language);
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    // It stays on the screen however far the page is scrolled.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(button).toBeInViewport();
    for (let time = 0; time < 2; time++) {
      await button.click();
      const inPanel = panel(page, language).getByRole('button', { name: textOf(language, 'chat.launcher') });
      await expect(inPanel).toHaveAttribute('aria-expanded', 'true');
      await expect(panel(page, language).getByRole('heading', { level: 2 })).toBeFocused();
      await inPanel.click();
      await expect(panel(page, language)).toHaveCount(0);
      await expect(button).toBeFocused();
    }
  });

test('a visitor talks to an agent, sends a picture, loses the line, says how it was, and logs in with all of it', async ({
  browser,
}) => {
  const t = texts('th');
  const som = await agent(browser);
  const page = await visit(browser, { language: 'th' });
  await page.goto('/contact');
  await openChat(page, 'th');
  await expect(log(page)).toContainText(t('chat.hello'));
  await checkScreen(page, 'chat empty');
  const first = `โอนแล้วแต่ยอดยังไม่เข้าค่ะ ${Date.now()}`;
  await write(page, 'th', '   ');
  await write(page, 'th', first);
  await expect(log(page).getByText(first)).toBeVisible();
  await page.reload();
  await expect(log(page).getByText(first)).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).toSorted())).toEqual(['guest-id', 'locale']);

  const id = await som.find(first);
  await som.perform(id, 'read');
  // A typing event goes to the connections that are open then.
  await expect(async () => {
    await som.perform(id, 'typing');
    await expect(log(page)).toContainText(t('chat.typing'), { timeout: 1_000 });
  }).toPass();
  await som.say(id, 'สวัสดีค่ะ กำลังตรวจสอบให้นะคะ');
  await expect(log(page).getByText('กำลังตรวจสอบให้นะคะ')).toBeVisible();
  await expect(log(page)).toContainText(t('chat.read'));

  // A closed panel still counts; opening it reads.
  await panel(page, 'th')
    .getByRole('button', { name: t('btn.close') })
    .click();
  await som.say(id, 'ขอรูปสลิปได้ไหมคะ');
  await expect(launcher(page, 'th').getByRole('img')).toHaveText('1');
  await checkScreen(page, 'chat launcher');
  await openChat(page, 'th');
  await expect(log(page).getByText('ขอรูปสลิปได้ไหมคะ')).toBeVisible();

  const member = await newMember();
  const { picture } = await makeSlip(member);
  const attach = page.getByLabel(t('chat.attach'));
  await attach.setInputFiles({ ...picture, name: 'slip.pdf' });
  await expect(page.getByText(t('error.CHAT_FILE_UNSUPPORTED'))).toBeVisible();
  const refusal = t('error.CHAT_FILE_TOO_LARGE', { limit: '10' });
  const lasted = lastsFor(page, refusal);
  // A toast waits while it is pointed at, and the chat's button is where it appears.
  await page.mouse.move(180, 500);
  await attach.setInputFiles({ ...picture, name: 'big.png', buffer: Buffer.alloc(11 * 1024 * 1024) });
  await expect(page.getByText(refusal)).toBeVisible();
  await attach.setInputFiles(picture);
  const shown = log(page).getByRole('img', { name: t('chat.picture', { name: picture.name }) });
  await expect(shown).toBeVisible();
  expect(
    await shown.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(40);

  // A refusal is shown for 4 s.
  const { ms, timersMs } = await lasted;
  expect(ms).toBeGreaterThan(3_500);
  expect(timersMs).toBeLessThan(6_000);

  // A picture on its way can be stopped; one that is cut off on its way is sent again.
  let cut = (): void => undefined;
  const connectionCut = new Promise<void>((resolve) => {
    cut = resolve;
  });
  let isWhole = false;
  await page.route('**/api/chat/upload-image', async (route) => {
    if (isWhole) return route.continue();
    await connectionCut;
    await route.abort('connectionreset').catch(() => undefined);
  });
  await attach.setInputFiles({ ...picture, name: 'stopped.jpg' });
  await expect(log(page).getByRole('progressbar')).toBeVisible();
  await checkScreen(page, 'chat uploading');
  await log(page)
    .getByRole('button', { name: t('chat.stop') })
    .click();
  await expect(log(page).getByText('stopped.jpg')).toHaveCount(0);
  await attach.setInputFiles({ ...picture, name: 'cut-off.jpg' });
  await expect(log(page).getByRole('progressbar')).toBeVisible();
  cut();
  await expect(log(page).getByText(t('chat.failed'))).toHaveCount(1);
  isWhole = true;
  await log(page)
    .getByRole('button', { name: t('chat.resend') })
    .click();
  await expect(
    log(page).getByRole('img', { name: t('chat.picture', { name: 'cut-off.jpg' }) }),
  ).toBeVisible();

  // Nothing that is said without a line is lost, on either side.
  await page.context().setOffline(true);
  await write(page, 'th', 'ส่งตอนเน็ตหลุด');
  await attach.setInputFiles({ ...picture, name: 'photo-0142.jpg' });
  await expect(log(page).getByText(t('chat.failed'))).toHaveCount(2);
  await som.say(id, 'ตอบตอนเน็ตหลุด');
  await checkScreen(page, 'chat failed');
  await page.context().setOffline(false);
  await expect(log(page).getByText('ตอบตอนเน็ตหลุด')).toBeVisible();
  await log(page)
    .getByRole('button', { name: t('chat.remove') })
    .last()
    .click();
  await log(page)
    .getByRole('button', { name: t('chat.resend') })
    .click();
  await expect(log(page).getByText(t('chat.failed'))).toHaveCount(0);
  await expect(log(page).getByText(t('chat.sending'))).toHaveCount(0);
  await expect(log(page).getByText('ส่งตอนเน็ตหลุด')).toHaveCount(1);

  await som.perform(id, 'end');
  await expect(log(page).getByText(t('chat.end'))).toHaveCount(1);
  await log(page).getByRole('button', { name: '5/5' }).click();
  await expect(log(page).getByRole('button', { name: '5/5' })).toHaveCount(0);
  await write(page, 'th', 'ขอถามอีกเรื่องค่ะ');
  await expect(log(page).getByText('ขอถามอีกเรื่องค่ะ')).toBeVisible();
  await expect(log(page).getByText(t('chat.end'))).toHaveCount(1);
  await panel(page, 'th')
    .getByRole('button', { name: t('btn.refresh') })
    .click();
  await expect(log(page).getByText('ขอถามอีกเรื่องค่ะ')).toHaveCount(1);
  await checkScreen(page, 'chat ended');

  await page.evaluate((token) => {
    localStorage.setItem('token', token);
    localStorage.setItem('remember-agreement', 'true');
  }, member.token);
  await page.goto('/user/home');
  await openChat(page, 'th');
  await expect(log(page).getByText('ขอถามอีกเรื่องค่ะ')).toBeVisible();
  await page.context().close();
  await som.leave();
});

test('shown to others: what a member wrote is gone for who logs in on the same page after them', {
  tag: NO_AXE,
}, async ({ browser }) => {
  const [first, second] = [await newMember(), await newMember()];
  const t = texts('th');
  const page = await visit(browser);
  await page.goto('/login');
  await expect(launcher(page, 'th')).toBeVisible();
  /** Logs in without loading the page again. */
  const enter = async (phone: string) => {
    await page.getByLabel(t('auth.phone')).fill(phone);
    await page.getByLabel(t('auth.password'), { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: t('auth.login') }).click();
    await page.waitForURL('**/user/home');
  };
  const closeChat = async () => {
    await page.goBack();
    await expect(panel(page, 'th')).toHaveCount(0);
  };
  const loadedAt = () => page.evaluate(() => performance.timeOrigin);
  const loaded = await loadedAt();
  await enter(first.phone);
  await page.getByRole('button', { name: t('agree.accept') }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await openChat(page, 'th');
  await write(page, 'th', 'สลิปของสมาชิกคนแรก');
  await expect(log(page).getByText('สลิปของสมาชิกคนแรก')).toBeVisible();
  await closeChat();
  await page.getByRole('link', { name: t('nav.contact') }).click();
  await page.getByRole('button', { name: t('auth.logout') }).click();
  await page.waitForURL('**/login');
  await openChat(page, 'th');
  await expect(panel(page, 'th')).not.toContainText('สลิปของสมาชิกคนแรก');
  await closeChat();
  await enter(second.phone);
  await openChat(page, 'th');
  await expect(panel(page, 'th')).not.toContainText('สลิปของสมาชิกคนแรก');
  expect(await loadedAt()).toBe(loaded);
  await page.context().close();
});

test('a member finds a long talk on another device; every kind shows, an unknown one too; new words are counted', {
  tag: NO_AXE,
}, async ({ browser }) => {
  const t = texts('en');
  const som = await agent(browser);
  const member = await newMember();
  const shown = (message: string) =>
    call(
      'POST /api/chat/send-message',
      { message: { message_type: 'text', payload: { message } } },
      member.token,
      member.env,
    );
  const opening = `word 1 of ${member.phone}`;
  await shown(opening);
  for (let n = 2; n <= 29; n++) await shown(`word ${n} of ${member.phone}`);
  const id = await som.find(opening);
  await som.send(id, {
    message_type: 'generic',
    payloads: [
      {
        image_url: '/art/lotus.svg',
        title: 'We found your slip',
        subtitle: 'Checking with the bank, mostly within a minute',
        buttons: [
          button('Slip status', 'web', '/user/statement'),
          button('Call us', 'call', 'tel:+6621234567'),
        ],
      },
    ],
  });
  await som.send(id, {
    message_type: 'buttons',
    payload: {
      message: 'Choose',
      buttons: [
        button('Yes please', 'postback', 'YES'),
        button('Help pages', 'web', 'https://example.com/help'),
        button('Only words', 'other', 'x'),
      ],
    },
  });
  await som.send(id, {
    message_type: 'quick_replies',
    payload: { message: 'All good?', buttons: [button('All good', 'postback', 'GOOD')] },
  });

  const page = await visit(browser, { language: 'en', device: 'desktop', theme: 'dark' }, member);
  // An older or a newer server may say what this version does not know.
  await page.route('**/api/chat/history', async (route) => {
    const reply = await route.fetch();
    const items = (await reply.json()) as {
      message: { message_type: string; payload: { message: string } };
    }[];
    for (const { message } of items)
      if (message.payload?.message === `word 28 of ${member.phone}`) message.message_type = 'hologram';
    await route.fulfill({ response: reply, json: items });
  });
  await page.goto('/user/home');
  await openChat(page, 'en');
  await expect(log(page).getByText('All good?')).toBeVisible();
  await expect(log(page).getByText(t('chat.unknown'))).toHaveCount(1);
  await expect(log(page).getByRole('link', { name: 'Call us' })).toHaveAttribute('href', 'tel:+6621234567');
  await expect(log(page).getByRole('link', { name: 'Help pages' })).toHaveAttribute('target', '_blank');
  await checkScreen(page, 'chat kinds');

  const box = log(page);
  for (const known of [10, 20, 30]) {
    await expect.poll(() => box.locator('p', { hasText: /^word|can’t show/ }).count()).toBe(known - 3);
    await box.evaluate((element) => element.scrollTo({ top: 0 }));
  }
  await expect(box.getByText(opening)).toHaveCount(1);
  await expect(box.getByText(/^word \d+ of/)).toHaveCount(28);
  for (const n of [1, 2, 3]) {
    await som.say(id, `new ${n} <img src=x onerror="document.title='stolen'">`);
    await box.getByText(`new ${n} `).waitFor();
  }
  const bar = page.getByRole('button', { name: 'You have 3 new messages' });
  await expect(bar).toBeVisible();
  await checkScreen(page, 'chat new');
  await bar.click();
  await expect(bar).toHaveCount(0);
  await expect(page).not.toHaveTitle('stolen');
  // 60 px above the foot is still the foot.
  const goAboveFoot = (px: number) =>
    box.evaluate((list, up) => list.scrollTo({ top: list.scrollHeight - list.clientHeight - up }), px);
  await goAboveFoot(55);
  await som.say(id, 'said at the foot');
  await expect(box.getByText('said at the foot')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'You have' })).toHaveCount(0);
  // The same holds for scrolling in the frame in which a message arrives, before the scroll event.
  await box.evaluate((list) => {
    for (const name of ['appendChild', 'insertBefore'] as const) {
      const put = Node.prototype[name] as (this: Node, child: Node, before?: Node) => Node;
      const scrolled = function (this: Node, child: Node, before?: Node) {
        if (child.textContent!.includes('said as they move')) {
          Object.assign(Node.prototype, { [name]: put });
          list.scrollTo({ top: list.scrollHeight - list.clientHeight - 55 });
        }
        return put.call(this, child, before);
      };
      Object.assign(Node.prototype, { [name]: scrolled });
    }
  });
  await som.say(id, 'said as they move');
  await expect(box.getByText('said as they move')).toBeInViewport();
  await goAboveFoot(66);
  await som.say(id, 'said below the reader');
  const one = page.getByRole('button', { name: 'You have 1 new message' });
  await one.click();
  // Who goes up in the frame in which the list follows has gone up too.
  await box.evaluate((list) => {
    const goUp: MutationCallback = (_changes, observer) => {
      if (!list.textContent!.includes('said as they go')) return;
      observer.disconnect();
      list.scrollTo({ top: list.scrollHeight - list.clientHeight - 66 });
    };
    new MutationObserver(goUp).observe(list, { childList: true, subtree: true, characterData: true });
  });
  await som.say(id, 'said as they go');
  await expect(box.getByText('said as they go')).toHaveCount(1);
  await som.say(id, 'sent after the member left');
  await one.click();
  await box.getByRole('button', { name: 'All good' }).click();
  await expect(box.getByRole('button', { name: 'All good' })).toHaveCount(0);
  await write(page, 'en', 'x'.repeat(2001));
  await expect(page.getByText(t('chat.tooLong', { max: '2000' }))).toBeVisible();
  await page.getByRole('textbox', { name: t('chat.placeholder') }).fill('');
  await page.keyboard.press('Escape');
  await expect(panel(page, 'en')).toHaveCount(0);
  await openChat(page, 'en');
  await launcher(page, 'en').click();
  await expect(panel(page, 'en')).toHaveCount(0);

  const phone = await visit(browser, { language: 'la' }, member);
  await phone.goto('/user/contact');
  await openChat(phone, 'la');
  await expect(log(phone).getByText('new 3')).toBeVisible();
  await write(phone, 'la', 'ຂອບໃຈ');
  await expect(log(phone).getByText('ຂອບໃຈ')).toBeVisible();
  await page.context().close();
  await som.leave();
});
