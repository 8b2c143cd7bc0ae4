import { KYC_DOCUMENTS } from '@krapao/contract/shared';
import { expect, type Locator, type Page } from '@playwright/test';
import type { MemberPath } from '../../apps/web/src/app/routes.ts';
import type { SheetName } from '../../apps/web/src/platform/sheet-state.ts';
import { launcher, log, openChat } from '../chat.ts';
import { call, operatorCall } from '../env-calls.ts';
import { checkScreenInAll as checkPage, checkSheetInAll as checkSheet } from '../member.ts';
import { type BrowserSettings, type Member, newMember, playMoney, visit } from '../new-member.ts';
import { makeSlip, submitSlip } from '../slips.ts';
import { test } from '../test.ts';
import { type Language, textOf } from '../texts.ts';

/** Each looks is walked in one language, and every screen of it looked at in all. */
const BROWSERS: Record<string, BrowserSettings & { language: Language }> = {
  'at 320 px in the dark': { device: 'small', theme: 'dark', language: 'la' },
  'on a desktop': { device: 'desktop', language: 'en' },
};

/** Where each sheet of the app is looked at: a new one has to be given its place. */
const PLACES = {
  account: 'others',
  agreement: 'others',
  banner: 'content.spec.ts',
  bonus: 'home',
  exclusion: 'others',
  close: 'others',
  conditions: 'others',
  data: 'others',
  deposit: 'home',
  devices: 'others',
  howto: 'howto.spec.ts',
  invite: 'home',
  kyc: 'others',
  limit: 'others',
  notifications: 'home',
  password: 'others',
  pin: 'others',
  promotion: 'others',
  push: 'home',
  receipt: 'others',
  refund: 'home',
  slips: 'home',
  slot: 'others',
  transfer: 'home',
  wheel: 'home',
  withdraw: 'home',
} as const satisfies Record<SheetName, string>;

/** The same of each page of a member. */
const PAGES = {
  '/user/home': 'home',
  '/user/statement': 'home',
  '/user/profile': 'home',
  '/user/bonus': 'home',
  '/user/limits': 'home',
  '/user/contact': 'main-path.spec.ts',
} as const satisfies Record<MemberPath, string>;

const looked = new WeakMap<Page, Set<string>>();

function note(page: Page, name: string): void {
  looked.set(page, (looked.get(page) ?? new Set()).add(name));
}

/** Looks at the page in every language and notes its path. */
async function checkScreenInAll(page: Page, name: string): Promise<void> {
  await checkPage(page, name);
  note(page, new URL(page.url()).pathname);
}

/** Looks at the open sheet in every language and notes its name. */
async function checkSheetInAll(page: Page, name: string): Promise<void> {
  await checkSheet(page, name);
  note(page, await page.evaluate(() => history.state?.sheet));
}

/** Fails for a page or sheet that has its place here and was not looked at. */
function expectAll(page: Page, place: 'home' | 'others'): void {
  const missing = Object.entries({ ...PLACES, ...PAGES }).filter(
    ([name, its]) => its === place && !looked.get(page)?.has(name),
  );
  expect(missing, 'pages and sheets not looked at').toEqual([]);
}

/** The member's pages, as they go to them: loading each again would take longer than looking at it. */
function ways(page: Page, language: Language) {
  const t = (id: string) => textOf(language, id);
  const main = page.getByRole('main');
  const menu = page.getByRole('navigation', { name: t('shell.menu') });
  const go = async (label: string, address: string) => {
    await menu.getByRole('link', { name: t(label), exact: true }).click();
    await expect(page).toHaveURL(address);
  };
  const press = async (id: string, address: string) => {
    await main
      .getByRole('button')
      .filter({ hasText: t(id) })
      .first()
      .click();
    await expect(page).toHaveURL(address);
  };
  return {
    statement: () => go('statement.nav', '/user/statement'),
    profile: () => go('nav.profile', '/user/profile'),
    async bonus() {
      await go('nav.home', '/user/home');
      await press('bonus.bonus', '/user/bonus');
    },
    async limits() {
      await go('nav.profile', '/user/profile');
      await press('limit.page', '/user/limits');
    },
  };
}

/** Runs in the page: the places of the next sheet's upper edge in its first frames. */
async function edgesOfSheet(): Promise<number[]> {
  const edges = new Set<number>();
  for (let frames = 0; frames < 10; ) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const sheet = document.querySelector('dialog[open]');
    if (!sheet) continue;
    edges.add(Math.round(sheet.getBoundingClientRect().top));
    frames++;
  }
  return [...edges];
}

async function checkSheets(page: Page, language: Language): Promise<void> {
  const t = (id: string, values?: Record<string, string>) => textOf(language, id, values);
  const sheet = page.getByRole('dialog');
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  };
  const edges = page.evaluate(edgesOfSheet);
  await page.getByRole('button', { name: t('transfer.title'), exact: true }).click();
  // Without motion it has one position only, so that a press hits what was visible.
  expect(await edges).toHaveLength(1);
  await checkSheetInAll(page, 'transfer');
  await close();
  const openDeposit = () => page.getByRole('button', { name: t('deposit.tile'), exact: true }).click();
  const channel = (text: string) => sheet.getByRole('button').filter({ hasText: text });
  await openDeposit();
  await expect(channel(t('deposit.giftTab'))).toBeVisible();
  await checkSheetInAll(page, 'deposit channels');
  await channel(t('deposit.giftTab')).click();
  await expect(sheet.getByRole('textbox')).toBeVisible();
  await checkSheetInAll(page, 'gift link');
  await close();
  await openDeposit();
  await channel(t('slip.afterTransfer')).click();
  await expect(sheet.getByText(t('slip.choose'))).toBeVisible();
  await checkSheetInAll(page, 'slip');
  await close();
  await openDeposit();
  await channel(t('deposit.anyBankApp')).click();
  await page.getByRole('button', { name: '500', exact: true }).click();
  await sheet.locator('button[type=submit]').click();
  await expect(page.getByRole('timer')).toBeVisible();
  await checkSheetInAll(page, 'deposit QR');
  await close();
  await page.getByRole('button', { name: t('withdraw.tile'), exact: true }).click();
  await expect(page.getByText(t('withdraw.amount'), { exact: true })).toBeVisible();
  await checkSheetInAll(page, 'withdraw');
  await close();
  await page.getByRole('button', { name: t('invite.title'), exact: true }).click();
  await expect(sheet).toContainText(t('invite.empty'));
  await checkSheetInAll(page, 'invite');
  await close();
  await page.getByRole('button', { name: t('refund.title'), exact: true }).click();
  await expect(sheet).toContainText(t('refund.empty'));
  await checkSheetInAll(page, 'refund');
  await close();
  await page
    .getByRole('main')
    .getByRole('button', { name: t('notify.title') })
    .click();
  await expect(sheet.getByText(t('notify.deposit'))).toBeVisible();
  await checkSheetInAll(page, 'notifications');
  await sheet.getByRole('button', { name: t('push.title') }).click();
  await expect(sheet.getByRole('switch', { name: t('push.hides') })).toBeVisible();
  await checkSheetInAll(page, 'alerts');
  await close();
}

/** The wheel and the place of coupons before any was won. */
async function checkWheel(page: Page, language: Language): Promise<void> {
  const t = (id: string) => textOf(language, id);
  await page.getByRole('button', { name: t('wheel.spin'), exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText(t('coupon.none'));
  await checkSheetInAll(page, 'wheel');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** The list of slips with one that was refused. */
async function checkSlips(page: Page, member: Member, language: Language): Promise<void> {
  await submitSlip(member, await makeSlip(member, { kind: 'wrong-receiver', amount: '45678.00' }));
  await page.getByRole('button', { name: textOf(language, 'slip.status') }).click();
  const note = textOf(language, 'error.INVALID_DESTINATION_ACCOUNT');
  await expect(page.getByRole('dialog')).toContainText(note);
  await checkSheetInAll(page, 'slips');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** What a member sees most, each page as it looks once its data is there. */
async function walk(page: Page, member: Member, language: Language): Promise<void> {
  const t = (id: string) => textOf(language, id);
  const to = ways(page, language);
  await page.goto('/user/home');
  await expect(page.getByLabel(t('money.total'))).toContainText('1,204.50');
  await checkScreenInAll(page, 'home');
  await checkSheets(page, language);
  await checkWheel(page, language);
  await to.statement();
  await expect(page.getByRole('main').locator('section').getByRole('button').nth(1)).toBeVisible();
  await checkScreenInAll(page, 'statement');
  await page.getByRole('button', { name: t('statement.filter'), exact: true }).click();
  await checkScreenInAll(page, 'statement filter');
  await checkSlips(page, member, language);
  await to.profile();
  const account = member.accountNo.replace(/^(\d{3})(\d{3})/, '$1-$2-');
  await expect(page.getByText(account)).toBeVisible();
  await checkScreenInAll(page, 'profile');
  await to.bonus();
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await checkScreenInAll(page, 'bonuses');
  await page.getByRole('listitem').first().getByRole('button').click();
  await expect(page.getByRole('dialog').getByText(t('bonus.lock'))).toBeVisible();
  await checkSheetInAll(page, 'bonus');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await to.limits();
  await expect(page.getByText(t('limit.timeoutLead'))).toBeVisible();
  await checkScreenInAll(page, 'limits');
}

/** An operator requests every kind of document. */
async function requestDocuments({ token, env }: Member): Promise<void> {
  const { _id: id } = (await call('GET /api/account/profile', undefined, token, env)).profile;
  const seen = { round: 0, state: null };
  const body = { seen, documents: KYC_DOCUMENTS, reason: 'a journey' };
  await operatorCall(`members/${id}/kyc/request`, body, env, env.staff?.maker);
}

/** Every sheet that no tile of home opens, at its own place. */
async function checkOtherSheets(page: Page, language: Language): Promise<void> {
  const t = (id: string) => textOf(language, id);
  const sheet = page.getByRole('dialog');
  const main = page.getByRole('main');
  const to = ways(page, language);
  const row = (id: string) =>
    main
      .getByRole('button')
      .filter({ hasText: t(id) })
      .first();
  const look = async (name: string, button: Locator) => {
    await button.click();
    await checkSheetInAll(page, name);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  };
  await to.statement();
  await look('receipt', main.locator('section').getByRole('button').nth(1));
  await look('conditions', page.getByRole('button', { name: t('nav.conditions') }));
  await to.bonus();
  await page.getByLabel(t('promo.prompt')).fill('FRIEND100');
  await look('promotion', main.getByRole('button', { name: t('promo.search'), exact: true }));
  await to.limits();
  for (const id of ['limit.day', 'limit.reminder', 'limit.timeoutLead']) await look(id, row(id));
  await to.profile();
  await look('password', main.getByRole('button', { name: t('profile.changePassword') }));
  for (const id of ['kyc.title', 'profile.changeAccount', 'device.title', 'pin.title'])
    await look(id, row(id));
  await row('data.title').click();
  await checkSheetInAll(page, 'data');
  await look('close', sheet.getByRole('button').filter({ hasText: t('close.title') }));
  await page.evaluate(() => localStorage.removeItem('remember-agreement'));
  await page.goto('/user/home');
  await expect(sheet).toContainText(t('agree.title'));
  await checkSheetInAll(page, 'agreement');
  await sheet.getByRole('button', { name: t('agree.accept') }).click();
  await expect(sheet).toHaveCount(0);
  await look('game', page.getByRole('button', { name: 'Lantern Night' }));
  await openChat(page, language);
  await expect(log(page)).toContainText(t('chat.hello'));
  await checkScreenInAll(page, 'chat');
}

for (const [name, settings] of Object.entries(BROWSERS)) {
  const { language } = settings;
  test(`login, pages and home's sheets fit and read well ${name}, in every language`, async ({ browser }) => {
    const member = await newMember({ balance: 1204.5 });
    await playMoney(member, 'areaslot', 300);
    const login = await visit(browser, settings);
    await login.goto('/login');
    await expect(login.getByRole('heading', { name: textOf(language, 'auth.login') })).toBeVisible();
    await expect(launcher(login, language)).toBeVisible();
    await checkScreenInAll(login, 'login');
    await login.getByLabel(textOf(language, 'auth.phone')).fill('0800000000');
    await login.getByLabel(textOf(language, 'auth.password'), { exact: true }).fill('wrong');
    await login.getByRole('button', { name: textOf(language, 'auth.login'), exact: true }).click();
    await expect(login.getByText(textOf(language, 'error.WRONG_CREDENTIAL'))).toBeVisible();
    await checkScreenInAll(login, 'login error');
    await login.context().close();
    const page = await visit(browser, settings, member);
    await walk(page, member, language);
    expectAll(page, 'home');
    await page.context().close();
  });

  test(`all other sheets fit and read well ${name}, in every language`, async ({ browser }) => {
    const member = await newMember({ balance: 1204.5 });
    await playMoney(member, 'areaslot', 300);
    await requestDocuments(member);
    const page = await visit(browser, settings, member);
    await page.goto('/user/home');
    await checkOtherSheets(page, language);
    expectAll(page, 'others');
    await page.context().close();
  });
}
