import { expect, type Page } from '@playwright/test';
import { launcher, openChat } from '../chat.ts';
import { newMember, PASSWORD, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const th = (id: string) => textOf('th', id);

const fileOf = (address: string) => /\/assets\/(.+)-[\w-]{8}\.\w+$/.exec(address)?.[1] ?? '';

/** Loses every request for the files of the app that are named at the time. */
async function poorLine(page: Page): Promise<Set<string>> {
  const names = new Set<string>();
  await page.route('**/assets/*', (route) =>
    names.has(fileOf(route.request().url())) ? route.abort() : route.continue(),
  );
  return names;
}

test('what can be done without may fail to come: the page stays, and sheets open', async ({ browser }) => {
  // The last is the client of the live connection.
  const extras = ['bell', 'late-prompts', 'launcher', 'esm'];
  const member = await newMember({ balance: 120 });
  const page = await visit(browser, {}, member);
  const failed = new Set<string>();
  page.on('requestfailed', (request) => failed.add(fileOf(request.url())));
  const names = await poorLine(page);
  for (const file of extras) names.add(file);
  await page.goto('/user/home');
  await expect.poll(() => extras.filter((file) => failed.has(file))).toEqual(extras);
  await page.getByRole('button', { name: th('withdraw.tile') }).click();
  await expect(page.getByRole('dialog')).toContainText('120.00');
});

test('a page of which a file was lost is loaded again, also when it is the first', async ({ browser }) => {
  const member = await newMember({ balance: 120 });
  const page = await visit(browser);
  const names = await poorLine(page);
  /** Runs an action that loads a file, which is missing until the failure has been detected. */
  const losing = async (file: string, perform: () => Promise<unknown>) => {
    names.add(file);
    const failed = page.waitForEvent('requestfailed', (request) => fileOf(request.url()) === file);
    await perform();
    await failed;
    names.delete(file);
  };
  // The written page can be read without its script, but nothing in it would ever be sent.
  await losing('index', () => page.goto('/login'));
  // It is reported once the page is hydrated.
  await expect(page.locator('link[rel=manifest]')).toHaveCount(1);
  await losing('register-page', () => page.getByRole('link', { name: th('auth.register') }).click());
  await expect(page.getByRole('heading', { name: th('register.phoneTitle') })).toBeVisible();

  // The login does without most texts; what comes after it does not.
  await losing('rest', () => page.goto('/login'));
  await page.getByLabel(th('auth.phone')).fill(member.phone);
  await page.getByLabel(th('auth.password'), { exact: true }).fill(PASSWORD);
  await losing('member-area', () => page.getByRole('button', { name: th('auth.login') }).click());
  await expect(page.getByLabel(th('money.total'))).toContainText('120.00');

  await page.getByRole('button', { name: th('agree.accept') }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const anew = page.waitForEvent('load');
  await losing('chat-panel', () => launcher(page, 'th').click());
  await anew;
  await openChat(page, 'th');
});
