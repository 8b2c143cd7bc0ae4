import { type Browser, expect, type Page } from '@playwright/test';
import { readPo } from '../apps/console/tools/catalogues.ts';
import { seriousOn } from './axe.ts';
import { operatorCall, type Place, sharedEnv } from './env-calls.ts';
import { newOperator, type Operator } from './operator.ts';

const texts = readPo('th');

/** The console's Thai text of an id, with its plain arguments filled in. */
export const consoleText = (id: string, values: Record<string, string> = {}): string =>
  texts.get(id)!.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

export const DESKTOP = { width: 1440, height: 900 };

const inConsole = (browser: Browser, env: Place) =>
  browser.newContext({ viewport: DESKTOP, baseURL: env.consoleUrl, reducedMotion: 'reduce' });

/** A new operator of a role, signed in, with the console open in a page. */
export async function openConsole(
  browser: Browser,
  role: string,
  env: Place = sharedEnv(),
  path = '/',
): Promise<{ page: Page; name: string; operator: Operator }> {
  const operator = await newOperator(role, env);
  const { name, password, code } = operator;
  const { cookie } = await operatorCall('login', { name, password, code: code() }, env);
  const context = await inConsole(browser, env);
  const [key, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name: key, value, url: env.consoleUrl, httpOnly: true, sameSite: 'Strict' }]);
  const page = await context.newPage();
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return { page, name, operator };
}

/** The same, signing in by keyboard with the current code. */
export async function signInToConsole(browser: Browser, role: string): Promise<Page> {
  const env = sharedEnv();
  const operator = await newOperator(role, env);
  const page = await (await inConsole(browser, env)).newPage();
  await page.goto('/');
  await page.getByLabel(consoleText('signIn.name')).fill(operator.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(operator.password);
  await page.getByLabel(consoleText('signIn.code')).focus();
  await page.keyboard.type(operator.code());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: consoleText('nav.today') })).toBeVisible();
  return page;
}

/**
 * Opens a page by `g` and its letter. Both keys are sent at once, as by a quick typist: a browser that is busy
 * between two single presses would let the sequence time out.
 */
export async function goByKeys(page: Page, letter: string): Promise<void> {
  await Promise.all([page.keyboard.press('g'), page.keyboard.press(letter)]);
}

/** A screen as an operator must see it: nothing wider than the screen, nothing serious for axe. */
export async function checkConsole(page: Page, name: string): Promise<void> {
  await expect(page.locator('.mantine-Loader-root')).toHaveCount(0);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/console ${name}.png` });
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
  expect(await seriousOn(page), `axe on ${name}`).toEqual([]);
}
