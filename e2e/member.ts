import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { ALL_IDS, type Language, textOf } from './texts.ts';

export const PHONE_SIZE = { width: 360, height: 780 };
export const DESKTOP_SIZE = { width: 1280, height: 800 };
export const PASSWORD = 'ลับของฉัน 123';

export const townUrl = (): string => process.env.TOWN_URL!;

/** One call of the sandbox's control API. */
// biome-ignore lint/suspicious/noExplicitAny: journeys look at whatever came back
export async function control(path: string, body?: unknown): Promise<any> {
  const reply = await fetch(`${process.env.TOWN_SANDBOX_URL}/control/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`control ${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

/** One admin command against the town's database; answers what it printed. */
export async function admin(...words: string[]): Promise<string> {
  const program = join(import.meta.dirname, '../apps/server/src/admin.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], {
    env: { ...process.env, DATA_DIR: process.env.TOWN_DATA_DIR },
  });
  return stdout;
}

let serial = 0;

/** A phone and account nobody else in this run has. */
export function newPerson(): { phone: string; accountNo: string } {
  const number = String((process.pid % 1000) * 1000 + ++serial + (Date.now() % 97) * 1_000_000)
    .padStart(8, '0')
    .slice(-8);
  return { phone: `08${number}`, accountNo: `55${number}` };
}

/** Opens a context that has chosen a language, as a member would have. */
export async function speak(context: BrowserContext, language: Language): Promise<void> {
  await context.addCookies([{ name: 'language', value: language.toUpperCase(), url: townUrl() }]);
  await context.addInitScript((chosen) => {
    if (!localStorage.getItem('locale')) localStorage.setItem('locale', chosen);
  }, language);
}

/** A screen as a member must see it: no raw key, nothing wider than the screen, nothing serious for axe. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.evaluate(stillness);
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/${test.info().title.slice(-24)} ${name}.png` });
  const words = new Set((await page.locator('body').innerText()).split(/\s+/));
  expect(
    ALL_IDS.filter((id) => words.has(id)),
    `raw keys on ${name}`,
  ).toEqual([]);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
  expect(await page.evaluate(cutTexts), `cut text on ${name}`).toEqual([]);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`),
    `axe on ${name}`,
  ).toEqual([]);
}

/** Runs in the page: waits until nothing that ends by itself is still moving or fading. */
async function stillness(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter((one) => one.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map((one) => one.finished));
}

/** Runs in the page: texts whose box is too small for them and hides the rest. */
function cutTexts(): string[] {
  const cut: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const style = getComputedStyle(element);
    const hides =
      style.overflowX === 'hidden' || style.overflowX === 'clip' || style.textOverflow === 'ellipsis';
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
    );
    const isShown = element.clientWidth > 1 && style.clipPath === 'none' && element.checkVisibility();
    if (hides && hasText && isShown && element.scrollWidth > element.clientWidth + 1)
      cut.push(element.textContent!.trim().slice(0, 60));
  }
  return cut;
}

/** The code of the newest SMS to a phone. */
export async function codeFor(phone: string): Promise<string> {
  const { event, message } = await control('wait', { for: 'sms', phone, timeoutMs: 10_000 });
  const text: string = (event ?? message)?.text ?? JSON.stringify(await control(`sms?phone=${phone}`));
  return /\b(\d{6})\b/.exec(text)![1]!;
}

/** Walks the four steps of registration and ends on the login page. */
export async function register(
  page: Page,
  language: Language,
  person: { phone: string; accountNo: string },
): Promise<void> {
  const t = (id: string, values?: Record<string, string>) => textOf(language, id, values);
  await page.goto(`${townUrl()}/register`);
  await page.getByLabel(t('auth.phone')).fill(person.phone);
  await lookAt(page, 'register phone');
  await page.getByRole('button', { name: t('btn.next') }).click();
  await expect(page.getByRole('heading', { name: t('otp.enter') })).toBeVisible();
  await lookAt(page, 'register otp');
  await page
    .getByRole('textbox')
    .first()
    .pressSequentially(await codeFor(person.phone));
  await page.getByLabel(t('auth.name'), { exact: true }).fill('ทดสอบ ใจดี');
  await page.getByLabel(t('auth.password'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(t('auth.confirmPassword'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(t('register.source')).selectOption('friend');
  await lookAt(page, 'register profile');
  await page.getByRole('button', { name: t('btn.next') }).click();
  await page.getByLabel(t('bank.bank'), { exact: true }).selectOption('KBANK');
  await page.getByLabel(t('bank.accountNo')).fill(person.accountNo);
  await page.getByLabel(t('bank.firstName')).fill('somchai');
  await page.getByLabel(t('bank.lastName')).fill('jaidee');
  await lookAt(page, 'register bank');
  await page.getByRole('button', { name: t('auth.register') }).click();
  await expect(page.getByText(t('register.success'))).toBeVisible();
  await page.waitForURL('**/login', { timeout: 5_000 });
}

/** Logs in and stands on home, with the agreement accepted if it comes. */
export async function logIn(
  page: Page,
  language: Language,
  phone: string,
  options: { remember?: boolean; password?: string } = {},
): Promise<void> {
  const t = (id: string) => textOf(language, id);
  await page.goto(`${townUrl()}/login`);
  await page.getByLabel(t('auth.phone')).fill(phone);
  await page.getByLabel(t('auth.password'), { exact: true }).fill(options.password ?? PASSWORD);
  if (options.remember) await page.getByLabel(t('auth.rememberMe')).check();
  await page.getByRole('button', { name: t('auth.login') }).click();
  await page.waitForURL('**/user/home');
  await page.getByRole('button', { name: t('agree.accept') }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
