import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { storeTests } from './fixtures/store-tests.ts';
import { folderStore } from './folder.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'krapao-folder-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

describe('files in a folder', () => {
  storeTests(folderStore(dataDir));

  test('fill a disk that says how much is left', async () => {
    expect(await folderStore(dataDir).freeBytes()).toBeGreaterThan(0);
  });
});
