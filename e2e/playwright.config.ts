import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';

const launchOptions = await chromiumLaunch();

/** Begun last, they would leave the other workers without work. */
const LONGEST = ['**/lao.spec.ts', '**/looks.spec.ts', '**/whole-path.spec.ts'];

/** Journeys of a member in a real browser, against real processes. */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  // Journeys mostly wait, for a bank or a second to pass: a third keeps two cores busy.
  workers: 3,
  fullyParallel: true,
  projects: [
    { name: 'longest first', testMatch: LONGEST },
    { name: 'the others', testIgnore: LONGEST },
  ],
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: 'line',
  use: {
    launchOptions,
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    trace: 'off',
    // The offline worker fetches the whole app: only the journey about it needs that.
    serviceWorkers: 'block',
  },
});
