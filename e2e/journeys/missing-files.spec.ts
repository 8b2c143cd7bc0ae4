import { expect, type Page } from '@playwright/test';
import { newMember, PASSWORD, visit } from '../newcomer.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const th = (id: string) => textOf('th', id);

const addressOf = (file: string) => `**/assets/${file}-*`;
const fileOf = (address: string) => /\/assets\/(.+)-[^/]+$/.exec(address)?.[1];

/** Loses every request for a file of the app. */
const lose = (page: Page, file: string) => page.route(addressOf(file), (route) => route.abort());

/** Does what asks for a file, which is lost until that has been noticed. */
async function losing(page: Page, file: string, act: () => Promise<unknown>): Promise<void> {
  await lose(page, file);
  const lost = page.waitForEvent('requestfailed', (request) => fileOf(request.url()) === file);
  await act();
  await lost;
  await page.unroute(addressOf(file));
}

test('what can be done without may fail to come: the page stays, and sheets open', async ({ browser }) => {
  const extras = ['bell', 'late-prompts', 'launcher'];
  const member = await newMember({ balance: 120 });
  const page = await visit(browser, {}, member);
  const failed = new Set<string | undefined>();
  page.on('requestfailed', (request) => failed.add(fileOf(request.url())));
  for (const file of extras) await lose(page, file);
  await page.goto('/user/home');
  await expect.poll(() => extras.filter((file) => failed.has(file))).toEqual(extras);
  await page.getByRole('button', { name: th('withdraw.tile') }).click();
  await expect(page.getByRole('dialog')).toContainText('120.00');
});

test('a page of which a file was lost is asked for anew, also when it is the first', async ({ browser }) => {
  const member = await newMember({ balance: 120 });
  const page = await visit(browser);
  // The written page can be read without its script, but nothing in it would ever be sent.
  await losing(page, 'index', () => page.goto('/login'));
  // It is told of once the page has come to life.
  await expect(page.locator('link[rel=manifest]')).toHaveCount(1);
  await losing(page, 'register-page', () => page.getByRole('link', { name: th('auth.register') }).click());
  await expect(page.getByRole('heading', { name: th('register.phoneTitle') })).toBeVisible();

  await page.goto('/login');
  await page.getByLabel(th('auth.phone')).fill(member.phone);
  await page.getByLabel(th('auth.password'), { exact: true }).fill(PASSWORD);
  await losing(page, 'member-area', () => page.getByRole('button', { name: th('auth.login') }).click());
  await expect(page.getByLabel(th('money.total'))).toContainText('120.00');
});
