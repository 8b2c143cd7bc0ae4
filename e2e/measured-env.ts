/**
 * A test environment, and two phones' browsers in it for tools that measure from outside: a visitor's and a logged-in member's.
 * Prints one line of JSON with the address and each browser's debugging port, and ends with its input, so
 * that its starter leaves no process behind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect } from '@playwright/test';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { chromiumLaunch } from './chromium.ts';
import { newMember, playMoney } from './new-member.ts';
import { startTestEnv } from './test-env.ts';

const folder = mkdtempSync(join(tmpdir(), 'krapao-measured-'));
const launch = await chromiumLaunch();
const env = await startTestEnv();

async function browserAt(port: number, name: string): Promise<BrowserContext> {
  const args = [...launch.args, `--remote-debugging-port=${port}`];
  return chromium.launchPersistentContext(join(folder, name), { ...launch, args });
}

const [visitorPort, memberPort] = [await freePort(), await freePort()];
const visitor = await browserAt(visitorPort, 'visitor');
const member = await browserAt(memberPort, 'member');

const person = await newMember({ balance: 500, env });
await playMoney(person, 'betflix', 100);
const [page] = member.pages();
await page!.goto(`${env.url}/icon.svg`);
await page!.evaluate((token) => {
  localStorage.setItem('token', token);
  localStorage.setItem('remember-agreement', 'true');
}, person.token);
// Measured is a home screen that this browser has shown before: it is opened once and stored on the device.
await page!.goto(`${env.url}/user/home`);
await expect
  .poll(() => page!.evaluate(async () => (await caches.match('/kept/home')) !== undefined), {
    timeout: 60_000,
  })
  .toBe(true);
await page!.goto('about:blank');
console.log(JSON.stringify({ url: env.url, visitorPort, memberPort }));

process.stdin.resume().once('end', async () => {
  await Promise.all([visitor.close(), member.close()]);
  await env.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
