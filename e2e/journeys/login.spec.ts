import { expect } from '@playwright/test';
import { log, openChat, write } from '../chat.ts';
import { admin, call } from '../env-calls.ts';
import { checkScreen, checkSheet } from '../member.ts';
import { newMember, newPerson, PASSWORD, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const th = (id: string) => textOf('th', id);

test('an empty field sends nothing, and an error goes with the next key', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser);
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/login')) sent++;
  });
  await page.goto('/login');
  const phone = page.getByLabel(th('auth.phone'));
  const password = page.getByLabel(th('auth.password'), { exact: true });
  const button = page.getByRole('button', { name: th('auth.login') });
  await button.click();
  await phone.fill(member.phone);
  await button.click();
  await phone.fill('');
  await password.fill('x');
  await button.click();
  await expect(phone).toBeFocused();
  expect(sent).toBe(0);
  await phone.fill(member.phone);
  await button.click();
  const error = page.getByText(th('error.WRONG_CREDENTIAL'));
  await expect(error).toBeVisible();
  await checkScreen(page, 'login refused');
  await password.press('y');
  await expect(error).toBeHidden();
  await password.fill(PASSWORD);
  await button.click();
  await page.waitForURL('**/user/home');
});

test('the login shows its ways to register and to other languages', async ({ browser }) => {
  const page = await visit(browser);
  await page.goto('/login');
  await page.getByRole('button', { name: /ไทย/ }).click();
  await page.getByRole('button', { name: 'ລາວ', exact: true }).click();
  await expect(page.getByRole('heading', { name: textOf('la', 'auth.login') })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: textOf('la', 'auth.login') })).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('link', { name: textOf('la', 'auth.register') })
    .click();
  await page.waitForURL('**/register');
});

test('input submitted before the script runs is stored, and sent when it runs', async ({ browser }) => {
  const person = newPerson();
  const page = await visit(browser);
  let release = () => {};
  const held = new Promise<void>((resume) => {
    release = resume;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'domcontentloaded' });
  await page.getByLabel(th('auth.phone')).fill(person.phone);
  await page.getByLabel(th('auth.password'), { exact: true }).fill('typed early');
  await page.getByRole('button', { name: th('auth.login') }).click();
  release();
  await expect(page.getByLabel(th('auth.phone'))).toHaveValue(person.phone);
  await expect(page.getByText(th('error.WRONG_CREDENTIAL'))).toBeVisible();
  expect(page.url()).not.toContain('typed');
});

test('a suspended member reads so at the login and on any call', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, {}, member);
  await page.goto('/user/home');
  await expect(page.getByText(th('money.total')).first()).toBeVisible();
  await admin(['member', 'suspend', member.phone, 'a test']);
  await expect(call('GET /api/wallet', undefined, member.token, member.env)).rejects.toThrow('INACTIVE_USER');
  const visitor = await visit(browser);
  await visitor.goto('/login');
  await visitor.getByLabel(th('auth.phone')).fill(member.phone);
  await visitor.getByLabel(th('auth.password'), { exact: true }).fill(PASSWORD);
  await visitor.getByRole('button', { name: th('auth.login') }).click();
  await expect(visitor.getByText(th('error.INACTIVE_USER'))).toBeVisible();
  // The chat already contains the reference of the refusal.
  await visitor.getByRole('button', { name: th('chat.aboutThis') }).click();
  await expect(visitor.getByRole('textbox', { name: th('chat.placeholder') })).toHaveValue(
    /ER-[0-9A-Z]{7} $/,
  );
  await page.goto('/user/home');
  await expect(page.getByText(th('error.INACTIVE_USER')).first()).toBeVisible();
  await expect(page.getByText(/ER-[0-9A-Z]{7}/).first()).toBeVisible();
  // Support is reached from the page that says so.
  const sent = page.waitForResponse((response) => response.url().endsWith('/api/chat/send-message'));
  await openChat(page, 'th');
  await write(page, 'th', 'ทำไมบัญชีถูกระงับ');
  expect((await sent).status()).toBe(200);
  await expect(log(page).getByText('ทำไมบัญชีถูกระงับ')).toBeVisible();
});

test('the agreement appears once, and again until it is accepted', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, {}, member);
  // The login page would end the session as it comes to life.
  await page.goto('/icon.svg');
  await page.evaluate(() => localStorage.removeItem('remember-agreement'));
  await page.goto('/user/home');
  await expect(page.getByText(th('money.total')).first()).toBeVisible();
  await expect(page.getByRole('dialog')).toBeVisible();
  // The page is visible for 1.5 s before the prompt.
  expect(await page.evaluate(() => performance.now())).toBeGreaterThan(1500);
  await checkSheet(page, 'agreement');
  // Nothing has been touched since the page opened: the browser closes the dialog without an event that can be cancelled.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await page.evaluate(() => history.state?.sheet)).toBeUndefined();
  await page.reload();
  await page.getByRole('button', { name: th('agree.accept') }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await expect(page.getByText(th('money.total')).first()).toBeVisible();
  const cameBack = page.getByRole('dialog').waitFor({ timeout: 3000 });
  await expect(cameBack).rejects.toThrow();
});

test('a sheet holds the page behind it still, closes by Escape and the back gesture, and gives the focus back', async ({
  browser,
}) => {
  const member = await newMember();
  const page = await visit(browser, { device: 'desktop', language: 'en' }, member);
  await page.setViewportSize({ width: 1000, height: 400 });
  await page.goto('/user/home');
  const tile = page.getByRole('button', { name: textOf('en', 'deposit.tile'), exact: true });
  const dialog = page.getByRole('dialog');
  for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await tile.focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    const before = await page.evaluate(() => scrollY);
    await page.mouse.move(5, 200);
    await page.mouse.wheel(0, 600);
    await page.keyboard.press('PageDown');
    expect(await page.evaluate(() => scrollY)).toBe(before);
    await leave();
    await expect(dialog).toHaveCount(0);
    await expect(tile).toBeFocused();
  }
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
});

test('a sheet follows the finger: a short pull lets it spring back, a long one and a throw close it', async ({
  browser,
}) => {
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  await page.goto('/user/home');
  const tile = page.getByRole('button', { name: textOf('en', 'deposit.tile'), exact: true });
  const dialog = page.getByRole('dialog');
  const top = () => dialog.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const devtools = await page.context().newCDPSession(page);
  /**
   * Pulls the open sheet's head down in steps; a pull that pauses at its end is not a fling. Each event carries its
   * own time, so the speed of a pull does not depend on how busy the machine is.
   */
  const pull = async (distance: number, isThrown: boolean) => {
    const from = await top();
    const start = Date.now() - 1000;
    const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', y: number, ms: number) =>
      devtools.send('Input.dispatchMouseEvent', {
        type,
        x: 150,
        y: from + 24 + y,
        button: 'left',
        buttons: type === 'mouseReleased' ? 0 : 1,
        clickCount: type === 'mouseMoved' ? 0 : 1,
        timestamp: (start + ms) / 1000,
      });
    await send('mousePressed', 0, 0);
    for (const step of [1, 2, 3, 4]) await send('mouseMoved', (distance * step) / 4, step * 16);
    expect(await top()).toBe(from + distance);
    if (!isThrown) await send('mouseMoved', distance + 1, 500);
    await send('mouseReleased', distance, isThrown ? 70 : 510);
  };
  for (const [distance, isThrown] of [
    [450, false],
    [120, true],
  ] as const) {
    await tile.click();
    await expect(dialog.getByText(textOf('en', 'deposit.giftTab')).first()).toBeVisible();
    const rest = await top();
    await pull(60, false);
    await expect.poll(top).toBe(rest);
    await pull(distance, isThrown);
    await expect(dialog).toHaveCount(0);
    await expect(tile).toBeFocused();
    expect(await page.evaluate(() => history.state?.sheet)).toBeUndefined();
  }
});
