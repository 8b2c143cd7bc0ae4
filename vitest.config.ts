import { defineConfig } from 'vitest/config';
import { messages as consoleMessages } from './apps/console/tools/messages-plugin.ts';
import { messages as memberMessages } from './apps/web/tools/messages-plugin.ts';

/** Tests beside these need PostgreSQL; all others run without a server. */
const database = ['apps/server/src/**/*.test.ts'];
/** Tests that render components, in a document. */
const components = ['apps/{web,console}/src/**/*.test.tsx'];
const elsewhere = ['**/node_modules/**', '**/dist/**', 'e2e/**', '.data/**'];

export default defineConfig({
  test: {
    // Forks: signals, users and child processes behave as in the real program.
    pool: 'forks',
    // Many tests wait for something to happen: three more keep two cores busy.
    maxWorkers: 5,
    // Files of one worker share what is loaded, the server most of all: loading it anew took a fifth of the run.
    isolate: false,
    // What they load stays, so a heap that grows bit by bit is searched for garbage in vain: a fifth of the run.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64', '--initial-heap-size=1024'],
    // What is waited for shares two processors with other tests; seconds are soon over.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A failure says all that differs: it may be seen once only.
    chaiConfig: { truncateThreshold: 0 },
    expect: { poll: { timeout: 20_000, interval: 25 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{apps,packages,tools}/**/*.test.{ts,tsx}'],
          exclude: [...elsewhere, ...database, ...components],
        },
      },
      ...(['web', 'console'] as const).map((app) => ({
        extends: true as const,
        plugins: [app === 'web' ? memberMessages() : consoleMessages()],
        test: {
          name: `unit-${app}`,
          environment: 'happy-dom',
          // The apps keep their caches and texts in modules: each file has its own.
          isolate: true,
          include: [`apps/${app}/src/**/*.test.tsx`],
          exclude: elsewhere,
        },
      })),
      {
        extends: true,
        test: {
          name: 'database',
          include: database,
          exclude: elsewhere,
          globalSetup: ['apps/server/src/platform/database/testing-server.ts'],
        },
      },
    ],
  },
});
