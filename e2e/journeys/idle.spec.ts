import { MINUTE_MS } from '@krapao/contract/durations';
import { expect } from '@playwright/test';
import { openConsole, consoleText as t } from '../console.ts';
import { control, inOwnEnv } from '../env-calls.ts';
import { test } from '../test.ts';

test('an operator who does nothing is warned and signed out, and one who works stays', async ({
  browser,
}) => {
  const clockOf = (sandboxUrl: string) => ({ CLOCK_URL: `${sandboxUrl}/control/clock` });
  await inOwnEnv(clockOf, async (env) => {
    const { page } = await openConsole(browser, 'support', env);
    await page.clock.install();
    await page.reload();
    const today = page.getByRole('heading', { level: 1, name: t('nav.today') });
    await expect(today).toBeVisible();
    const serverTime = async () =>
      Date.parse((await (await fetch(`${env.consoleUrl}/healthz`)).json()).now as string);
    const pass = async (ms: number) => {
      const before = await serverTime();
      await control('clock', { advanceMs: ms }, env);
      await expect.poll(serverTime).toBeGreaterThanOrEqual(before + ms);
      await page.clock.fastForward(ms);
    };
    const warning = page.getByText(t('signIn.endsSoon'));
    await pass(29.2 * MINUTE_MS);
    await expect(warning).toBeVisible();
    // Input of the operator is reported to the server and restarts the idle time.
    const reported = page.waitForResponse(
      (response) =>
        response.url().endsWith('/api/operator/me') && response.request().headers()['x-user-input'] === '1',
    );
    await page.mouse.move(200, 300);
    expect((await reported).status()).toBe(200);
    await expect(warning).toBeHidden();
    await pass(29.2 * MINUTE_MS);
    // The page has read how long is left once it warns; its next call is timed from there.
    await expect(warning).toBeVisible();
    await expect(today).toBeVisible();
    await pass(2 * MINUTE_MS);
    await expect(page.getByText(t('signIn.endedIdle'))).toBeVisible();
    await expect(page.getByLabel(t('signIn.name'))).toBeVisible();
  });
});
