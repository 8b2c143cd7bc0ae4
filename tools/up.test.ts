import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let root: string;

const LOCK = {
  packages: {
    '': {},
    'node_modules/used': { version: '1.0.0' },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/other-system': { version: '1.0.0', optional: true },
  },
};

/** Replaces npm: records its arguments and records the requested packages. */
const NPM = `
  const fs = require('node:fs');
  fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
  const lock = JSON.parse(fs.readFileSync('package-lock.json'));
  if (process.argv.includes('--omit=dev')) delete lock.packages['node_modules/tool'];
  delete lock.packages['node_modules/other-system'];
  fs.mkdirSync('node_modules', { recursive: true });
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));`;

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'krapao-up-'));
  mkdirSync(join(root, 'tools'));
  mkdirSync(join(root, 'bench'));
  cpSync(join(import.meta.dirname, 'up.mjs'), join(root, 'tools', 'up.mjs'));
  write('package-lock.json', JSON.stringify(LOCK));
  write('npm-cli.js', NPM);
  write(
    'tools/start.ts',
    'console.log("started", process.argv.slice(2).join(" ") as string); process.exitCode = 7;',
  );
  write(
    'tools/test.ts',
    'process.once("SIGTERM", () => process.exit(5)); setInterval(() => {}, 1e6); console.log("up");',
  );
  write('bench/post.ts', 'console.log("bench", process.argv.slice(2).join(" "));');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function up(...args: string[]) {
  return spawnSync(process.execPath, [join(root, 'tools/up.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, npm_execpath: join(root, 'npm-cli.js') },
  });
}

const npmCalls = () => readFileSync(join(root, 'npm-calls'), 'utf8').trim().split('\n');

test('a fresh clone installs what starting needs, then nothing more; the exit code is passed on', () => {
  const first = up('start', 'x');
  expect(first.status).toBe(7);
  expect(first.stdout).toContain('started start x');
  expect(up('start').status).toBe(7);
  expect(npmCalls()).toEqual(['ci --omit=dev']);
});

test('testing completes the packages, and starting is content with more', () => {
  up('start');
  up('bench', 'post');
  up('start');
  expect(npmCalls()).toEqual(['ci --omit=dev', 'ci']);
});

test('a changed lock file installs again', () => {
  up('start');
  write('package-lock.json', JSON.stringify(LOCK).replaceAll('1.0.0', '1.0.1'));
  up('start');
  expect(npmCalls()).toEqual(['ci --omit=dev', 'ci --omit=dev']);
});

test('a manual install of npm counts, and so does what npm left out of its record', () => {
  spawnSync(process.execPath, ['npm-cli.js', 'ci'], { cwd: root });
  up('start');
  expect(npmCalls()).toEqual(['ci']);
  write(
    'npm-cli.js',
    NPM.replace(
      "delete lock.packages['node_modules/other-system']",
      "delete lock.packages['node_modules/used']",
    ),
  );
  write('package-lock.json', JSON.stringify(LOCK).replaceAll('1.0.0', '1.0.2'));
  expect(up('start').status).toBe(7);
  expect(up('start').status).toBe(7);
  expect(npmCalls()).toEqual(['ci', 'ci --omit=dev']);
});

test('a failing install ends with its code and starts nothing', () => {
  write('npm-cli.js', 'process.exit(9)');
  const { status, stdout } = up('start');
  expect(status).toBe(9);
  expect(stdout).not.toContain('started');
});

test('an unknown command or bench names those there are', () => {
  expect(up('toString').stderr).toContain('One of: start, dev, serve');
  expect(up('bench', 'nothing').stderr).toContain('one of: post');
  expect(up('bench', 'post', 'deep').stdout).toContain('bench deep');
});

test('SIGTERM reaches the program, whose code is ours', async () => {
  const child = spawn(process.execPath, [join(root, 'tools/up.mjs'), 'test'], {
    env: { ...process.env, npm_execpath: join(root, 'npm-cli.js') },
  });
  const ended = new Promise((done) => child.once('exit', done));
  await new Promise<void>((done) => {
    child.stdout.on('data', (text) => String(text).includes('up') && done());
  });
  child.kill('SIGTERM');
  expect(await ended).toBe(5);
});
