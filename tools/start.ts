/**
 * Starts sandbox and server: `start` (built app, sandbox, server), `dev` (the same, restarting on changes, with Vite in front)
 * and `serve` (production: the server alone). Ends with code 0 at a stop signal, with 1 when a program ends by
 * itself.
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ROOT } from './lib/files.ts';
import { type Program, type Running, startProgram } from './lib/start-programs.ts';
import { ensureWebBuilt, requireWebBuilt } from './lib/web-build.ts';

type Mode = 'start' | 'dev' | 'serve';

const { HOST = '127.0.0.1', PORT = '3000', CONSOLE_PORT = '3001', SANDBOX_PORT = '3100' } = process.env;
/** A first start fills in so many days of history. */
const { DEMO_DAYS = '60' } = process.env;
const DEV_PORT = '5173';
const DEV_CONSOLE_PORT = '5174';
/** Where this machine itself reaches an address meant for listening. */
const NEAR = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
/** The account that a first start fills in, outside production. */
const DEMO_LOGIN = '0815550142 and the password krapao-demo';
/** Operators it fills in beside it: one a role, with the codes of generated authenticators. */
const DEMO_OPERATORS = [
  'demo-finance, demo-finance-lead, demo-admin … and the password krapao-demo-desk;',
  'the code of the moment: npm run admin -- operator code demo-finance',
];

/**
 * glibc gives every thread arenas of its own and keeps what was freed in them: pictures leave hundreds of megabytes behind.
 * Two arenas are what sharp advises (https://sharp.pixelplumbing.com/install/#linux-memory-allocator).
 */
const MEMORY = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' };

function server(mode: Mode): Program {
  return {
    name: 'The server',
    args: [...(mode === 'dev' ? ['--watch'] : []), 'apps/server/src/main.ts'],
    environment: {
      ...MEMORY,
      HOST,
      PORT,
      CONSOLE_PORT,
      // The first start logs a thousand events of its invented history, which would hide the addresses printed at its end.
      ...(mode === 'start' && { LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' }),
      ...(mode === 'serve' ? { NODE_ENV: 'production' } : { SANDBOX_PORT, DEMO_DAYS }),
    },
    healthUrl: `http://${NEAR}:${PORT}/healthz`,
  };
}

function sandbox(mode: Mode): Program {
  return {
    name: 'The sandbox',
    args: [...(mode === 'dev' ? ['--watch'] : []), 'apps/sandbox/src/main.ts'],
    environment: { SANDBOX_PORT, PRODUCT_URL: process.env.PRODUCT_URL ?? `http://${NEAR}:${PORT}` },
    healthUrl: `http://127.0.0.1:${SANDBOX_PORT}/healthz`,
  };
}

function vite(app: 'web' | 'console', port: string): Program {
  return {
    name: `Vite of the ${app}`,
    args: [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), '--port', port, '--strictPort'],
    environment: { PORT, CONSOLE_PORT },
    folder: join(ROOT, 'apps', app),
  };
}

function isFree(port: string, host: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(Number(port), host, () => probe.close(() => done(true)));
  });
}

/** Otherwise somebody else's answer on the port would be taken for ours. */
async function refuseTakenPorts(mode: Mode): Promise<void> {
  const wanted = [
    { setting: 'PORT', port: PORT, host: HOST },
    { setting: 'CONSOLE_PORT', port: CONSOLE_PORT, host: HOST },
    ...(mode === 'serve' ? [] : [{ setting: 'SANDBOX_PORT', port: SANDBOX_PORT, host: '127.0.0.1' }]),
  ];
  for (const { setting, port, host } of wanted) {
    if (!(await isFree(port, host))) {
      throw new Error(`Port ${port} is taken: stop what listens there, or set ${setting} to another.`);
    }
  }
}

function announce(mode: Mode): void {
  const app = mode === 'dev' ? `http://127.0.0.1:${DEV_PORT}/` : `http://${NEAR}:${PORT}/`;
  const consoleUrl =
    mode === 'dev' ? `http://localhost:${DEV_CONSOLE_PORT}/` : `http://${NEAR}:${CONSOLE_PORT}/`;
  const lines = [
    '',
    `  Member app   ${app}`,
    `  Console      ${consoleUrl}`,
    `  API          http://${NEAR}:${PORT}/docs`,
  ];
  if (mode !== 'serve') lines.push(`  Sandbox      http://127.0.0.1:${SANDBOX_PORT}/`);
  const hasDemo = process.env.NODE_ENV !== 'production' && process.env.DEMO !== 'false';
  if (mode !== 'serve' && hasDemo) {
    lines.push('', `  Log in with  ${DEMO_LOGIN}`);
    lines.push(
      ...DEMO_OPERATORS.map((line, index) => `${index === 0 ? '  Operators    ' : ' '.repeat(15)}${line}`),
    );
  }
  console.log([...lines, '', '  Ctrl-C stops everything.', ''].join('\n'));
}

async function startAll(mode: Mode, running: Running[]): Promise<void> {
  if (mode === 'serve') return startProgram(server(mode), running);
  // The server needs the sandbox only once somebody acts, so both may warm up side by side.
  await Promise.all([startProgram(server(mode), running), startProgram(sandbox(mode), running)]);
  if (mode !== 'dev') return;
  await startProgram(vite('web', DEV_PORT), running);
  await startProgram(vite('console', DEV_CONSOLE_PORT), running);
}

async function stopAll(running: Running[]): Promise<void> {
  // The server first: what it still does for a request may need the sandbox.
  for (const program of running) await program.stop();
}

async function main(mode: Mode): Promise<number> {
  const startedAt = Date.now();
  const signalled = new Promise<'signalled'>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => done('signalled'));
  });
  const running: Running[] = [];
  const work = async () => {
    await refuseTakenPorts(mode);
    // An image has no use for a build at its start, and its user may not write.
    if (mode === 'serve' && process.env.SERVE_BUILT === 'true') requireWebBuilt();
    else if (mode !== 'dev') await ensureWebBuilt();
    console.log(
      mode === 'serve' ? 'Starting the server …' : 'Starting the database, the server and the sandbox …',
    );
    await startAll(mode, running);
    console.log(`Ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
    announce(mode);
    return Promise.race(running.map(async (program) => `${program.name} ${await program.ended}.`));
  };
  try {
    const end = await Promise.race([work(), signalled]);
    if (end !== 'signalled') console.error(end);
    return end === 'signalled' ? 0 : 1;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  } finally {
    await stopAll(running);
  }
}

const mode = process.argv[2];
if (mode !== 'start' && mode !== 'dev' && mode !== 'serve') throw new Error('start, dev or serve?');
process.exit(await main(mode));
