import { test as base } from '@playwright/test';

/**
 * A journey. Browsers it opened are closed after it: a console or phone left open would read again with every event
 * of the test environment for the rest of the run. What failed stays open until its picture is taken.
 */
export const test = base.extend<{ closing: undefined }>({
  closing: [
    async ({ browser }, use, info) => {
      await use(undefined);
      if (info.status !== info.expectedStatus) return;
      for (const context of browser.contexts()) await context.close();
    },
    { auto: true },
  ],
});
