import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import { folderStore } from './file-stores/folder.ts';
import { createFiles, type Files } from './files.ts';
import { type Disk, mountDisk, noPowerCut } from './fixtures/power-cut.ts';
import { createSecrets } from './secrets.ts';

if (noPowerCut) console.warn(`SKIPPED: files after a power cut: ${noPowerCut}.`);

const SECRET = 'a secret that only tests know, 32 characters';
const MANY = 20;

describe.skipIf(noPowerCut)('an acknowledged file survives a power cut', () => {
  let disk: Disk;

  beforeEach(() => {
    disk = mountDisk();
  });
  afterEach(() => disk.remove());

  const files = (): Files =>
    createFiles({
      store: folderStore(disk.folder),
      secrets: createSecrets(SECRET),
      clock: systemClock,
      settings: { get: () => 1 } as never,
    });

  test('every picture whose keeping was confirmed', async () => {
    const pictures = Array.from({ length: MANY }, (_, index) => Buffer.from(`picture ${index}`));
    const keys = await Promise.all(pictures.map((bytes) => files().put(bytes)));
    disk.cutPower();
    const kept = await Promise.all(keys.map((key) => files().read(key)));
    expect(kept.map(String)).toEqual(pictures.map(String));
  });

  test('a film, whole', async () => {
    const bytes = Buffer.alloc(1_500_000, 'film');
    const key = await files().put(bytes, 'video/mp4');
    disk.cutPower();
    const film = await files().film(key);
    expect(film?.bytes).toBe(bytes.length);
    const chunks = await Promise.all([0, 1, 2].map((at) => film!.chunk(at)));
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  test('the secret that rows are encrypted with', () => {
    const { SECRET: made } = readConfig({ DATA_DIR: disk.folder });
    disk.cutPower();
    expect(readdirSync(disk.folder)).toContain('secret');
    expect(readFileSync(join(disk.folder, 'secret'), 'utf8')).toBe(made);
    expect(readConfig({ DATA_DIR: disk.folder }).SECRET).toBe(made);
  });
});
