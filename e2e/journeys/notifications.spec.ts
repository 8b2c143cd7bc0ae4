import { type BrowserContext, expect, type Page, type Worker } from '@playwright/test';
import { call, control } from '../env-calls.ts';
import { checkScreen, checkSheet } from '../member.ts';
import { type Member, newMember, payIn, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

test.use({ serviceWorkers: 'allow' });

const th = (id: string, values?: Record<string, string>) => textOf('th', id, values);

/** The push service of Chromium's maker cannot be reached from here: the sandbox's takes its place in the page. */
async function subscribeAtSandbox(context: BrowserContext, { phone, token, env }: Member): Promise<void> {
  const { publicKey } = await call('GET /api/push', undefined, token, env);
  const subscription = await control('push', { phone, key: publicKey }, env);
  await context.grantPermissions(['notifications']);
  await context.addInitScript(
    ({ given, key }) => {
      // A headless browser denies the permission in every case.
      Object.defineProperty(Notification, 'permission', { value: 'granted' });
      const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
      const options = {
        applicationServerKey: Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer,
      };
      const unsubscribe = async () => {
        localStorage.removeItem('subscribed');
        return true;
      };
      const known = { toJSON: () => given, unsubscribe, options } as unknown as PushSubscription;
      // A browser keeps it from page to page.
      PushManager.prototype.getSubscription = async () => (localStorage.getItem('subscribed') ? known : null);
      PushManager.prototype.subscribe = async () => {
        localStorage.setItem('subscribed', 'yes');
        return known;
      };
    },
    { given: subscription, key: publicKey as string },
  );
}

/** Everything that has come to the member's browser, decrypted there. */
async function arrived({ phone, env }: Member): Promise<string[]> {
  const { browsers } = await control(`push?phone=${phone}`, undefined, env);
  return browsers.flatMap(({ messages }: { messages: { text: string }[] }) =>
    messages.map(({ text }) => text),
  );
}
const comes = async (member: Member, count: number): Promise<string> => {
  await expect.poll(async () => (await arrived(member)).length).toBe(count);
  return (await arrived(member)).at(-1)!;
};

/** Hands the browser a message as its push service does. */
async function deliverer(blank: Page, origin: string): Promise<(data: string) => Promise<void>> {
  const session = await blank.context().newCDPSession(blank);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (ours) resolve(ours.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  return async (data) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

/** A browser without a screen draws no notifications: the worker's land in a list of its own. */
const watch = (worker: Worker): Promise<void> =>
  worker.evaluate(`
    self.shown = [];
    registration.showNotification = async (title, options) => {
      const close = () => { self.shown = []; };
      self.shown.push({ title, ...options, close });
    };`);

/** What is shown beside the browser's windows. */
const shown = (worker: Worker): Promise<{ title: string; body: string }[]> =>
  worker.evaluate('self.shown.map(({ title, body }) => ({ title, body }))');

/** Presses one that was shown while the app was closed, with a window of the app open by now. */
const pressOld = (worker: Worker, url: string): Promise<void> =>
  worker.evaluate(
    (data) => {
      const notification = { data, close: () => undefined };
      dispatchEvent(
        Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined }),
      );
    },
    { url },
  );

/** Presses the shown notification; returns the window that would be opened. */
const press = (worker: Worker): Promise<string> =>
  worker.evaluate(`new Promise((resolve) => {
    clients.openWindow = async (url) => resolve(url);
    const [notification] = self.shown;
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil() {} }));
  })`);

/** Reads what has happened, and enables notifications on this device. */
async function turnOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: th('notify.unread', { count: '1' }) }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText(th('notify.deposit'))).toBeVisible();
  await checkSheet(page, 'notifications');
  await sheet.getByRole('button', { name: th('push.title') }).click();
  const here = sheet.getByRole('switch', { name: th('push.here') });
  await expect(here).not.toBeChecked();
  await here.click();
  await expect(here).toBeChecked();
  await sheet.getByRole('switch', { name: th('push.bonus') }).click();
  await expect(sheet.getByRole('switch', { name: th('push.bonus') })).not.toBeChecked();
  await checkSheet(page, 'alerts');
}

test('with the app closed a paid withdrawal is notified, and a press opens its receipt', async ({
  browser,
}) => {
  const member = await newMember({ balance: 500 });
  const page = await visit(browser, {}, member);
  const context = page.context();
  await subscribeAtSandbox(context, member);
  await page.goto('/user/home');
  await turnOn(page);
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await watch(worker);
  const blank = await context.newPage();
  const deliver = await deliverer(blank, member.env.url);

  // A member with the app in front sees it there and nowhere else.
  await payIn(member, 20);
  await deliver(await comes(member, 1));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: th('notify.unread', { count: '1' }) })).toBeVisible();
  await checkScreen(page, 'home with news');
  expect(await shown(worker)).toEqual([]);

  await page.close();
  await call('POST /api/wallet/withdraw', { amount: 150 }, member.token, member.env);
  await deliver(await comes(member, 2));
  await expect
    .poll(() => shown(worker))
    .toEqual([{ title: 'ถอนเงินสำเร็จ', body: 'โอน 150.00 บาท เข้าบัญชีธนาคารแล้ว' }]);
  await blank.goto(new URL(await press(worker), member.env.url).href);
  const receipt = blank.getByRole('dialog');
  await expect(receipt.getByText('150.00')).toBeVisible();
  expect(new URL(blank.url()).search).toBe('');
  await checkSheet(blank, 'receipt from a notification');
  expect(await shown(worker)).toEqual([]);

  const { statements } = await call('POST /api/statement', { page: 1, limit: 9 }, member.token, member.env);
  const first = statements.at(-1);
  await pressOld(worker, `/user/statement?open=receipt&arg=${first.id}`);
  await expect(receipt.getByText(first.id)).toBeVisible();
  expect(context.pages()).toEqual([blank]);

  // No notification arrives here after the logout.
  await blank.keyboard.press('Escape');
  await expect(receipt).toHaveCount(0);
  expect(await blank.evaluate(() => localStorage.getItem('subscribed'))).toBe('yes');
  // As soon as a page is there, before what it loads late.
  await blank.reload();
  await blank.getByRole('button', { name: th('auth.logout') }).click();
  await blank.waitForURL('**/login');
  await expect.poll(() => blank.evaluate(() => localStorage.getItem('subscribed'))).toBeNull();
  await context.close();
});
