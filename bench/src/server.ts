import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HERE = join(import.meta.dirname, '../..');

export const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** Resolves when the condition holds; throws after a minute, or as many as are given. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  minutes = 1,
): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${minutes} min in vain for ${what}`);
    await pause(10);
  }
}

/** Starts the server of a checkout as installed, in a process of its own, and resolves when it is ready. */
export async function startServer(
  dataDir: string,
  port: number,
  { checkout = HERE, consolePort = 0 }: { checkout?: string | undefined; consolePort?: number } = {},
): Promise<ChildProcess> {
  const ports = { PORT: String(port), CONSOLE_PORT: String(consolePort) };
  const server = spawn(process.execPath, [join(checkout, 'apps/server/src/main.ts')], {
    env: { ...process.env, DATA_DIR: dataDir, ...ports, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
  });
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      ),
    'the server',
  );
  return server;
}

/** Stops a server gracefully and resolves with its exit code. */
export async function stopServer(server: ChildProcess): Promise<number | null> {
  server.kill('SIGTERM');
  return new Promise((resume) => server.once('exit', resume));
}

/** Ends a server as a power cut does. */
export async function killServer(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL');
  await new Promise((resume) => server.once('exit', resume));
}

/** Returns whether a process could be killed; after the last kill the next one may still be starting. */
function hasKilled(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Ends the built-in database as a power cut does; the servers start it again. */
export async function killDatabase(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const pid = () => (existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0);
  await until(() => hasKilled(pid()), 'a database to kill');
}
