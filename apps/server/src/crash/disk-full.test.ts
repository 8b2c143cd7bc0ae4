import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slipHelpers } from '../features/deposits/slips/testing-slips.ts';
import { startTestEnv } from '../testing/test-env.ts';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
if (!canMount) console.warn('SKIPPED: a full disk: mounting one needs root on Linux.');

const run = (program: string, ...args: string[]) => execFileSync(program, args);

describe.skipIf(!canMount)('with a full disk for files', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'krapao-disk-'));
  const env = await startTestEnv({ jobs: false, environment: { DATA_DIR: dataDir } });
  const slips = slipHelpers(env);
  const folder = join(env.app.deps.config.dataDir, 'files');
  const filler = join(folder, 'filler');
  const fill = () => {
    try {
      writeFileSync(filler, Buffer.alloc(1024 * 1024));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  };

  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  });
  afterAll(() => {
    run('umount', '-l', folder);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('a slip gets a retry response, and is accepted under its key when there is space', async () => {
    // The disk is smaller than its required free space.
    await env.set('file.diskFreeMegabytes', 0);
    const member = await env.member();
    const { bytes } = await slips.make(member);
    fill();
    const refused = await slips.upload(member, bytes, { key: 'one-slip' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    rmSync(filler);
    expect((await slips.upload(member, bytes, { key: 'one-slip' })).status).toBe(200);
  });
});
