import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languageTag } from '@krapao/contract/shared';
import { expect, type Page } from '@playwright/test';
import { copyBuild } from '../build.ts';
import { inOwnEnv } from '../env-calls.ts';
import { checkScreen } from '../member.ts';
import { newMember, payIn, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { LANGUAGES, textOf } from '../texts.ts';

test.use({ serviceWorkers: 'allow' });

const th = (id: string) => textOf('th', id);
const card = (page: Page) => page.getByLabel(th('money.total'));
/** The text up to the figure that is filled in. */
const oldAt = th('money.oldAt').split('{')[0]!.trim();

const isControlled = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
/** The whole app is there, and a worker that gives it out. */
const isStored = async (page: Page) => {
  await isControlled(page);
  await expect
    .poll(() => page.evaluate(async () => (await window.caches.match('/index.html')) !== undefined))
    .toBe(true);
};
const caches = (page: Page) => page.evaluate(async () => (await window.caches.keys()).sort());

/** Every address the browser keeps a copy of. */
const copies = (page: Page) =>
  page.evaluate(async () => {
    const names = await window.caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await window.caches.open(name)).keys()));
    return keys.flat().map(({ url }) => new URL(url).pathname);
  });

test('can be installed, in each language', async ({ browser }) => {
  for (const language of LANGUAGES) {
    const page = await visit(browser, { language });
    await page.goto('/login');
    const address = await page.locator('link[rel=manifest]').getAttribute('href');
    const manifest = await (await page.request.get(address!)).json();
    expect(manifest).toMatchObject({
      name: textOf(language, 'shell.product'),
      lang: languageTag(language),
      start_url: '/user/home',
      display: 'standalone',
    });
    for (const { src, type } of manifest.icons) {
      const reply = await page.request.get(src);
      expect([reply.status(), reply.headers()['content-type']]).toEqual([200, type]);
    }
    const session = await page.context().newCDPSession(page);
    const { errors, installabilityErrors = [] } = {
      ...(await session.send('Page.getAppManifest')),
      ...(await session.send('Page.getInstallabilityErrors')),
    };
    expect(errors).toEqual([]);
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    await page.context().close();
  }
});

test('without a connection a reload shows the last figures, marked old; logging out leaves none of them', async ({
  browser,
}) => {
  const member = await newMember({ balance: 250 });
  const page = await visit(browser, {}, member);
  await page.goto('/user/home');
  await expect(card(page)).toContainText('250.00');
  await isStored(page);
  expect((await copies(page)).filter((address) => address.startsWith('/api'))).toEqual([]);
  await page.context().setOffline(true);
  await page.reload();
  await expect(card(page)).toContainText('250.00');
  await expect(card(page)).toContainText(oldAt);
  await checkScreen(page, 'home offline');
  // Every screen opens; what it cannot know it says, and offers to try again.
  await page.getByRole('link', { name: th('statement.nav') }).click();
  await expect(page.getByRole('button', { name: th('btn.retry') })).toBeVisible();
  await checkScreen(page, 'statement offline');
  await page.goto('/');
  await page.waitForURL('**/user/home');
  await page.context().setOffline(false);
  await payIn(member, 50);
  await expect(card(page)).toContainText('300.00');
  await expect(card(page)).not.toContainText(oldAt);
  expect(await caches(page)).toContain('krapao-kept');
  await page.getByRole('button', { name: th('auth.logout') }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => caches(page)).not.toContain('krapao-kept');
  await page.context().setOffline(true);
  // With the member gone there is nothing to show but that.
  await page.goto('/user/home');
  await expect(page.getByRole('heading', { name: th('offline.title') })).toBeVisible();
});

test('a visitor without a connection reads so in their language, and tries again', async ({ browser }) => {
  const page = await visit(browser);
  const context = page.context();
  await page.goto('/login');
  await isControlled(page);
  expect((await copies(page)).filter((address) => address.startsWith('/assets'))).toEqual([]);
  for (const language of LANGUAGES.toReversed()) {
    await context.addCookies([{ name: 'language', value: language.toUpperCase(), url: page.url() }]);
    await context.setOffline(true);
    await page.goto('/register?code=PR7');
    await expect(page.getByRole('heading', { name: textOf(language, 'offline.title') })).toBeVisible();
  }
  await checkScreen(page, 'offline visitor');
  await page.getByRole('link', { name: th('btn.retry') }).click();
  await expect(page.getByRole('heading', { name: th('offline.title') })).toBeVisible();
  const deaf = await context.newPage();
  await deaf.addInitScript(() => addEventListener('online', (event) => event.stopImmediatePropagation()));
  await deaf.goto('/register?code=PR7');
  await expect(deaf.getByRole('heading', { name: th('offline.title') })).toBeVisible();
  // A page recovers automatically, also without an online event, as when the server was unavailable.
  await context.setOffline(false);
  for (const back of [page, deaf]) {
    await expect(back.getByLabel(th('auth.phone'))).toBeVisible();
    expect(new URL(back.url()).search).toBe('?code=PR7');
  }
  await context.close();
});

test('a new version takes over after a confirmation', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-version-'));
  const WEB_DIR = copyBuild(folder);
  // The worker is changed below; its compressed copies would hide that.
  for (const ending of ['br', 'gz']) rmSync(join(WEB_DIR, `sw.js.${ending}`));
  await inOwnEnv({ WEB_DIR }, async (env) => {
    const member = await newMember({ env });
    const page = await visit(browser, { env }, member);
    await page.goto('/user/home');
    await isControlled(page);
    await expect(page.getByText(th('update.ready'))).toHaveCount(0);
    appendFileSync(
      join(WEB_DIR, 'sw.js'),
      "addEventListener('message', (event) => event.source.postMessage('new'));\n",
    );
    await page.reload();
    await expect(page.getByText(th('update.ready'))).toBeVisible();
    await checkScreen(page, 'update prompt');
    const take = async () => {
      const reloaded = page.waitForEvent('load');
      await page.getByRole('button', { name: th('update.take') }).click();
      await reloaded;
    };
    // The page reloads even while the old worker stays active, and requests the files again.
    await page.evaluate(() => {
      ServiceWorker.prototype.postMessage = () => {};
    });
    await take();
    await expect(page.getByText(th('update.ready'))).toBeVisible();
    await take();
    await isControlled(page);
    const response = await page.evaluate(
      () =>
        new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data), { once: true });
          navigator.serviceWorker.startMessages();
          navigator.serviceWorker.controller!.postMessage('who');
        }),
    );
    expect(response).toBe('new');
    await expect(card(page)).toBeVisible();
    await expect(page.getByText(th('update.ready'))).toHaveCount(0);
    await page.context().close();
  });
  rmSync(folder, { recursive: true, force: true });
});
