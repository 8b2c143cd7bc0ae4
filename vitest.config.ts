import { defineConfig } from 'vitest/config';
import { messages as consoleMessages } from './apps/console/tools/messages-plugin.ts';
import { messages as memberMessages } from './apps/web/tools/messages-plugin.ts';

/** Tests that need PostgreSQL; all others run without a server. */
const database = ['apps/server/src/**/*.test.ts', 'bench/src/**/*.test.ts'];
/** Tests that render components in a simulated document. */
const components = ['apps/{web,console}/src/**/*.test.tsx'];
const elsewhere = ['**/node_modules/**', '**/dist/**', 'e2e/**', '.data/**'];

export default defineConfig({
  test: {
    // Processes, not threads: signals, users and child processes behave as in production.
    pool: 'forks',
    // Many tests wait for events, so five workers keep two cores busy.
    maxWorkers: 5,
    // Test files of one worker share loaded modules: loading the server for each file took a fifth of the run.
    isolate: false,
    // Loaded modules stay in memory. A large initial heap avoids repeated garbage collection, a fifth of the run.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64', '--initial-heap-size=1024'],
    // Tests share two cores, so a wait may take far longer than on an idle machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A failure prints the whole difference, because it may not be reproducible.
    chaiConfig: { truncateThreshold: 0 },
    expect: { poll: { timeout: 60_000, interval: 25 } },
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
          // The apps keep caches and texts in module scope, so each test file loads its own modules.
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
