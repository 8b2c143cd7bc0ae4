import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ROOT } from './files.ts';

/** One program that `npm start` runs. */
export type Program = {
  name: string;
  /** Arguments to Node. */
  args: string[];
  environment?: Record<string, string>;
  /** Answers 200 once the program is ready; without one it counts as ready at once. */
  healthUrl?: string;
  folder?: string;
};

/** A program that was started. */
export type Running = {
  name: string;
  /** Resolves with how it ended, whenever that is. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

/** A first start also fills in a history. */
const READY_TIMEOUT_MS = 300_000;
/** A server ends within 14 s, whatever is under way. */
const STOP_TIMEOUT_MS = 20_000;
const FOLLOW = pathToFileURL(join(import.meta.dirname, 'follow-parent.mjs')).href;

async function responses(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** How long a program may take to end: longer by the seconds that a server serves on for. */
export const stopTimeoutMs = ({ STOP_DELAY_SECONDS }: NodeJS.ProcessEnv): number =>
  STOP_TIMEOUT_MS + Number(STOP_DELAY_SECONDS || 0) * 1000;

async function stop(child: ChildProcess, ended: Promise<string>, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const late = new AbortController();
  const patience = pause(timeoutMs, undefined, { signal: late.signal, ref: false }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  await ended;
  late.abort();
  await patience;
}

/**
 * Starts a program, adds it to `running` at once, and waits until it is ready.
 * It gets a session of its own, so that Ctrl-C reaches only us and the order of stopping is ours.
 * @throws when it ends before it is ready, or is not ready within five minutes
 */
export async function startProgram(program: Program, running: Running[]): Promise<void> {
  const env = { ...process.env, ...program.environment };
  const child = spawn(process.execPath, ['--import', FOLLOW, ...program.args], {
    cwd: program.folder ?? ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
  let end: string | undefined;
  const ended = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(signal ? `was ended by ${signal}` : `ended with code ${code}`));
  });
  ended.then((reason) => {
    end = reason;
  });
  running.push({ name: program.name, ended, stop: () => stop(child, ended, stopTimeoutMs(env)) });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (program.healthUrl && !(await responses(program.healthUrl))) {
    if (end !== undefined) throw new Error(`${program.name} ${end} before it was ready.`);
    if (Date.now() > deadline) {
      throw new Error(`${program.name} did not answer at ${program.healthUrl} within five minutes.`);
    }
    await Promise.race([pause(50), ended]);
  }
}
