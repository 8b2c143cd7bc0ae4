import { afterAll, expect, test } from 'vitest';
import { databaseUrlOf, startServer } from '../crash/fixtures/server.ts';
import { DEMO_MEMBER } from '../demo.ts';
import { CONSOLE_HEADERS } from '../testing/operator.ts';
import { freePort } from '../testing/ports.ts';
import { testDatabase } from './database/testing.ts';

const database = await testDatabase();
const consolePort = String(await freePort());
const server = await startServer({
  DATABASE_URL: await databaseUrlOf(database.owner),
  CONSOLE_PORT: consolePort,
});
afterAll(() => server.stop());

const lines = (): Record<string, unknown>[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.msg === 'security');
const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const login = (password: string, username: string = DEMO_MEMBER.phone) =>
  post(`${server.url}/api/login`, { username, password });
const FINGERPRINT = expect.stringMatching(/^[\w-]{16}$/);
const WRONG = 'ผิด-แน่นอน';

test('every login, denial and limit is one line at the default level, with fingerprints for names', async () => {
  const { token } = (await (await login(DEMO_MEMBER.password)).json()) as { token: string };
  await login(WRONG);
  for (let time = 0; time < 10; time++) await login(WRONG);
  await login(WRONG, '0890000001');
  await fetch(`${server.url}/api/wallet`, { headers: { authorization: 'Bearer nonsense-token' } });
  const operatorOrigin = `http://127.0.0.1:${consolePort}`;
  const headers = { ...CONSOLE_HEADERS, origin: operatorOrigin, host: `127.0.0.1:${consolePort}` };
  const operator = { name: 'demo-admin', password: WRONG, code: '000000' };
  await post(`${operatorOrigin}/api/operator/login`, operator, headers);
  await post(`${operatorOrigin}/api/operator/login`, operator, { ...headers, origin: 'http://elsewhere' });
  await fetch(`${operatorOrigin}/api/operator/today`, { headers });
  await expect.poll(() => lines().length).toBe(17);

  const of = (event: string, code: string) =>
    lines().filter((one) => one.event === event && one.code === code);
  const call = 'POST /api/login';
  expect(of('login', 'OK')).toEqual([
    expect.objectContaining({ call, address: '127.0.0.1', kind: 'member', fingerprint: FINGERPRINT }),
  ]);
  const member = of('login', 'OK')[0]!.fingerprint;
  const wrong = of('login', 'WRONG_CREDENTIAL');
  expect(wrong.filter((one) => one.fingerprint === member)).toHaveLength(10);
  expect(wrong.filter((one) => one.kind === 'member' && one.fingerprint !== member)).toHaveLength(1);
  expect(of('login', 'REQUEST_LIMIT')).toMatchObject([{ call, fingerprint: member }]);
  expect(of('denied', 'invalid-token')).toMatchObject([
    { call: 'GET /api/wallet', address: '127.0.0.1' },
    { call: 'GET /api/operator/today', address: '127.0.0.1' },
  ]);
  expect(wrong.filter((one) => one.kind === 'operator')).toMatchObject([
    { call: 'POST /api/operator/login', fingerprint: FINGERPRINT },
  ]);
  expect(of('login', 'UNAUTHORIZED')).toMatchObject([{ note: 'foreign origin' }]);
  for (const secret of [
    DEMO_MEMBER.phone,
    '0890000001',
    DEMO_MEMBER.password,
    WRONG,
    token,
    'nonsense-token',
  ])
    expect(JSON.stringify(lines())).not.toContain(secret);
  expect(JSON.stringify(lines())).not.toContain('demo-admin');

  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('krapao_security_events_total{event="login",code="OK"} 1');
  expect(metrics).toContain('krapao_security_events_total{event="login",code="REQUEST_LIMIT"} 1');
  expect(metrics).toContain('krapao_security_events_total{event="denied",code="invalid-token"} 2');
  expect(metrics).toMatch(/krapao_passwords_hashed_total\{lane="operator"\} \d/);
  expect(metrics).toContain('krapao_passwords_waiting{lane="member"} 0');
  expect(metrics).toContain('krapao_passwords_refused_total{lane="operator",reason="full"} 0');
});

test('a flood is counted whole and written in part, and the log says how much it left out', async () => {
  const before = lines().length;
  const denials = 1500;
  for (let round = 0; round < denials / 100; round++)
    await Promise.all(Array.from({ length: 100 }, () => fetch(`${server.url}/api/wallet`)));
  const count = async () =>
    Number(
      /denied",code="invalid-token"\} (\d+)/.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1],
    );
  await expect.poll(count).toBe(2 + denials);
  await expect
    .poll(async () => {
      await fetch(`${server.url}/api/wallet`);
      const events = lines().slice(before);
      const left = events.reduce((sum, one) => sum + (one.event === 'left-out' ? Number(one.lines) : 0), 0);
      return left + events.filter((one) => one.event === 'denied').length >= denials;
    })
    .toBe(true);
});

test('confirmations that are not signed are written within the same bound, each at most once', async () => {
  const before = server.output().length;
  const path = '/hooks/bank-a/confirmation';
  const unsigned = () => post(server.url + path, {});
  const posts = Array.from({ length: 300 }, unsigned);
  for (const reply of await Promise.all(posts)) expect(reply.status).toBe(401);
  const since = () => server.output().slice(before);
  // The lines of this second may be used up by the test before: one more is written in the next second.
  const sinceOneMore = () => unsigned().then(since);
  await expect.poll(sinceOneMore).toContain(`"note":"confirmation refused"`);
  expect(since()).toContain(`"call":"POST ${path}"`);
  const written = since()
    .split('\n')
    .filter((line) => line.includes('refused') || line.includes(path));
  expect(written.filter((line) => JSON.parse(line).msg !== 'security')).toEqual([]);
});

test.each(['trace', 'debug'])('at the level %s every request is logged', async (level) => {
  const talkative = await startServer({
    DATABASE_URL: await databaseUrlOf(database.owner),
    LOG_LEVEL: level,
  });
  await fetch(`${talkative.url}/api/wallet`);
  await expect.poll(() => talkative.output()).toContain('incoming request');
  await talkative.stop();
});
