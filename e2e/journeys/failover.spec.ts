import { expect, type Page } from '@playwright/test';
import { openConsole } from '../console.ts';
import { inOwnEnv } from '../env-calls.ts';
import { checkScreen } from '../member.ts';
import { newMember, payIn, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

/** Nothing is pressed and nothing loaded anew; tries come up to some seconds apart. */

const th = (id: string) => textOf('th', id);

/** The page's documents since it was opened: a reload would add one. */
async function watchLoads(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
  return async () => expect(await page.evaluate(() => Reflect.get(globalThis, 'isSameDocument'))).toBe(true);
}

test('pages opened while the database takes no writes load and become live by themselves afterwards', async ({
  browser,
}) => {
  await inOwnEnv({}, async (env) => {
    const member = await newMember({ env, balance: 100 });
    const phone = await visit(browser, {}, member);
    await phone.goto('/user/home');
    const { page: operatorPage } = await openConsole(browser, 'finance', env, '/members');
    const row = operatorPage.getByRole('link', { name: 'ทดสอบ ใจดี' });
    await expect(row).toBeVisible();
    const expectNoReload: (() => Promise<void>)[] = [];
    await env.demote(async () => {
      await phone.reload();
      await expect(phone.getByRole('button', { name: th('btn.retry') }).first()).toBeVisible();
      await checkScreen(phone, 'home without a database');
      expectNoReload.push(await watchLoads(phone), await watchLoads(operatorPage));
      const refused = operatorPage.waitForResponse(
        (response) => response.url().includes('/live?member=') && response.status() === 503,
      );
      await row.click();
      await refused;
    });
    await expect(phone.getByText('100.00').first()).toBeVisible();
    await expect(operatorPage.getByText('100.00').first()).toBeVisible();
    await payIn(member, 55);
    await expect(phone.getByText('155.00').first()).toBeVisible();
    await expect(operatorPage.getByText('155.00').first()).toBeVisible();
    for (const expectOne of expectNoReload) await expectOne();
  });
});

test('pages that were open are live again after a server was stopped and started', async ({ browser }) => {
  await inOwnEnv({}, async (env) => {
    const member = await newMember({ env, balance: 100 });
    const phone = await visit(browser, {}, member);
    const connected = phone.waitForEvent('websocket');
    await phone.goto('/user/home');
    await connected;
    await expect(phone.getByText('100.00').first()).toBeVisible();
    await payIn(member, 11);
    await expect(phone.getByText('111.00').first()).toBeVisible();
    const expectNoReload = await watchLoads(phone);
    await env.restart();
    await payIn(member, 55);
    await expect(phone.getByText('166.00').first()).toBeVisible();
    await expectNoReload();
  });
});
