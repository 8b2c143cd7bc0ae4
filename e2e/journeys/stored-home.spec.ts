import { expect, type Page, type Route } from '@playwright/test';
import { newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const SCRIPT = '**/assets/index-*.js';
const th = (id: string) => textOf('th', id);
const card = (page: Page) => page.getByLabel(th('money.total'));

/** Waits until the device has stored the home screen as it is now shown. */
const isStored = (page: Page, text: string) =>
  expect
    .poll(() => page.evaluate(async () => (await (await caches.match('/kept/home'))?.json())?.markup ?? ''))
    .toContain(text);

/** Reloads the page while the app's own script does not come. Returns the way to let it come. */
async function reloadWithoutScript(page: Page): Promise<() => void> {
  const { promise: held, resolve: letCome } = Promise.withResolvers<void>();
  const requested = page.waitForRequest(SCRIPT);
  const hold = async (route: Route) => {
    await held;
    await route.continue();
  };
  await page.route(SCRIPT, hold, { times: 1 });
  await page.reload({ waitUntil: 'commit' });
  await requested;
  return letCome;
}

test('home is shown as this session last saw it before the script has come, and corrected in place', async ({
  browser,
}) => {
  const member = await newMember({ balance: 250 });
  const page = await visit(browser, {}, member);
  await page.goto('/user/home');
  await expect(card(page)).toContainText('250.00');
  await isStored(page, '250');

  const letCome = await reloadWithoutScript(page);
  await expect(card(page)).toContainText('250.00');
  await expect(page.locator('[inert]')).toHaveCount(1);
  letCome();
  await expect(page.locator('[inert]')).toHaveCount(0);
  await expect(card(page)).toContainText('250.00');
  await page.getByRole('button', { name: th('withdraw.tile') }).click();
  await expect(page.getByRole('dialog')).toContainText('250.00');
});

test('figures stored by a release with other replies are not shown', async ({ browser }) => {
  const member = await newMember({ balance: 250 });
  const page = await visit(browser, {}, member);
  await page.goto('/user/home');
  await isStored(page, '250');
  const wallet = Promise.withResolvers<void>();
  await page.route('**/api/wallet', async (route) => {
    await wallet.promise;
    await route.continue();
  });
  await page.evaluate(async () => {
    const cache = await caches.open('krapao-kept');
    const old = (await cache.match('/kept/home'))!;
    const kept = {
      ...(await old.json()),
      schemas: 'other',
      look: 'other',
      state: { queries: [], mutations: [] },
    };
    kept.state.queries.push({
      queryKey: ['wallet'],
      queryHash: '["wallet"]',
      state: { data: {}, status: 'success' },
    });
    await cache.put('/kept/home', new Response(JSON.stringify(kept), { headers: old.headers }));
  });
  await page.reload();
  await expect(page.locator('[aria-busy=true]').first()).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  wallet.resolve();
  await expect(card(page)).toContainText('250.00');
});

test('the stored home screen shows no balance that was hidden since, and nothing to another session', async ({
  browser,
}) => {
  const [member, other] = [await newMember({ balance: 250 }), await newMember({ balance: 70 })];
  const page = await visit(browser, {}, member);
  await page.goto('/user/home');
  await isStored(page, '250');
  await page.getByRole('button', { name: th('money.hide') }).click();
  let letCome = await reloadWithoutScript(page);
  await expect(card(page)).toHaveCount(0);
  letCome();
  await expect(card(page)).toBeVisible();
  await page.getByRole('button', { name: th('money.show') }).click();

  await page.evaluate((token) => localStorage.setItem('token', token), other.token);
  letCome = await reloadWithoutScript(page);
  await expect(card(page)).toHaveCount(0);
  letCome();
  await expect(card(page)).toContainText('70.00');
  await isStored(page, '70');
});
