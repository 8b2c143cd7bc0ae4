import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';

const launchOptions = await chromiumLaunch();

/** Journeys of a member in a real browser, against real processes. */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  // Journeys mostly wait, for a bank or a second to pass: two more keep two cores busy.
  workers: 4,
  fullyParallel: true,
  forbidOnly: true,
  // Elsewhere a failure ends the run; in CI one that passes when repeated is named in the last lines (decision 153).
  retries: process.env.CI ? 1 : 0,
  // Only ends what hangs: on a busy machine a long journey takes minutes.
  timeout: 300_000,
  // As long as a step: a busy machine takes many times as long as a quiet one.
  expect: { timeout: 60_000 },
  reporter: 'line',
  use: {
    launchOptions,
    // A step that hangs is reported with its line; the journey's own limit names none.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    trace: 'off',
    // The offline worker fetches the whole app: only the journey about it needs that.
    serviceWorkers: 'block',
  },
});
