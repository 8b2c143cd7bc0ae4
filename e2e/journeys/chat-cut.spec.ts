import { DAY_MS } from '@krapao/contract/durations';
import { expect, type Locator, type Page } from '@playwright/test';
import { launcher, log, openChat, panel, texts, write } from '../chat.ts';
import { checkConsole, openConsole, consoleText as t } from '../console.ts';
import { admin, inOwnEnv } from '../env-calls.ts';
import { checkScreen, NO_AXE } from '../member.ts';
import { newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import type { TestEnv } from '../test-env.ts';
import { type Language, textOf } from '../texts.ts';

const FILM = 'apps/web/public/howto/check-balance.mp4';
const YEARS_MS = 3 * 365 * DAY_MS;

/** A customer with an open panel. */
interface Customer {
  page: Page;
  language: Language;
  /** How their words begin, so that agents find them. */
  name: string;
}

/** The browser's clock goes wrong by years. */
const withWrongClock = (page: Page) =>
  page.addInitScript((aheadMs) => {
    const Right = Date;
    globalThis.Date = new Proxy(Right, {
      construct: (_, given) =>
        given.length === 0 ? new Right(Right.now() + aheadMs) : Reflect.construct(Right, given),
      get: (_, name) => (name === 'now' ? () => Right.now() + aheadMs : Reflect.get(Right, name)),
    });
  }, YEARS_MS);

async function openConversation(consolePage: Page, { name }: Customer): Promise<void> {
  await consolePage.locator('#filter').fill(`${name} 1`);
  await consolePage.getByRole('button', { name: new RegExp(`${name} \\d`) }).click();
  await expect(consolePage.getByRole('region').getByText(`${name} 1`)).toBeVisible();
}

async function response(consolePage: Page, text: string): Promise<void> {
  const box = consolePage.getByRole('textbox', { name: t('chats.hint') });
  await box.fill(text);
  await box.press('Enter');
}

/** Sends again what is said not to have been sent. */
async function sayAgain(shown: Locator, failed: string, again: string): Promise<void> {
  const ways = shown.getByRole('button', { name: again });
  while ((await ways.count()) > 0) await ways.first().click();
  await expect(shown.getByText(failed)).toHaveCount(0);
}

/** What one end shows of a conversation's numbered words, in its order. */
async function numbersIn(shown: Locator, name: string): Promise<string[]> {
  const text = await shown.innerText();
  return [...text.matchAll(new RegExp(`${name} (\\d+)`, 'g'))].map((match) => match[1]!);
}

const conversationOf = (consolePage: Page, { name }: Customer) =>
  consolePage.locator('section', { hasText: `${name} 1` });

/** Customers and the agent, who has the last one's conversation open, say something as the power is cut and while it is out. */
async function cutPower(consolePage: Page, env: TestEnv, customers: readonly Customer[]): Promise<void> {
  const last = customers.at(-1)!;
  const written = Promise.all(
    customers.map(({ page, language, name }) => write(page, language, `${name} 3`)),
  );
  await Promise.all([
    written,
    env.cutPower(async () => {
      // Two hands at one box would write over each other.
      await written;
      for (const { page, language, name } of customers) {
        const status = panel(page, language).getByRole('status').first();
        await expect(status).toHaveText(textOf(language, 'chat.reconnecting'));
        await write(page, language, `${name} 4`);
        await expect(log(page).getByText(textOf(language, 'chat.failed')).last()).toBeVisible();
        await checkScreen(page, `chat cut ${language}`);
      }
      await response(consolePage, `${last.name} 5`);
      await expect(conversationOf(consolePage, last).getByText(t('chats.failed'))).toBeVisible();
    }),
  ]);
}

/** The customer's end and the agent's both have every word once and in the order it was said. */
async function seeWhole(consolePage: Page, customer: Customer): Promise<void> {
  for (const shown of [log(customer.page), conversationOf(consolePage, customer)])
    await expect.poll(() => numbersIn(shown, customer.name)).toEqual(['1', '2', '3', '4', '5']);
}

/** After the cut the customer's panel is back by itself, and what failed is sent again. */
async function comeBack({ page, language }: Customer): Promise<void> {
  const say = texts(language);
  await expect(panel(page, language).getByText(say('chat.reconnecting'))).toHaveCount(0);
  await sayAgain(log(page), say('chat.failed'), say('chat.resend'));
  await expect(log(page).getByText(say('chat.sending'))).toHaveCount(0);
}

/** A film from the customer, which the agent plays; then one more than the conversation may keep. */
async function sendFilms(consolePage: Page, env: TestEnv, { page, language }: Customer): Promise<void> {
  const say = texts(language);
  const attach = page.getByLabel(say('chat.attach'));
  await attach.setInputFiles(FILM);
  const film = log(page).locator('video');
  await expect(film).toBeVisible();
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0);
  await expect(film).toBeInViewport({ ratio: 0.9 });
  const theirs = consolePage.locator('video');
  await expect(theirs).toBeInViewport({ ratio: 0.9 });
  await theirs.evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    return video.play();
  });
  await expect
    .poll(() => theirs.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0.1);
  await admin(['setting', 'set', 'chat.dayMegabytes', '0'], env);
  await expect(async () => {
    await attach.setInputFiles(FILM);
    await expect(page.getByText(say('error.CHAT_FILES_FULL'))).toBeVisible();
  }).toPass();
  await checkScreen(page, 'chat full');
  await expect(page.getByText(say('error.CHAT_FILES_FULL'))).toHaveCount(0);
}

/** An administrator switches the chat off in the console, and on again. */
async function switchChat(consolePage: Page, on: boolean): Promise<void> {
  const name = `${t('content.change')} ${t('setting.chat.widget')}`;
  await consolePage.goto('/settings');
  await consolePage.getByRole('button', { name }).click();
  const dialog = consolePage.getByRole('dialog');
  await dialog.getByText(t(on ? 'settings.on' : 'settings.off'), { exact: true }).click();
  await dialog.getByLabel(t('field.reason')).fill('ปิดปรับปรุงแชต');
  await dialog.getByRole('button', { name: t('channel.save') }).click();
  await expect(consolePage.getByText(t('settings.saved'))).toBeVisible();
}

/** The agent sees that the customer is there and writes; neither Shift nor Ctrl with Enter sends what they write. */
async function beSeen(consolePage: Page, customer: Customer): Promise<void> {
  const conversation = conversationOf(consolePage, customer);
  await expect(conversation.getByText(t('chats.there'))).toBeVisible();
  const name = textOf(customer.language, 'chat.placeholder');
  const box = customer.page.getByRole('textbox', { name });
  await expect(async () => {
    await box.pressSequentially('.');
    await expect(conversation.getByText(t('chats.typing'))).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await box.press('Shift+Enter');
  await box.press('Control+Enter');
  await expect(box).toHaveValue(/^\.+/);
}

test('a server that crashes amid two conversations loses no message; switched off, the chat is gone', {
  tag: NO_AXE,
}, async ({ browser }) => {
  // An environment of its own that starts twice.
  test.slow();
  await inOwnEnv({}, async (env) => {
    const visitor: Customer = {
      page: await visit(browser, { language: 'la', env }),
      language: 'la',
      name: 'ແຂກ',
    };
    const member = await newMember({ env });
    const english = { language: 'en', device: 'desktop', theme: 'dark' } as const;
    const inside: Customer = {
      page: await visit(browser, english, member),
      language: 'en',
      name: 'member',
    };
    await withWrongClock(visitor.page);
    await visitor.page.goto('/contact');
    await inside.page.goto('/user/home');
    const { page: consolePage } = await openConsole(browser, 'support', env, '/chats');
    for (const one of [visitor, inside]) {
      await openChat(one.page, one.language);
      await write(one.page, one.language, `${one.name} 1`);
      await openConversation(consolePage, one);
      await beSeen(consolePage, one);
      await response(consolePage, `${one.name} 2`);
      await expect(log(one.page).getByText(`${one.name} 2`)).toBeVisible();
    }
    await cutPower(consolePage, env, [visitor, inside]);
    await comeBack(inside);
    await expect(conversationOf(consolePage, inside).getByText(`${inside.name} 4`)).toBeVisible();
    await sayAgain(conversationOf(consolePage, inside), t('chats.failed'), t('chats.again'));
    await seeWhole(consolePage, inside);
    await checkConsole(consolePage, 'chat after a cut');
    await comeBack(visitor);
    await openConversation(consolePage, visitor);
    await response(consolePage, `${visitor.name} 5`);
    await seeWhole(consolePage, visitor);
    await sendFilms(consolePage, env, visitor);
    const year = new Date(Date.now() + YEARS_MS).getFullYear();
    await expect(log(visitor.page)).not.toContainText(String(year));
    await expect(log(visitor.page)).not.toContainText(String(year + 543));

    const { page: staff } = await openConsole(browser, 'admin', env);
    await switchChat(staff, false);
    for (const { page, language } of [visitor, inside]) {
      await expect(launcher(page, language)).toHaveCount(0);
      await expect(panel(page, language)).toHaveCount(0);
    }
    await switchChat(staff, true);
    await expect(launcher(inside.page, 'en')).toBeVisible();
    // Without the chat a visitor has no connection to receive it.
    await visitor.page.reload();
    await expect(launcher(visitor.page, 'la')).toBeVisible();
    await expect(log(visitor.page).getByText(`${visitor.name} 5`)).toBeVisible();
  });
});
