import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Prepared, type StaffFixtures, startTestEnv, type TestEnv } from './test-env.ts';

/** Where a test environment is: the one all journeys share, or one of a test's own. */
export type Place = Pick<TestEnv, 'url' | 'consoleUrl' | 'sandboxUrl' | 'dataDir' | 'staff'>;

const staff = (): StaffFixtures => JSON.parse(process.env.TEST_ENV_STAFF!);

export const sharedEnv = (): Place => ({
  url: process.env.TEST_ENV_URL!,
  consoleUrl: process.env.TEST_ENV_CONSOLE_URL!,
  sandboxUrl: process.env.TEST_ENV_SANDBOX_URL!,
  dataDir: process.env.TEST_ENV_DATA_DIR!,
  staff: staff(),
});

/** What the run's test environments begin with. */
const prepared = (): Prepared => ({
  folder: process.env.TEST_ENV_PREPARED!,
  staff: staff(),
});

/** One call of the sandbox's control API. */
// biome-ignore lint/suspicious/noExplicitAny: journeys look at whatever came back
export async function control(path: string, body?: unknown, testEnv: Place = sharedEnv()): Promise<any> {
  const reply = await fetch(`${testEnv.sandboxUrl}/control/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`control ${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

/** Runs an admin command against the test environment's database; returns its output. */
export async function admin(args: readonly string[], testEnv: Place = sharedEnv()): Promise<string> {
  const program = join(import.meta.dirname, '../apps/server/src/admin.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env: { ...process.env, DATA_DIR: testEnv.dataDir },
  });
  return stdout;
}

/** Makes a call of an operator with the console's headers; throws when it is refused. */
export async function operatorCall(
  path: string,
  body: unknown,
  testEnv: Place,
  cookie = '',
  // biome-ignore lint/suspicious/noExplicitAny: journeys look at whatever came back
): Promise<{ response: any; cookie: string }> {
  const reply = await fetch(`${testEnv.consoleUrl}/api/operator/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'console-operator',
      // Restarts the idle time: a run may take longer than it.
      'x-user-input': '1',
      origin: testEnv.consoleUrl,
      cookie,
    },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
  return { response: await reply.json(), cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

type Env = Parameters<typeof startTestEnv>[0];

/** An environment of a test's own, for what would disturb the shared one; its starter stops it. */
export const startOwnEnv = (env: Env = {}): Promise<TestEnv> =>
  // Another variant starts with other data, and so does one without a demo.
  startTestEnv(env, 'VARIANT' in env || 'DEMO' in env ? undefined : prepared());

/** The same, stopped when the work is done. */
export async function inOwnEnv(env: Env, work: (testEnv: TestEnv) => Promise<void>): Promise<void> {
  const testEnv = await startOwnEnv(env);
  try {
    await work(testEnv);
  } finally {
    await testEnv.stop();
  }
}

/** How often a call comes back to a server that asks it to. */
const REPEATS_MAX = 10;

/** One call of the product as the member app makes it; comes back when the server asks to. Throws the refusal's code. */
// biome-ignore lint/suspicious/noExplicitAny: journeys look at whatever came back
export async function call(name: string, body: unknown, token: string | null, testEnv: Place): Promise<any> {
  const [method, path] = name.split(' ') as [string, string];
  const key = randomUUID();
  const send = () =>
    fetch(`${testEnv.url}${path}`, {
      method,
      headers: {
        'x-requested-with': 'wallet-user',
        'idempotency-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  let reply = await send();
  for (let repeat = 0; reply.status === 503 && repeat < REPEATS_MAX; repeat++) {
    await new Promise((resume) => setTimeout(resume, Number(reply.headers.get('retry-after')) * 1000));
    reply = await send();
  }
  const response = (await reply.json()) as { message?: string };
  if (!reply.ok) throw new Error(`${name}: ${response.message}`);
  return response;
}

/** The code of the newest SMS to a phone. */
export async function codeFor(phone: string, testEnv: Place = sharedEnv()): Promise<string> {
  const { event, message } = await control('wait', { for: 'sms', phone, timeoutMs: 60_000 }, testEnv);
  const text: string =
    (event ?? message)?.text ?? JSON.stringify(await control(`sms?phone=${phone}`, undefined, testEnv));
  return /\b(\d{6})\b/.exec(text)![1]!;
}
