/**
 * How long the login and the registration take on slow 3G (400 kbit/s, 400 ms for each request) with the processor slowed
 * four times, opened for the first time. Prints one line of JSON for each page and language: medians of the milliseconds
 * until the first text and until a form can be sent, and of the kilobytes transferred by then. The app must have been
 * built.
 * Usage: node e2e/slow-line.ts [runs]
 */
import { chromium } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';
import { startTestEnv } from './test-env.ts';

const RUNS = Number(process.argv[2] ?? 3);
const BYTES_PER_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const SLOWED = 4;
const PAGES = ['/login', '/register'];
const LANGUAGES = ['TH', 'LA', 'EN'];

const env = await startTestEnv();
const browser = await chromium.launch(await chromiumLaunch());

async function open(
  path: string,
  language: string,
): Promise<{ textMs: number; readyMs: number; kB: number }> {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
  await context.addCookies([{ name: 'language', value: language, url: env.url }]);
  await context.addInitScript(() => {
    addEventListener('awake', () => {
      document.documentElement.dataset.ready = String(performance.now());
    });
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  let bytes = 0;
  devtools.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.goto(env.url + path, { waitUntil: 'commit' });
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  const kB = bytes / 1000;
  const times = await page.evaluate(() => ({
    textMs: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
    readyMs: Number(document.documentElement.dataset.ready),
  }));
  await context.close();
  return { ...times, kB };
}

const median = (values: number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[values.length >> 1]!);

for (const path of PAGES)
  for (const language of LANGUAGES) {
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await open(path, language));
    console.log(
      JSON.stringify({
        page: path,
        language,
        textMs: median(runs.map(({ textMs }) => textMs)),
        readyMs: median(runs.map(({ readyMs }) => readyMs)),
        kB: median(runs.map(({ kB }) => kB)),
      }),
    );
  }
await browser.close();
await env.stop();
