import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseUrlOf, startServer } from '../crash/fixtures/server.ts';
import { readConfig } from './config.ts';
import { createPool } from './database/connect.ts';
import { emptyDatabase } from './database/testing.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'krapao-config-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

/** Settings a real installation could have. */
const PRODUCTION: Record<string, string> = {
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  SECRET: 'correct horse battery staple, twice over',
  BANK_A_KEY: 'kbank-application',
  BANK_A_SECRET: 'a secret of the bank',
  BANK_A_WEBHOOK_SECRET: 'a secret of its confirmations',
  SMS_KEY: 'gateway',
  SMS_SECRET: 'a secret of the gateway',
  GAME_F_KEY: '{agent}-of-the-house',
  GAME_F_CAT: 'a second key of games',
};

describe('production', () => {
  test('starts with secrets of its own', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ production: true });
  });

  test.each([
    'SECRET',
    'BANK_A_KEY',
    'BANK_A_SECRET',
    'BANK_A_WEBHOOK_SECRET',
    'SMS_KEY',
    'SMS_SECRET',
    'GAME_F_KEY',
    'GAME_F_CAT',
  ])('refuses to start without %s, or with the one the sandbox knows', (name) => {
    const named = new RegExp(`^${name} is missing, short or known`);
    for (const value of [undefined, '', `sandbox-${'x'.repeat(40)}`])
      expect(() => readConfig({ ...PRODUCTION, [name]: value })).toThrow(named);
  });

  test.each([
    ['SECRET', 31],
    ['BANK_A_SECRET', 15],
    ['BANK_A_WEBHOOK_SECRET', 15],
    ['SMS_SECRET', 15],
    ['GAME_F_CAT', 15],
  ])('refuses a %s of %i characters', (name, length) => {
    expect(() => readConfig({ ...PRODUCTION, [name]: 'x'.repeat(length) })).toThrow(name);
    expect(() => readConfig({ ...PRODUCTION, [name]: 'x'.repeat(length + 1) })).not.toThrow();
  });

  test.each(['WW', 'ZAPMAN'])(
    'does without %s until its address is set, and then wants its secrets',
    (name) => {
      expect(readConfig(PRODUCTION)).toMatchObject({ [`${name}_URL`]: '', [`${name}_KEY`]: '' });
      const connected = { ...PRODUCTION, [`${name}_URL`]: 'https://pay.example' };
      expect(() => readConfig(connected)).toThrow(`${name}_KEY`);
      expect(() => readConfig({ ...connected, [`${name}_KEY`]: 'ours' })).toThrow(`${name}_CALLBACK_SECRET`);
      const secrets = { [`${name}_KEY`]: 'ours', [`${name}_CALLBACK_SECRET`]: 'sixteen or longer' };
      expect(() => readConfig({ ...connected, ...secrets })).toThrow('HOOKS_URL is missing.');
      const reached = { ...connected, ...secrets, HOOKS_URL: 'https://krapao.example' };
      expect(readConfig(reached)).toMatchObject(secrets);
    },
  );

  test('does without gift links until their address is set, and then wants the number of its own wallet', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ GIFT_URL: '', GIFT_MOBILE: '' });
    const connected = { ...PRODUCTION, GIFT_URL: 'https://gift.example' };
    expect(() => readConfig(connected)).toThrow('GIFT_MOBILE is missing.');
    expect(readConfig({ ...connected, GIFT_MOBILE: '0810000000' })).toMatchObject({
      GIFT_MOBILE: '0810000000',
    });
  });

  test('refuses a clock that can be moved', () => {
    expect(() => readConfig({ ...PRODUCTION, CLOCK_URL: 'http://127.0.0.1:1' })).toThrow('CLOCK_URL');
  });

  test('never makes up a secret', () => {
    expect(() => readConfig({ ...PRODUCTION, SECRET: undefined })).toThrow();
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

test('elsewhere the secret is made once and kept, for its owner alone', () => {
  const first = readConfig({ DATA_DIR: dataDir }).SECRET;
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(readConfig({ DATA_DIR: dataDir }).SECRET).toBe(first);
});

test('a backend address that is no origin is refused in one sentence', () => {
  for (const wrong of ['https://api.example/', 'https://api.example/base', 'api.example', '/api'])
    expect(() => readConfig({ API_BASE: wrong })).toThrow('API_BASE must be an origin');
  expect(readConfig({ API_BASE: 'https://api.example:8443' }).API_BASE).toBe('https://api.example:8443');
});

test('a variant that does not exist is refused in one sentence', () => {
  expect(() => readConfig({ VARIANT: 'xx' })).toThrow('VARIANT must be th or la.');
});

describe('the program', () => {
  test('ends with code 1 and the sentence when a secret is weak', async () => {
    const weak = startServer({ ...PRODUCTION, BANK_A_SECRET: 'short' });
    await expect(weak).rejects.toThrow('BANK_A_SECRET is missing, short or known');
  });

  test('seeds nothing in production: no member, no game, no deposit account', async () => {
    const database = await emptyDatabase();
    const pool = createPool(database.owner, {
      max: 1,
      applicationName: 'test',
      statementTimeoutMs: 10_000,
    });
    const server = await startServer({ ...PRODUCTION, DATABASE_URL: await databaseUrlOf(pool) });
    for (const table of ['member', 'slot', 'deposit_account', 'operator', 'session'])
      expect((await pool.query(`select 1 from ${table}`)).rows, table).toEqual([]);
    expect((await server.stop()).code).toBe(0);
    await pool.end();
  });
});
