import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../apps/server/src/testing/ports.ts';
import { type Running, startProgram, stopTimeoutMs } from './start-programs.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'programs');
const RESPONDER = join(FIXTURES, 'responses.mjs');

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a program counts as started once it answers, and stops politely', async () => {
  const port = await freePort();
  const running: Running[] = [];
  await startProgram(
    { name: 'A', args: [RESPONDER, String(port)], healthUrl: `http://127.0.0.1:${port}` },
    running,
  );
  expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(200);
  await running[0]?.stop();
  expect(await running[0]?.ended).toBe('ended with code 0');
  await running[0]?.stop();
});

test('a server that serves on after the stop signal is not killed before it has finished', () => {
  expect(stopTimeoutMs({})).toBe(20_000);
  expect(stopTimeoutMs({ STOP_DELAY_SECONDS: '' })).toBe(20_000);
  expect(stopTimeoutMs({ STOP_DELAY_SECONDS: '30' })).toBe(50_000);
});

test('a program that ends before it answers is named with its code', async () => {
  const program = { name: 'The server', args: ['-e', 'process.exit(3)'], healthUrl: 'http://127.0.0.1:1' };
  await expect(startProgram(program, [])).rejects.toThrow(
    'The server ended with code 3 before it was ready.',
  );
});

test.skipIf(process.platform !== 'linux')(
  'when we are killed, the programs we started stop too',
  async () => {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'krapao-pid-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'pid');
    const parent = spawn(process.execPath, [join(FIXTURES, 'parent.ts'), String(port), file]);
    await new Promise((done) => parent.stdout.once('data', done));
    const child = Number(readFileSync(file, 'utf8'));
    expect(isRunning(child)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(child), { timeout: 5_000 }).toBe(false);
  },
);
