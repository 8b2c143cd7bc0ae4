/**
 * Draws the pictures of the documents from the running product: phones at 360 × 780, twice as fine, and a desktop.
 * Usage: node e2e/pictures.ts (the member app must have been built)
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { openChat, write } from './chat.ts';
import { chromiumLaunch } from './chromium.ts';
import { goByKeys, openConsole, consoleText as t } from './console.ts';
import { call } from './env-calls.ts';
import { type BrowserSettings, type Member, newMember, payIn, playMoney, visit } from './new-member.ts';
import { withPalette } from './palette-png.ts';
import { startTestEnv } from './test-env.ts';
import { type Language, textOf } from './texts.ts';

const FOLDER = join(import.meta.dirname, '../docs/pictures');

const browser = await chromium.launch(await chromiumLaunch());

/** Runs in the page: waits until nothing that ends by itself is still moving, and every letter is there. */
async function stillness(): Promise<void> {
  await document.fonts.ready;
  const ending = document
    .getAnimations()
    .filter((one) => one.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map((one) => one.finished));
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(stillness);
  const picture = await page.screenshot();
  const empty = await browser.newPage();
  writeFileSync(join(FOLDER, `${name}.png`), await withPalette(empty, picture));
  await empty.context().close();
  await page.context().close();
}

async function home(member: Member, settings: BrowserSettings): Promise<Page> {
  const page = await visit(browser, { ...settings, isFine: true }, member);
  await page.goto('/user/home');
  // The figure counts up once; the picture is of where it ends.
  await page
    .getByLabel(textOf(settings.language ?? 'th', 'money.total'))
    .getByText('4,250')
    .waitFor();
  return page;
}

async function deposit(page: Page, language: Language): Promise<void> {
  const t = (id: string) => textOf(language, id);
  await page.getByRole('button', { name: t('deposit.tile'), exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet
    .getByRole('button')
    .filter({ hasText: t('deposit.anyBankApp') })
    .click();
  await page.getByRole('button', { name: '500', exact: true }).click();
  await sheet.locator('button[type=submit]').click();
  await page.getByRole('timer').waitFor();
}

/** The withdrawal form, which is offered while no other withdrawal is open. */
async function drawWithdrawal(member: Member): Promise<void> {
  const page = await visit(browser, { language: 'en', isFine: true }, member);
  await page.goto('/user/home');
  await page.getByRole('button', { name: textOf('en', 'withdraw.tile'), exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('1500');
  await take(page, 'withdraw-en');
}

/** The bonuses with one under way, and the wheel. */
async function drawRewards(member: Member): Promise<void> {
  await call('GET /api/bonus/activate/WELCOME50', undefined, member.token, member.env);
  const bonuses = await visit(browser, { isFine: true }, member);
  await bonuses.goto('/user/bonus');
  await bonuses.getByRole('progressbar').waitFor();
  await take(bonuses, 'bonuses-th');
  const wheel = await visit(browser, { language: 'la', isFine: true }, member);
  await wheel.goto('/user/home');
  await wheel.getByRole('button', { name: textOf('la', 'wheel.spin'), exact: true }).click();
  await wheel.getByRole('dialog').getByRole('img').waitFor();
  await take(wheel, 'wheel-la');
}

/** A conversation as the member and the agent have it. */
async function drawConversation(member: Member): Promise<void> {
  const phone = await visit(browser, { isFine: true }, member);
  await phone.goto('/user/home');
  await openChat(phone, 'th');
  await write(phone, 'th', 'ถอนเงินไปเมื่อเช้า เข้าบัญชีหรือยังคะ');
  const { page: consolePage } = await openConsole(browser, 'support', member.env);
  await goByKeys(consolePage, 'z');
  await consolePage.getByRole('button', { name: 'ถอนเงินไปเมื่อเช้า' }).click();
  const box = consolePage.getByRole('textbox', { name: t('chats.hint') });
  await box.fill('สวัสดีค่ะ รายการนี้โอนสำเร็จแล้ว ลองตรวจยอดในบัญชีอีกครั้งนะคะ');
  await box.press('Enter');
  await phone.getByText('ลองตรวจยอดในบัญชีอีกครั้ง').waitFor();
  await write(phone, 'th', 'เห็นแล้วค่ะ ขอบคุณมากค่ะ');
  await consolePage.getByRole('region').getByText('ขอบคุณมากค่ะ').waitFor();
  await take(phone, 'chat-th');
  await take(consolePage, 'console-chats-th');
}

/** A withdrawal of money that was not played, as the operator who decides it has it. */
async function drawReview(): Promise<void> {
  const member = await newMember({ balance: 30_000, env });
  const { id } = await call('POST /api/wallet/withdraw', { amount: 24_000 }, member.token, env);
  const { page } = await openConsole(browser, 'finance', env, `/withdrawals?open=${id}`);
  await page.getByRole('button', { name: t('withdrawals.sendToChecker') }).waitFor();
  await take(page, 'console-withdrawals-th');
}

async function drawAll(member: Member): Promise<void> {
  const { env } = member;
  const login = await visit(browser, { env, isFine: true });
  await login.goto('/login');
  await take(login, 'login-th');
  await take(await home(member, {}), 'home-th');
  await take(await home(member, { theme: 'dark' }), 'home-dark-th');
  await take(await home(member, { device: 'desktop', language: 'en' }), 'home-desktop-en');
  const qr = await home(member, {});
  await deposit(qr, 'th');
  await take(qr, 'deposit-qr-th');
  const statement = await visit(browser, { language: 'la', isFine: true }, member);
  await statement.goto('/user/statement');
  await statement.getByRole('main').getByRole('button').first().waitFor();
  await take(statement, 'statement-la');
  const phone = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await phone.goto(`${env.sandboxUrl}/?lang=th`);
  const spaced = member.phone.replace(/^(\d{3})(\d{3})(\d+)$/, '$1 $2 $3');
  await phone.locator('#people').getByRole('link').filter({ hasText: spaced }).click();
  await take(phone, 'sandbox-phone-th');
}

mkdirSync(FOLDER, { recursive: true });
const env = await startTestEnv();
try {
  const member = await newMember({ balance: 4500, env });
  await playMoney(member, 'betflix', 1200);
  await playMoney(member, 'areaslot', 300);
  await payIn(member, 250);
  await drawWithdrawal(member);
  await call('POST /api/wallet/withdraw', { amount: 500 }, member.token, env);
  await drawAll(member);
  await drawConversation(member);
  await drawReview();
  // One that has withdrawn nothing, so that their deposit backs a bonus.
  await drawRewards(await newMember({ balance: 1000, env }));
} finally {
  await browser.close();
  await env.stop();
}
