/**
 * Walks seven errands of an operator in the console, counts keys, clicks and typed characters, and measures the time
 * the product takes. What a person needs to read, think and type is not in it. Prints one line of JSON for each errand.
 * Usage: node e2e/operator-errands.ts
 */
import { chromium, type Page, expect as within } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';
import { goByKeys, openConsole, consoleText as t } from './console.ts';
import { call, control, type Place } from './env-calls.ts';
import { type Member, newMember, payAsMalee } from './new-member.ts';
import { makeSlip, submitSlip } from './slips.ts';
import { startTestEnv, type TestEnv } from './test-env.ts';

/** What one errand cost. */
export interface OperatorErrandCost {
  errand: string;
  /** Keys that are no text, and clicks. */
  keys: number;
  clicks: number;
  typed: number;
  seconds: number;
}

/** A busy machine is slow, not wrong: how long something took is in the figures. */
const LONGEST_MS = 120_000;
const expect = within.configure({ timeout: LONGEST_MS });
const browser = await chromium.launch(await chromiumLaunch());

const dialog = (page: Page) => page.getByRole('dialog').last();
const current = (page: Page) => page.locator('tr[aria-current=true]');
const notice = (page: Page) => page.locator('output');
const press = (page: Page, key: string) => page.keyboard.press(key);

/** Runs in the page: counts keys, clicks and typed characters, on every page of the errand. */
function countInputs(): void {
  const stored = sessionStorage.getItem('cost');
  const cost = stored ? JSON.parse(stored) : { keys: 0, clicks: 0, typed: 0 };
  const add = (name: 'keys' | 'clicks' | 'typed') => {
    cost[name]++;
    sessionStorage.setItem('cost', JSON.stringify(cost));
  };
  const isText = (target: EventTarget | null) =>
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file', 'button'].includes(target.type));
  addEventListener('pointerdown', () => add('clicks'), true);
  addEventListener(
    'keydown',
    ({ key, target, ctrlKey }) => {
      if (['Control', 'Shift', 'Alt', 'Meta'].includes(key)) return;
      if (!isText(target) || key.length > 1 || ctrlKey) add('keys');
    },
    true,
  );
  addEventListener('input', ({ target }) => isText(target) && add('typed'), true);
}

async function openAs(role: string, env: Place, path = '/'): Promise<Page> {
  const { page } = await openConsole(browser, role, env, path);
  page.setDefaultTimeout(LONGEST_MS);
  await page.addInitScript(countInputs);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  return page;
}

async function measure(errand: string, page: Page, work: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await work();
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const counted = await page.evaluate(() => JSON.parse(sessionStorage.getItem('cost') ?? '{}'));
  const cost: OperatorErrandCost = { errand, keys: 0, clicks: 0, typed: 0, ...counted, seconds };
  console.log(JSON.stringify(cost));
  await page.context().close();
}

/** Types one key at a time. */
const type = (page: Page, text: string) => page.keyboard.type(text);

const withdraw = async (member: Member, amount: number): Promise<string> =>
  (await call('POST /api/wallet/withdraw', { amount }, member.token, member.env)).id;

/** A member whose withdrawal waits for a review; a bad one has handed in three slips of payments that never were. */
async function waiting(env: Place, isBad: boolean): Promise<void> {
  const member = await newMember({ balance: 3_000, env });
  for (let slip = 0; isBad && slip < 3; slip++)
    await submitSlip(member, await makeSlip(member, { kind: 'wrong-receiver' })).catch(() => undefined);
  await withdraw(member, 2_500);
}

/** Decides ten withdrawals with the keyboard alone; those with refused slips are rejected. */
async function decideTen(env: Place): Promise<void> {
  for (let at = 0; at < 10; at++) await waiting(env, at % 5 === 3);
  const page = await openAs('finance', env);
  const panel = page.getByRole('complementary');
  await measure('decide ten withdrawals, two of them bad', page, async () => {
    await goByKeys(page, 'w');
    await expect(page.getByRole('row')).toHaveCount(11);
    await press(page, 'j');
    await press(page, 'Enter');
    for (let left = 10; left > 0; left--) {
      await expect(panel).toContainText('2,500.00');
      await expect(panel.locator('.mantine-Loader-root')).toHaveCount(0);
      const isBad = await panel.getByText(t('risk.SLIPS_REFUSED', { count: '3' })).count();
      const id = await current(page).textContent();
      await press(page, isBad ? 'r' : 'a');
      await expect(dialog(page)).toBeVisible();
      if (isBad) {
        await press(page, 'Space');
        await press(page, 'Control+Enter');
      } else await press(page, 'Enter');
      await expect(dialog(page)).toHaveCount(0);
      if (left > 1) await expect.poll(() => current(page).textContent()).not.toBe(id);
    }
    await expect(notice(page)).toContainText(t('withdrawals.decided-APPROVE'));
  });
}

/** One of two members of that first name pays from an account that is not registered. */
async function creditMalee(env: TestEnv): Promise<void> {
  const malee = await newMember({ env, accountName: 'MALEE SRISUK' });
  await newMember({ env, accountName: 'MALEE SOMBOON' });
  await payAsMalee(777, env);
  const page = await openAs('finance', env, '/unmatched');
  await expect(page.getByRole('row').filter({ hasText: '777.00' })).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: t('nav.today') })).toBeVisible();
  await measure('credit the payment of MALEE S.', page, async () => {
    await goByKeys(page, 'u');
    await expect(page.getByRole('row').filter({ hasText: '777.00' })).toBeVisible();
    await press(page, 'j');
    await press(page, 'a');
    const box = dialog(page).getByRole('textbox').first();
    await expect(box).toBeFocused();
    await expect(dialog(page).getByRole('radio')).toHaveCount(2);
    await dialog(page).getByRole('radio').filter({ hasText: 'MALEE SRISUK' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('777.00');
    await dialog(page).getByLabel(t('field.reason')).click();
    await type(page, 'name and amount agree');
    await press(page, 'Control+Enter');
    await expect(notice(page)).toContainText(t('unmatched.assigned'));
  });
  const { wallet } = await call('GET /api/wallet', undefined, malee.token, env);
  expect(wallet.amount).toBe(777);
}

async function replyWhereMoneyIs(env: Place): Promise<void> {
  const member = await newMember({ balance: 3_000, env });
  const id = await withdraw(member, 2_500);
  const message = { message_type: 'text', payload: { message: 'ถอนไปแล้วยังไม่เข้าค่ะ' } };
  await call('POST /api/chat/send-message', { message }, member.token, env);
  const page = await openAs('support', env);
  await measure('answer where the money is', page, async () => {
    await goByKeys(page, 'z');
    await page.getByRole('button', { name: 'ถอนไปแล้วยังไม่เข้าค่ะ' }).click();
    await page
      .getByRole('complementary', { name: t('chats.beside') })
      .getByRole('link', { name: t('type.withdraw'), exact: true })
      .click();
    await expect(page.getByRole('complementary').filter({ hasText: id })).toContainText('2,500.00');
    await page.goBack();
    const box = page.getByRole('textbox', { name: t('chats.hint') });
    await box.click();
    await type(page, 'รายการกำลังรอตรวจสอบค่ะ');
    await press(page, 'Enter');
    const conversation = page.getByRole('region', { name: 'ทดสอบ ใจดี' });
    await expect(conversation.getByText('รายการกำลังรอตรวจสอบค่ะ')).toBeVisible();
  });
}

/** A deposit that the gateway's report leaves out. */
async function findDifference(): Promise<void> {
  const env = await startTestEnv((sandboxUrl) => ({ CLOCK_URL: `${sandboxUrl}/control/clock` }));
  try {
    const page = await openAs('finance-lead', env);
    const member = await newMember({ balance: 1_000, env });
    const { payload } = await call('POST /api/qrcode/WW', { amount: 300 }, member.token, env);
    const { payments } = await control('pay-qr', { payload }, env);
    const wallet = () => call('GET /api/wallet', undefined, member.token, env);
    await expect.poll(async () => (await wallet()).wallet.amount).toBe(1_300);
    await control('misprint', { party: 'ww', reference: payments[0].transRef }, env);
    await control('clock', { advanceMs: 5 * 60_000 }, env);
    await measure('find why the day’s cash differs', page, async () => {
      await goByKeys(page, 'c');
      await expect(page.getByText(t('recon.notYet'))).toBeVisible();
      await press(page, ']');
      await expect(page.getByLabel(t('recon.next'))).toBeDisabled();
      await page.getByRole('button', { name: t('recon.again') }).click();
      const list = page.getByRole('table', { name: t('recon.open') });
      await expect(list.getByText(t('difference.MISSING_THEIRS'))).toBeVisible();
      await press(page, 'j');
      await press(page, 'Enter');
      await expect(dialog(page)).toContainText('300.00');
      await type(page, 'the gateway reports it a day later');
      await press(page, 'Control+Enter');
      await expect(list.getByText(t('state.EXPLAINED'))).toBeVisible();
    });
  } finally {
    await env.stop();
  }
}

async function putUnderMaintenance(env: Place): Promise<void> {
  const page = await openAs('admin', env);
  await measure('put a game under maintenance', page, async () => {
    await goByKeys(page, 'y');
    await page.getByRole('button', { name: `${t('content.change')} River Sail` }).click();
    await dialog(page)
      .getByRole('combobox', { name: t('col.state') })
      .click();
    await page.getByRole('option', { name: t('games.choose-MAINTENANCE') }).click();
    await dialog(page).getByLabel(t('field.reason')).click();
    await type(page, 'provider works on it');
    await dialog(page)
      .getByRole('button', { name: t('channel.save') })
      .click();
    await expect(page.getByRole('row').filter({ hasText: 'River Sail' })).toContainText(
      t('games.is-MAINTENANCE'),
    );
  });
}

async function createBonus(env: Place): Promise<void> {
  const page = await openAs('marketing', env);
  await measure('create a bonus', page, async () => {
    await goByKeys(page, 'i');
    await page.getByRole('link', { name: t('bonus.add') }).click();
    await page.getByLabel(t('bonus.code')).click();
    await type(page, 'NOVEMBER50');
    for (const language of ['ไทย', 'ລາວ', 'English']) {
      await page.getByRole('tab', { name: language }).click();
      await page.getByLabel(t('bonus.title')).click();
      await type(page, 'First deposit');
      await page.getByLabel(t('bonus.description')).click();
      await type(page, '50% on top');
    }
    await page.getByRole('button', { name: t('bonus.publish') }).click();
    await expect(dialog(page).getByRole('textbox')).toBeFocused();
    await type(page, 'november');
    await press(page, 'Control+Enter');
    await expect(notice(page)).toContainText(t('approval.asked'));
  });
}

async function addGame(): Promise<void> {
  const env = await startTestEnv({ DEMO: 'false' });
  try {
    const page = await openAs('admin', env);
    await measure('add a game to an empty installation', page, async () => {
      await page.getByRole('link', { name: t('setup.game') }).click();
      await page.getByRole('button', { name: t('games.add') }).click();
      const form = dialog(page);
      const fill = async (label: string, text: string) => {
        await form.getByLabel(label).click();
        await type(page, text);
      };
      await fill(t('games.code'), 'tiger');
      await fill(t('games.nameIn', { language: 'ไทย' }), 'Tiger');
      const chooser = page.waitForEvent('filechooser');
      await form.getByRole('button', { name: t('banner.choosePicture') }).click();
      const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
      await (await chooser).setFiles({ name: 'tiger.png', mimeType: 'image/png', buffer });
      await expect(form.locator('img')).toBeVisible();
      await fill(t('games.agent'), 'betflix');
      await form.getByRole('button', { name: t('games.test') }).click();
      await expect(form.getByRole('status')).toContainText(t('games.tested-REACHED').split('{')[0]!.trim());
      await fill(t('field.reason'), 'first game');
      await form.getByRole('button', { name: t('games.add') }).click();
      await page.getByRole('button', { name: `${t('content.change')} Tiger` }).click();
      await dialog(page).getByLabel(t('col.state')).click();
      await page.getByRole('option', { name: t('games.choose-OPEN') }).click();
      await dialog(page).getByLabel(t('field.reason')).click();
      await type(page, 'opened');
      await dialog(page)
        .getByRole('button', { name: t('channel.save') })
        .click();
      await expect(page.getByRole('row').filter({ hasText: 'Tiger' })).toContainText(t('games.is-OPEN'));
    });
  } finally {
    await env.stop();
  }
}

const ERRANDS = { decideTen, creditMalee, replyWhereMoneyIs, putUnderMaintenance, createBonus };
const env = await startTestEnv();
try {
  for (const errand of Object.values(ERRANDS)) await errand(env);
} finally {
  await env.stop();
}
await findDifference();
await addGame();
await browser.close();
