import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { createOperatorClient, OperatorApiError } from '../../packages/operator-client/src/index.ts';
import { checkConsole, goByKeys, openConsole, consoleText as t } from '../console.ts';
import { inOwnEnv, sharedEnv } from '../env-calls.ts';
import { newMember, payIn } from '../new-member.ts';
import { test } from '../test.ts';

interface Received {
  headers: Record<string, string>;
  text: string;
}

async function startReceiver(): Promise<{ server: Server; url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({
      headers: request.headers as Record<string, string>,
      text: Buffer.concat(parts).toString(),
    });
    response.end('noted');
  });
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}

const isSigned = (secret: string, { headers, text }: Received): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};

/** Adds an endpoint for all events; returns the secret it was shown. */
async function addEndpoint(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: t('webhook.add') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('webhook.url')).fill(url);
  await dialog.getByLabel(t('webhook.description')).fill('บัญชี');
  await dialog.getByLabel(t('field.reason')).fill('ส่งให้ฝ่ายบัญชี');
  await checkConsole(page, 'webhook form');
  await dialog.getByRole('button', { name: t('webhook.save') }).click();
  const secret = await page.locator('pre').textContent();
  await expect(dialog).toBeHidden();
  await checkConsole(page, 'webhook secret');
  return secret!;
}

test('a webhook is added and tested, and receives a deposit; its deliveries are shown', async ({
  browser,
}) => {
  const { server, url, received } = await startReceiver();
  await inOwnEnv({ WEBHOOK_ADDRESSES: '127.0.0.1', WEBHOOK_HTTP: 'yes' }, async (env) => {
    const { page } = await openConsole(browser, 'admin', env);
    await goByKeys(page, 'x');
    await expect(page.getByText(t('webhook.empty'))).toBeVisible();
    const secret = await addEndpoint(page, url);
    await page.getByRole('cell', { name: url }).click();
    await page.getByRole('button', { name: t('webhook.test') }).click();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await expect(row('webhook.test')).toContainText(t('webhookState.DELIVERED'));
    await payIn(await newMember({ env }), 120);
    await expect(row('deposit.credited')).toContainText(t('webhookState.DELIVERED'));
    await checkConsole(page, 'webhook deliveries');
    await row('deposit.credited').getByText('deposit.credited').click();
    await expect(page.getByRole('dialog')).toContainText('"amountMinor": 12000');
    await expect(page.getByRole('dialog')).toContainText('noted');
    await checkConsole(page, 'webhook delivery');
    expect(received.map((one) => isSigned(secret, one))).toEqual(received.map(() => true));
    expect(received.map(({ text }) => JSON.parse(text).type)).toContain('deposit.credited');
    await page.context().close();
  });
  server.close();
});

test('a key is made on the own page, a program works with it, and it ends when it is revoked', async ({
  browser,
}) => {
  const env = sharedEnv();
  const { operator, page } = await openConsole(browser, 'finance-lead', env, '/me');
  await page.getByRole('button', { name: t('key.add') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('key.name')).fill('bookkeeping');
  await dialog.getByLabel(t('key.permissions')).first().click();
  await page.getByRole('option', { name: t('perm.deposit.read'), exact: true }).click();
  await dialog.getByLabel(t('signIn.password')).fill(operator.password);
  await dialog.getByLabel(t('signIn.code')).fill(await operator.nextCode());
  await checkConsole(page, 'key form');
  await dialog.getByRole('button', { name: t('key.add') }).click();
  const key = await page.locator('pre').textContent();
  await checkConsole(page, 'key made');
  const operators = createOperatorClient({ url: env.consoleUrl, key: key! });
  const member = await newMember({ balance: 150 });
  const { deposits } = await operators('GET /api/operator/deposits', {
    query: { q: member.phone, limit: 5 },
  });
  expect(deposits.map(({ amount }) => amount)).toEqual([150]);
  const refusal = (work: Promise<unknown>) =>
    work.catch((error: unknown) =>
      error instanceof OperatorApiError ? `${error.status} ${error.code}` : error,
    );
  expect(await refusal(operators('GET /api/operator/audit'))).toBe('403 UNAUTHORIZED');
  await page.getByRole('button', { name: t('key.revoke') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('key.revoke') })
    .click();
  await expect(page.getByText(t('key.revoked')).first()).toBeVisible();
  expect(await refusal(operators('GET /api/operator/deposits'))).toBe('401 invalid-token');
  await page.context().close();
});
