import { expect, type Page, test } from '@playwright/test';
import { logIn, lookAt, lookAtSheet } from '../member.ts';
import { newMember, PASSWORD, visit } from '../newcomer.ts';
import { textOf } from '../texts.ts';

const th = (id: string, values?: Record<string, string>) => textOf('th', id, values);

const button = (page: Page, id: string) => page.getByRole('button', { name: th(id), exact: true });

test('a login from a new device is told, and can be ended from where it is told', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, {}, member);
  const strange = await visit(browser);
  await logIn(strange, 'th', member.phone);
  await page.goto('/user/home');
  await expect(page.getByText(th('device.alert'))).toBeVisible();
  await lookAt(page, 'home with a login to look at');
  await button(page, 'device.look').click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('Chrome · Linux')).toBeVisible();
  await lookAtSheet(page, 'devices');
  await sheet.getByRole('button', { name: th('auth.logout'), exact: true }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: th('auth.logout') })
    .click();
  await expect(sheet.getByText('Chrome · Linux')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByText(th('device.alert'))).toHaveCount(0);
  // The socket may have told it before it asks anything.
  const profile = strange.getByRole('link', { name: th('nav.profile') });
  await profile.click({ timeout: 2000 }).catch(() => undefined);
  await strange.waitForURL('**/login');

  await strange.getByLabel(th('auth.phone')).fill(member.phone);
  await strange.getByLabel(th('auth.password'), { exact: true }).fill(PASSWORD);
  await button(strange, 'auth.login').click();
  await strange.waitForURL('**/user/home');
  await page.goto('/user/profile');
  await page
    .getByRole('button')
    .filter({ hasText: th('device.title') })
    .click();
  // The same browser again is no new device.
  await expect(sheet.getByText(th('device.new'))).toHaveCount(0);
  await button(page, 'device.endOthers').click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: th('auth.logout') })
    .click();
  await expect(page.getByText(th('device.ended', { count: '1' }))).toBeVisible();
  await profile.click({ timeout: 2000 }).catch(() => undefined);
  await strange.waitForURL('**/login');
  for (const one of [page, strange]) await one.context().close();
});
