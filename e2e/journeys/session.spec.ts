import { type Browser, expect, type Page } from '@playwright/test';
import { log, write } from '../chat.ts';
import { admin, call, inOwnEnv, sharedEnv } from '../env-calls.ts';
import { checkScreenInAll, logIn } from '../member.ts';
import { newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const th = (id: string, values?: Record<string, string>) => textOf('th', id, values);

const storageNames = (page: Page) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());

const tokens = (page: Page) =>
  page.evaluate(() => [localStorage.getItem('token'), sessionStorage.getItem('token')]);

/** Where a visitor without anything stored ends. */
async function landing(browser: Browser, path: string): Promise<{ path: string; title: string }> {
  const page = await visit(browser);
  await page.goto(path);
  await expect(page.locator('h1').first()).toBeVisible();
  const found = { path: new URL(page.url()).pathname, title: await page.title() };
  await page.context().close();
  return found;
}

test('addresses lead where they should, and a reload stays there', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, {}, member);
  await page.goto('/');
  await page.waitForURL('**/user/home');
  await expect(page.getByText(th('money.total')).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(th('money.total')).first()).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/user/home');
  for (const path of ['profile', 'bonus', 'statement', 'contact']) {
    await page.goto(`/user/${path}`);
    const heading = page.locator('main h1, main h2').first();
    await expect(heading).toBeVisible();
    const bar = await page.locator('header').first().boundingBox();
    const box = await heading.boundingBox();
    expect(box!.y, `${path} is below the bar`).toBeGreaterThanOrEqual(bar!.y + bar!.height);
  }
});

test('visitors see public pages, are sent to the login from member pages, and find dead ends', async ({
  browser,
}) => {
  for (const path of ['/login', '/register', '/howto', '/contact'])
    expect((await landing(browser, path)).path).toBe(path);
  expect((await landing(browser, '/user/statement')).path).toBe('/login');
  expect(await landing(browser, '/nope')).toEqual({ path: '/nope', title: 'Page Not Found' });
  expect(await landing(browser, '/terminated')).toEqual({ path: '/terminated', title: 'Page not found' });
});

test('the public menu leads to its four pages, and the public shell leaves a session behind', async ({
  browser,
}) => {
  const member = await newMember();
  const page = await visit(browser, {}, member);
  await page.goto('/login');
  await expect.poll(() => tokens(page)).toEqual([null, null]);
  for (const [label, path] of [
    ['nav.register', '/register'],
    ['nav.howto', '/howto'],
    ['nav.contact', '/contact'],
    ['nav.home', '/login'],
  ] as const) {
    const link = page.getByRole('navigation').getByRole('link', { name: th(label), exact: true });
    const box = await link.boundingBox();
    expect(box!.height).toBeGreaterThanOrEqual(44);
    await link.click();
    await page.waitForURL(`**${path}`);
  }
});

test('languages change at once, and only what is allowed is stored', async ({ browser }) => {
  const member = await newMember({ balance: 50 });
  const page = await visit(browser, {}, member);
  const calls: Record<string, string | undefined>[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.headers());
  });
  await page.goto('/user/home');
  await page.getByRole('button', { name: /ไทย/ }).click();
  await expect(page.getByRole('button', { name: 'ไทย', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'ລາວ', exact: true }).click();
  await expect(page.getByText(textOf('la', 'money.total')).first()).toBeVisible();
  const language = async () => (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`);
  expect(await language()).toEqual(['language=LA']);
  await page.getByRole('button', { name: /ລາວ/ }).click();
  await page.getByRole('button', { name: 'ไทย', exact: true }).click();
  await expect(page.getByText(th('money.total')).first()).toBeVisible();
  expect(await language()).toEqual(['language=TH']);
  await page.getByRole('button', { name: /ไทย/ }).click();
  // Texts of the server are read again: the provider's name, and news.
  // The one for the language before may still be on its way.
  const again = page.waitForRequest(
    async (request) =>
      request.url().endsWith('/api/home/banners') &&
      (await request.allHeaders()).cookie!.includes('language=EN'),
  );
  await page.getByRole('button', { name: 'English', exact: true }).click();
  await expect(page.getByText(textOf('en', 'money.total')).first()).toBeVisible();
  await again;
  await expect(page.locator('header')).toContainText('Krapao');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByRole('button', { name: textOf('en', 'money.refresh') }).click();
  await expect.poll(() => storageNames(page)).toEqual(['last_sync', 'locale', 'remember-agreement', 'token']);
  expect(await language()).toEqual(['language=EN']);
  for (const headers of calls) {
    expect(headers.authorization).toBe(`Bearer ${member.token}`);
    expect(headers['x-requested-with']).toBe('wallet-user');
  }
  expect(calls.length).toBeGreaterThan(3);
  await page.getByRole('button', { name: textOf('en', 'auth.logout') }).click();
  await page.waitForURL('**/login');
  expect(await tokens(page)).toEqual([null, null]);
  // The page does not wait for the server's response.
  await expect(async () => {
    await expect(call('GET /api/wallet', undefined, member.token, member.env)).rejects.toThrow(
      'INVALID_USER_2',
    );
  }).toPass();
});

test("the conditions are exactly the server's", async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, {}, member);
  const { conditions } = await call('GET /api/lookup/conditions', undefined, null, sharedEnv());
  await page.goto('/user/home');
  await page.getByRole('button', { name: th('nav.conditions') }).click();
  const cards = page.getByRole('dialog').locator('section');
  await expect(cards).toHaveCount(conditions.length);
  const plain = await page.evaluate(
    (list: string[]) =>
      list.map((markup) => new DOMParser().parseFromString(markup, 'text/html').body.textContent),
    conditions,
  );
  // But for the invisible marks that hold words together.
  const drawn = await cards.evaluateAll((all) =>
    all.map((card) => card.textContent.replaceAll('\u2060', '')),
  );
  expect(drawn).toEqual(plain);
});

test('remember-me outlives the browser session, a login without it does not', async ({ browser }) => {
  const member = await newMember();
  for (const remember of [false, true]) {
    const page = await visit(browser);
    await logIn(page, 'th', member.phone, { remember });
    const [lasting, passing] = await tokens(page);
    expect([lasting !== null, passing !== null]).toEqual([remember, !remember]);
    // What a browser keeps over its end is its cookies and its local storage.
    const kept = await page.context().storageState();
    await page.context().close();
    const later = await (await browser.newContext({ storageState: kept, locale: 'th' })).newPage();
    await later.goto(`${sharedEnv().url}/user/home`);
    await later.waitForURL(remember ? '**/user/home' : '**/login');
    await later.context().close();
  }
});

test('an ended session lands on the login with its next call', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, {}, member);
  await page.goto('/user/home');
  await expect(page.getByText(th('money.total')).first()).toBeVisible();
  await admin(['session', 'end', member.phone]);
  // The socket may have delivered it before the press.
  await page
    .getByRole('button', { name: th('money.refresh') })
    .click({ timeout: 2000 })
    .catch(() => undefined);
  await page.waitForURL('**/login');
  expect(await tokens(page)).toEqual([null, null]);
});

test('an ended service and new names reach the member without a release', async ({ browser }) => {
  await inOwnEnv({}, async (env) => {
    const member = await newMember({ env });
    const page = await visit(browser, { env }, member);
    await page.goto('/user/home');
    await admin(['content', 'set', 'info', 'th', '{"name":"ตลาดเช้า","website":"https://a.test"}'], env);
    await page.reload();
    const site = page.locator('header').getByRole('link', { name: 'ตลาดเช้า' });
    await expect(site).toHaveAttribute('href', 'https://a.test');
    await expect(site).toHaveAttribute('target', '_blank');
    await expect(site).toHaveAttribute('rel', /noopener/);
    await checkScreenInAll(page, 'home with a website');
    await admin(['content', 'set', 'info', 'th', '{"name":"ตลาดเช้า","website":""}'], env);
    await page.reload();
    await expect(page.locator('header').getByText('ตลาดเช้า').first()).toBeVisible();
    await expect(site).toHaveCount(0);
    await page.goto('/user/contact');
    await expect(page.getByText('1.1.14')).toBeVisible();
    await admin(['setting', 'set', 'service.terminated', '"gone"'], env);
    const visitor = await visit(browser, { env });
    await visitor.goto('/login');
    await visitor.waitForURL('**/terminated');
    await expect(visitor).toHaveTitle('Page not found');
    // A member with money left can still withdraw it.
    await visitor.getByRole('button', { name: textOf('th', 'contact.chatHere') }).click();
    await write(visitor, 'th', 'ยังมียอดคงเหลือ');
    await expect(log(visitor)).toContainText('ยังมียอดคงเหลือ');
    await page.goto('/user/home');
    await page.waitForURL('**/terminated');
    for (const one of [page, visitor]) await one.context().close();
  });
});
