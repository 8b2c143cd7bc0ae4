import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { checkConsole, openConsole, consoleText as t } from '../console.ts';
import { inOwnEnv } from '../env-calls.ts';
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

test('a webhook is added, tried, and told of a deposit; its deliveries are looked into', async ({
  browser,
}) => {
  const { server, url, received } = await startReceiver();
  await inOwnEnv({ WEBHOOK_ADDRESSES: '127.0.0.1', WEBHOOK_HTTP: 'yes' }, async (env) => {
    const { page } = await openConsole(browser, 'admin', env);
    await page.keyboard.press('g');
    await page.keyboard.press('x');
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
