import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { featureFiles, isFeatureName } from './feature-template.ts';
import { ROOT } from './files.ts';
import { breachesIn } from './tidy-rules.ts';

const BIOME = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

test('names are kebab-case and short', () => {
  expect(isFeatureName('daily-prize')).toBe(true);
  for (const name of ['', 'Daily', 'daily_prize', '-a', 'a-', '1a', 'a'.repeat(31)]) {
    expect(isFeatureName(name), name).toBe(false);
  }
});

test('a new feature is formatted and tidy, however short or long its name', { timeout: 30_000 }, async () => {
  for (const name of ['a', 'a-name-of-thirty-characters-ok']) {
    for (const [path, text] of Object.entries(featureFiles(name))) {
      expect(await breachesIn(path, text)).toEqual([]);
      const args = [BIOME, 'check', `--stdin-file-path=${path}`];
      const result = spawnSync(process.execPath, args, { cwd: ROOT, input: text, encoding: 'utf8' });
      expect(result.stdout, path).toBe(text);
    }
  }
});
