/** Starts the sandbox from the environment and stops it on SIGINT, SIGTERM and SIGHUP. */
import { startSandbox } from './app.ts';
import { readEnvironment } from './settings.ts';

try {
  const sandbox = await startSandbox(readEnvironment(process.env));
  console.log(`Sandbox: ${sandbox.url}`);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void sandbox.stop().then(() => process.exit(0)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
