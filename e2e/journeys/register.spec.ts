import { expect, type Page } from '@playwright/test';
import { admin, call, codeFor, inOwnEnv, type Place } from '../env-calls.ts';
import { checkScreen, checkScreenInAll, lastsFor } from '../member.ts';
import { newMember, newPerson, PASSWORD, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const t = (id: string) => textOf('en', id);

const next = (page: Page) => page.getByRole('button', { name: t('btn.next') });

async function typePhone(page: Page, phone: string): Promise<void> {
  await page.getByLabel(t('auth.phone')).fill(phone);
  await next(page).click();
}

const age = (page: Page) => page.getByLabel(textOf('en', 'register.age', { age: '20' }));

async function typeProfile(page: Page, password: string, again: string): Promise<void> {
  await page.getByLabel(t('auth.name'), { exact: true }).fill('ทดสอบ ใจดี');
  await page.getByLabel(t('auth.password'), { exact: true }).fill(password);
  await page.getByLabel(t('auth.confirmPassword'), { exact: true }).fill(again);
  await page.getByLabel(t('register.source')).selectOption('friend');
  await age(page).check();
}

const profileTitle = (page: Page) => page.getByRole('heading', { name: t('register.profileTitle') });
const bankTitle = (page: Page) => page.getByRole('heading', { name: t('register.bankTitle') });

const stored = (page: Page) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());

async function refuseTakenPhone(page: Page, env: Place): Promise<void> {
  const person = newPerson();
  await call(
    'POST /api/account',
    {
      name: 'ก',
      username: person.phone,
      password: 'x',
      sourceCode: 'friend',
      bankCode: 'KBANK',
      bankAccountName: 'SOMCHAI JAIDEE',
      bankAccountNo: person.accountNo,
    },
    null,
    env,
  );
  await typePhone(page, person.phone);
  await typeProfile(page, PASSWORD, PASSWORD);
  const shown = lastsFor(page, t('error.EXISTING_USER'));
  await next(page).click();
  const { ms, timersMs } = await shown;
  expect(ms).toBeGreaterThan(3500);
  expect(timersMs).toBeLessThan(5500);
  await expect(profileTitle(page)).toBeVisible();
}

test('nine digits stay on the first step, a wrong code on the second, and a proven number skips it', async ({
  browser,
}) => {
  const { phone } = newPerson();
  const page = await visit(browser, { language: 'en' });
  let codesSent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/otp/send')) codesSent++;
  });
  await page.goto('/register');
  await typePhone(page, phone.slice(0, 9));
  await expect(page.getByText(t('valid.phone10'))).toBeVisible();
  expect(codesSent).toBe(0);
  await typePhone(page, phone);
  const box = page.getByRole('textbox', { name: t('otp.enter') });
  await expect(box).toBeFocused();
  const code = await codeFor(phone);
  await box.pressSequentially(code === '111111' ? '222222' : '111111');
  await expect(page.getByText(t('error.OTP_CODE_INVALID'))).toBeVisible();
  await expect(box).toHaveValue('');
  await box.pressSequentially(code);
  await expect(profileTitle(page)).toBeVisible();
  await page.getByRole('button', { name: t('btn.back') }).click();
  await expect(page.getByLabel(t('auth.phone'))).toHaveValue(phone);
  await next(page).click();
  await expect(profileTitle(page)).toBeVisible();
});

async function refuseIncomplete(page: Page): Promise<void> {
  let requested = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/account/validate')) requested++;
  });
  const responses: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/account/validate')) responses.push(response.status());
  });
  await next(page).click();
  // What an earlier visit of this tab typed is still there, but for the passwords.
  await expect(page.getByLabel(t('auth.password'), { exact: true })).toBeFocused();
  await expect(page.getByText(t('valid.required'))).toHaveCount(2);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await typeProfile(page, PASSWORD, 'another');
  await next(page).click();
  await expect(page.getByText(t('valid.passwordMismatch'))).toBeVisible();
  expect(requested).toBe(0);
  await page.getByLabel(t('auth.confirmPassword'), { exact: true }).fill(PASSWORD);
  await age(page).uncheck();
  await next(page).click();
  await expect(page.getByText(t('register.ageNeeded'))).toBeVisible();
  expect(requested).toBe(0);
  await age(page).check();
  await expect(page.getByText(t('valid.passwordMismatch'))).toBeHidden();
  // It is above the button: a button that moves between press and release is not clicked.
  await expect(page.getByText(t('register.ageNeeded'))).toBeHidden();
  await expect(async () => {
    if (requested === 0) await next(page).click();
    await expect.poll(() => responses, { timeout: 10_000 }).toEqual([200]);
  }).toPass({ timeout: 60_000 });
  await expect(bankTitle(page)).toBeVisible();
}

/** The bank step with lower-case letters; returns the account number. */
async function registerBank(page: Page, accountNo: string): Promise<void> {
  const bank = page.getByLabel(t('bank.bank'), { exact: true });
  const first = bank.locator('optgroup').first();
  await expect(first).toHaveAttribute('label', t('bank.recommended'));
  expect(await first.locator('option').allTextContents()).toEqual(['Kasikornbank', 'Krungthai Bank']);
  await bank.selectOption('KTB');
  await page.getByLabel(t('bank.accountNo')).fill(accountNo);
  await page.getByLabel(t('bank.firstName')).fill('สมชาย');
  await page.getByLabel(t('bank.lastName')).fill('ใจดี');
  await page.getByRole('button', { name: t('auth.register') }).click();
  await expect(page.getByText(t('valid.bankNameEnglish'))).toHaveCount(2);
  await page.getByLabel(t('bank.firstName')).fill('  som ');
  await page.getByLabel(t('bank.lastName')).fill(' chai ');
  await expect(page.getByLabel(t('bank.lastName'))).toHaveValue(' CHAI ');
  const stayed = lastsFor(page, t('register.success'), 'page');
  await page.getByRole('button', { name: t('auth.register') }).click();
  const { ms, timersMs } = await stayed;
  expect(ms).toBeGreaterThan(1500);
  expect(timersMs).toBeLessThan(4000);
  await page.waitForURL('**/login');
}

/** From the login page to a new password, with the code that is sent to the phone. */
async function forgetPassword(page: Page, phone: string, env: Place): Promise<void> {
  await page.getByRole('link', { name: t('login.forgot') }).click();
  await page.waitForURL('**/forgot');
  await typePhone(page, phone.slice(0, 9));
  await expect(page.getByText(t('valid.phone10'))).toBeVisible();
  await checkScreen(page, 'forgotten password phone');
  await typePhone(page, phone);
  const box = page.getByRole('textbox', { name: t('otp.enter') });
  await expect(box).toBeVisible();
  await expect(page.getByRole('timer')).toContainText(/0(1:5\d|2:00)$/);
  await checkScreen(page, 'forgotten password code');
  await box.pressSequentially(await codeFor(phone, env));
  const save = page.getByRole('button', { name: t('btn.save') });
  await page.getByLabel(t('profile.newPassword'), { exact: true }).fill('a new password');
  await page.getByLabel(t('profile.confirmPassword')).fill('another');
  await save.click();
  await expect(page.getByText(t('valid.passwordMismatch'))).toBeVisible();
  await page.getByLabel(t('profile.confirmPassword')).fill('a new password');
  await checkScreen(page, 'forgotten password new');
  await save.click();
  await expect(page.getByText(t('forgot.done'))).toBeVisible();
  await page.waitForURL('**/login');
}

/** Only the new password is accepted, and the device that was logged in shows the login page. */
async function enterAnew(page: Page, old: Page, phone: string): Promise<void> {
  // The socket may have notified the old device before it makes a call.
  const home = old.getByRole('link', { name: t('nav.home') });
  await home.click({ timeout: 2000 }).catch(() => undefined);
  await old.waitForURL('**/login');
  const password = page.getByLabel(t('auth.password'), { exact: true });
  const enter = page.getByRole('button', { name: t('auth.login') });
  await page.getByLabel(t('auth.phone')).fill(phone);
  await password.fill(PASSWORD);
  await enter.click();
  await expect(page.getByText(t('error.WRONG_CREDENTIAL'))).toBeVisible();
  await password.fill('a new password');
  await enter.click();
  await page.waitForURL('**/user/home');
}

test('without OTP the first step leads to the third; a forgotten password is set again by a code', async ({
  browser,
}) => {
  await inOwnEnv({}, async (env) => {
    await admin(['setting', 'set', 'register.otp', 'false'], env);
    await admin(['setting', 'set', 'otp.minutes', '2'], env);
    await admin(['source', 'add', 'radio', 'วิทยุ', 'ວິທະຍຸ', 'The radio'], env);
    const { phone, accountNo } = newPerson();
    const page = await visit(browser, { language: 'en', env });
    await page.goto('/register');
    await refuseTakenPhone(page, env);
    await page.goto('/register?code=PR41');
    await typePhone(page, phone);
    await expect(page.getByLabel(t('invite.code'))).toHaveValue('PR41');
    await expect(page.getByLabel(t('invite.code'))).toBeEditable();
    // Opening the link is enough: the code is stored for a visitor who leaves before the first step.
    await page.goto('/register?code=PR42');
    // The page shows before the script that stores it runs.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('code'))).toBe('PR42');
    await page.goto('/login');
    // Without the list of sources the step cannot be completed: a retry is offered in its place.
    await page.route('**/api/lookup/sources', (route) => route.abort());
    await page.goto('/register');
    await typePhone(page, phone);
    await expect(profileTitle(page)).toBeVisible();
    const retry = page.getByRole('button', { name: t('btn.retry') });
    await expect(retry).toBeVisible();
    await checkScreenInAll(page, 'register without sources');
    await page.unroute('**/api/lookup/sources');
    await retry.click();
    await expect(retry).toHaveCount(0);
    await page.route('**/api/lookup/banks', (route) => route.abort());
    await expect(page.getByLabel(t('invite.code'))).toHaveValue('PR42');
    await expect(page.getByLabel(t('invite.code'))).not.toBeEditable();
    expect(await stored(page)).toEqual(['code', 'locale', 'registration']);
    await expect(page.getByLabel(t('register.source'))).toContainText('The radio');
    await refuseIncomplete(page);
    await expect(retry).toBeVisible();
    await page.unroute('**/api/lookup/banks');
    await retry.click();
    await registerBank(page, accountNo);
    const { token } = await call('POST /api/login', { username: phone, password: PASSWORD }, null, env);
    const member = await visit(browser, { language: 'en' }, { phone, accountNo, token, env });
    await member.goto('/user/profile');
    await expect(member.getByText('SOM CHAI', { exact: true })).toBeVisible();
    const grouped = `${accountNo.slice(0, 3)}-${accountNo.slice(3, 6)}-${accountNo.slice(6)}`;
    await expect(member.getByText(grouped)).toBeVisible();
    await forgetPassword(page, phone, env);
    await enterAnew(page, member, phone);
    for (const one of [page, member]) await one.context().close();
  });
});

test('the code is read on the sandbox phone, and the last step refuses a taken account', async ({
  browser,
}) => {
  const taken = await newMember();
  const person = newPerson();
  const page = await visit(browser, { language: 'en', theme: 'dark' });
  await page.goto('/register');
  await typePhone(page, person.phone);
  const box = page.getByRole('textbox', { name: t('otp.enter') });
  await expect(box).toBeVisible();
  await checkScreen(page, 'register code dark');
  const phone = await browser.newPage();
  await phone.goto(`${process.env.TEST_ENV_SANDBOX_URL}/?lang=en`);
  const spaced = `${person.phone.slice(0, 3)} ${person.phone.slice(3, 6)} ${person.phone.slice(6)}`;
  await phone.locator('#people').getByRole('link').filter({ hasText: spaced }).click();
  const shown = phone.locator('#inbox .code');
  await expect(shown).toHaveText(/^\d{3} \d{3}$/);
  await box.pressSequentially((await shown.innerText()).replace(' ', ''));
  await typeProfile(page, PASSWORD, PASSWORD);
  await checkScreen(page, 'register profile dark');
  await next(page).click();
  await expect(page.getByLabel(t('bank.accountNo'))).toBeVisible();
  // Only the Lao build has a choice of currencies.
  for (const currency of ['currency.kipName', 'currency.bahtName'])
    await expect(page.getByRole('radio', { name: t(currency) })).toHaveCount(0);
  await page.getByLabel(t('bank.bank'), { exact: true }).selectOption('KBANK');
  await page.getByLabel(t('bank.accountNo')).fill(taken.accountNo);
  await page.getByLabel(t('bank.firstName')).fill('som');
  await page.getByLabel(t('bank.lastName')).fill('chai');
  await page.getByRole('button', { name: t('auth.register') }).click();
  await expect(page.getByText(t('error.EXISTING_BANK'))).toBeVisible();
  await expect(bankTitle(page)).toBeVisible();
  await checkScreen(page, 'register bank dark');
});
