import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../app.ts';
import { decodeState, encodeState } from '../environment/snapshot.ts';
import { readEnvironment } from '../settings.ts';
import { call, json, startTestEnv, type TestEnv } from '../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
afterAll(() => env.stop());

describe('clock', () => {
  test('runs, stops, jumps and continues from its time', async () => {
    const before = Date.now();
    const { body: real } = await env.control('clock');
    expect(Date.parse(real.now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(real.now)).toBeLessThanOrEqual(Date.now());
    const set = (await env.control('clock', { set: '2030-01-01T00:00:00.000Z', freeze: true })).body;
    expect(set).toMatchObject({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    expect((await env.control('clock', { advanceMs: 1500 })).body.now).toBe('2030-01-01T00:00:01.500Z');
    const thawing = Date.now();
    const thawed = (await env.control('clock', { freeze: false })).body;
    expect(Date.parse(thawed.now) - Date.parse('2030-01-01T00:00:01.500Z')).toBeLessThanOrEqual(
      Date.now() - thawing,
    );
    expect(thawed.frozen).toBe(false);
    await env.control('reset', {});
    expect((await env.control('clock')).body.offsetMs).toBe(0);
  });

  test('refuses times that are none', async () => {
    expect((await env.control('clock', { set: 'tomorrow' })).status).toBe(400);
    expect((await env.control('clock', { advanceMs: '1' })).status).toBe(400);
  });
});

describe('people', () => {
  test('move in with an account, keep their phone, and cannot share an account', async () => {
    const made = await env.control('persons', {
      name: 'มานี',
      phone: '089 000 1111',
      bankCode: 'KTB',
      balance: '12.00',
    });
    expect(made.body).toMatchObject({
      phone: '0890001111',
      // The wallet comes with the phone.
      accounts: [
        { bankCode: 'KTB', balance: '12.00' },
        { bankCode: 'TRUEMONEY', accountNo: '0890001111' },
      ],
    });
    const accountNo = made.body.accounts[0].accountNo;
    const renamed = await env.control('persons', { name: 'มานี มีนา', phone: '+66890001111' });
    expect(renamed.body).toMatchObject({ id: made.body.id, name: 'มานี มีนา' });
    const error = async (body: object) => (await env.control('persons', body)).body.error;
    expect(await error({ name: 'X', phone: '1' })).toBe('BAD_PHONE');
    expect(await error({ name: 'X', phone: '0890002222', bankCode: 'NO' })).toBe('UNKNOWN_BANK');
    expect(await error({ name: 'X', phone: '0890002222', accountNo: '12' })).toBe('INVALID_ACCOUNT');
    expect(await error({ name: 'X', phone: '0890002222', bankCode: 'KTB', accountNo })).toBe('ACCOUNT_TAKEN');
  });

  test('an account opened by a payout passes to its holder when they are added', async () => {
    await env.control('settings', { payoutDelayMs: 0 });
    const content = {
      reference: 'ST1',
      amount: '9.00',
      bankCode: '014',
      accountNo: '5550001112',
      accountName: 'N',
    };
    await env.bank('/payout', content);
    await env.control('wait', { for: 'payout', reference: 'ST1' });
    const wanted = { name: 'N', phone: '0890003333', bankCode: 'SCB', accountNo: '5550001112' };
    expect((await env.control('persons', wanted)).body.accounts[0].balance).toBe('9.00');
  });
});

describe('API', () => {
  test('unknown fields, unknown calls and other sites are refused', async () => {
    expect((await env.control('seed', { seed: 1, more: 2 })).status).toBe(400);
    expect((await env.control('nothing')).status).toBe(404);
    const foreign = json({}, { 'sec-fetch-site': 'cross-site' });
    expect((await call(`${env.sandbox.url}/control/reset`, foreign)).status).toBe(403);
  });

  test('books add up: opening plus in minus out is the balance', async () => {
    await env.control('transfer', { toBank: 'SCB', toAccount: '4078811245', amount: '1.50' });
    const { body } = await env.control('books');
    for (const { opening, in: came, out, balance } of body.accounts)
      expect(Math.round((Number(opening) + Number(came) - Number(out)) * 100)).toBe(
        Math.round(Number(balance) * 100),
      );
    expect((await env.control('state')).body.counts.accounts).toBe(body.accounts.length);
  });

  test('agents’ credit is a setting', async () => {
    const done = await env.control('settings', { agentCredit: { agent: 'imi', amount: '5.00' } });
    expect(done.status).toBe(200);
    expect((await env.game('imi', 'agent/balance')).body.data.balance).toBe('5.00');
    expect((await env.control('settings', { agentCredit: { agent: 'no', amount: 5 } })).status).toBe(400);
    await env.control('settings', { agentCredit: { agent: 'imi', amount: '0' } });
    expect((await env.game('imi', 'agent/balance')).body.data.balance).toBe('0.00');
  });
});

describe('memory', () => {
  test('lasts from one run to the next, tasks included', async () => {
    const stateFile = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'deep', 'state.json');
    const first = await startSandbox({ stateFile, seed: 9 });
    await call(`${first.url}/control/persons`, json({ name: 'Kept', phone: '0890009999' }));
    await call(
      `${first.url}/control/transfer`,
      json({ toBank: 'SCB', toAccount: '4078811245', amount: 2, delayMs: 900_000 }),
    );
    await first.stop();
    await first.stop();
    expect(readFileSync(stateFile, 'utf8')).toContain('Kept');
    const second = await startSandbox({ stateFile });
    const { body } = await call(`${second.url}/control/state`);
    expect(body.persons.at(-1).name).toBe('Kept');
    expect(body).toMatchObject({ seed: 9, tasks: [{ kind: 'transfer' }] });
    await second.stop();
  });

  test('no text can pretend to be a number or a map', async () => {
    const state = structuredClone(env.sandbox.environment.state);
    state.persons.set('x', { id: 'x', name: '{"$n":"1"}', phone: '0', createdAtMs: 1 });
    expect(decodeState(encodeState(state))).toEqual(state);
  });
});

describe('environment', () => {
  test('a real partner beside the sandbox stops it', () => {
    for (const name of ['BANK_A_URL', 'SMS_URL', 'GAME_F_URL'])
      expect(() => readEnvironment({ [name]: 'https://api.bank.example' })).toThrow(name);
    expect(() => readEnvironment({ SMS_URL: 'not an address' })).toThrow('SMS_URL');
    expect(readEnvironment({ SMS_URL: 'http://127.0.0.1:3100/outside/sms' }).port).toBe(3100);
  });

  test('defaults keep state under the data folder; memory and seed need options', () => {
    expect(readEnvironment({ DATA_DIR: 'd' }).stateFile).toBe(join('d', 'sandbox', 'state.json'));
    expect(readEnvironment({ SANDBOX_MEMORY: '1', SANDBOX_SEED: '7' })).toMatchObject({
      stateFile: null,
      seed: 7,
    });
    expect(() => readEnvironment({ SANDBOX_PORT: 'x' })).toThrow('SANDBOX_PORT');
  });
});
