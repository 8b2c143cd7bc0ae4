import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slipHands } from '../features/deposits/testing-slips.ts';
import { startTown } from '../testing/town.ts';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
if (!canMount) console.warn('SKIPPED: a full disk: mounting one needs root on Linux.');

const run = (program: string, ...args: string[]) => execFileSync(program, args);

describe.skipIf(!canMount)('with a full disk for files', async () => {
  const town = await startTown({ jobs: false });
  const slips = slipHands(town);
  const folder = join(town.app.deps.config.dataDir, 'files');
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
  afterAll(() => void run('umount', '-l', folder));

  test('a slip is asked for again later, and taken under its key when there is room', async () => {
    await town.set('slip.closedHours', []);
    const member = await town.member();
    const { bytes } = await slips.make(member);
    fill();
    const refused = await slips.upload(member, bytes, { key: 'one-slip' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    rmSync(filler);
    expect((await slips.upload(member, bytes, { key: 'one-slip' })).status).toBe(200);
  });
});
