import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './lib/files.ts';

function run(tool: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools', tool), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

test('new without a kind, or with one there is none of, lists the generators', () => {
  for (const args of [[], ['toString'], ['page']]) {
    const { status, stderr } = run('new.ts', ...args);
    expect(status).toBe(1);
    for (const kind of ['feature', 'call', 'code', 'text', 'setting', 'migration'])
      expect(stderr).toContain(`npm run new -- ${kind} <`);
  }
});

test('new refuses words it cannot take, with the usage, and writes nothing', () => {
  const { status, stdout, stderr } = run('new.ts', 'text', 'web', 'Not an id', 'ก', 'ກ', 'x');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'Not an id is not an id such as withdraw.confirm.\nnpm run new -- text <web|console> <id> <Thai> <Lao> <English>\n',
  );
});

test('test ends with its last line for any selection', () => {
  const { status, stdout, lastLine } = run('test.ts', '--watch');
  expect([status, lastLine]).toEqual([1, '0 passed, 1 failed']);
  expect(stdout).toContain('There is no option --watch.');
});

test('check refuses a gate there is none of and names those there are', () => {
  const { status, lastLine } = run('check.ts', 'no such gate');
  expect(status).toBe(1);
  expect(lastLine).toMatch(/^There is no such gate\. Gates: format and lint, types .*, tidy, .*weights\.$/);
});
