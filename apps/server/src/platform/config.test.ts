import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseUrlOf, startServer } from '../crash/fixtures/server.ts';
import { ENVIRONMENT, readConfig, warningsOf } from './config.ts';
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
  BANK_A_SECRET: 'a promise of the river',
  BANK_A_WEBHOOK_SECRET: 'what the river confirms',
  SMS_KEY: 'account-4711',
  SMS_SECRET: 'a ferryman with no boat',
  GAME_F_KEY: '{agent}-of-this-product',
  GAME_F_CAT: 'two dice and a kettle',
};

/** The same with every partner and key there can be. */
const CONNECTED: Record<string, string> = {
  ...PRODUCTION,
  METRICS_KEY: 'what our monitoring says first',
  HOOKS_URL: 'https://hooks.example',
  WW_URL: 'https://ww.example',
  WW_KEY: 'merchant-0815',
  WW_CALLBACK_SECRET: 'agreed upon by telephone',
  ZAPMAN_URL: 'https://zapman.example',
  ZAPMAN_KEY: 'shop-of-the-river',
  ZAPMAN_CALLBACK_SECRET: 'agreed upon by letter',
  BANK_B_URL: 'https://watch.example',
  BANK_B_KEY: 'eyes on the account of us',
  SLIP_URL: 'https://slips.example',
  SLIP_KEY: 'reads papers all day',
  GIFT_URL: 'https://gift.example',
  GIFT_MOBILE: '0810000000',
  FILES_S3_URL: 'https://s3.example',
  FILES_S3_BUCKET: 'files-of-the-river',
  FILES_S3_KEY: 'AKIAFERRY0815RIVER',
  FILES_S3_SECRET: 'kept in the boat shed',
  GAME_J_URL: 'https://games.example',
  GAME_J_SECRET: '{agent} rolls the dice again',
};
const SETTINGS: [string, { secret?: string | false; fallback: string }][] = Object.entries(ENVIRONMENT);
const SECRETS = SETTINGS.filter(([, { secret }]) => secret);

describe('production', () => {
  test('starts with secrets of its own', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ production: true });
  });

  test('knows every setting that sounds like a secret as one, or says that it is none', () => {
    const sounding = SETTINGS.filter(([name]) => /KEY|SECRET|TOKEN|PASS|CAT$/.test(name));
    expect(sounding.filter(([, { secret }]) => secret === undefined).map(([name]) => name)).toEqual([]);
    const known = SETTINGS.filter(([, { fallback }]) => /^sandbox-/.test(fallback));
    expect(known.filter(([, { secret }]) => !secret).map(([name]) => name)).toEqual([]);
  });

  test('starts with every partner connected, each with a secret of its own', () => {
    expect(readConfig(CONNECTED)).toMatchObject({ production: true, sandbox: true });
  });

  test.each(SECRETS.map(([name]) => name))('refuses to start with a %s that is missing or known', (name) => {
    const named = new RegExp(`^${name} is missing, short or known`);
    const isOptional = name === 'METRICS_KEY';
    for (const value of [
      ...(isOptional ? [] : [undefined, '']),
      `sandbox-${'x'.repeat(40)}`,
      'secret',
      'changeme',
      'password',
      'ChangeMe!',
      'change-me-in-production-please',
      'supersecretsupersecretsupersecretsupersecret',
      'secret1234secret1234secret1234secret1234',
      'x'.repeat(64),
      'ab'.repeat(32),
      'k7#Qw2!z'.repeat(5),
      '0123456789012345678901234567890123456789',
      'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
      '{agent}',
    ])
      expect(() => readConfig({ ...CONNECTED, [name]: value }), `${name}=${value}`).toThrow(named);
    if (isOptional) expect(readConfig({ ...CONNECTED, [name]: undefined })).toMatchObject({ [name]: '' });
  });

  test.each(
    SECRETS.map(([name, { secret }]) => [name, { material: 32, shared: 16, issued: 8 }[secret as 'shared']]),
  )('refuses a %s of less than %i characters', (name, least) => {
    const random = 'q7Zr2mVx9Lc4Tn6Bw8Kd3Hs5Jf1Gp0Yt';
    const withLength = (length: number) => ({ ...CONNECTED, [name]: random.slice(0, length) });
    expect(() => readConfig(withLength(least - 1))).toThrow(name);
    expect(() => readConfig(withLength(least))).not.toThrow();
  });

  test('warns where operators may come from everywhere, and where a partner is on this machine', () => {
    expect(warningsOf(readConfig(CONNECTED))).toEqual([
      expect.stringContaining('CONSOLE_ADDRESSES'),
      expect.stringContaining('on this machine'),
    ]);
    const apart = {
      BANK_A_URL: 'https://bank.example',
      SMS_URL: 'https://sms.example',
      GAME_F_URL: 'https://f.example',
    };
    expect(warningsOf(readConfig({ ...CONNECTED, ...apart, CONSOLE_ADDRESSES: '192.0.2.0/24' }))).toEqual([]);
    expect(warningsOf(readConfig({ DATA_DIR: dataDir, SECRET: 'x' }))).toEqual([]);
  });

  test.each(['WW', 'ZAPMAN'])(
    'does without %s until its address is set, and then wants its secrets',
    (name) => {
      expect(readConfig(PRODUCTION)).toMatchObject({ [`${name}_URL`]: '', [`${name}_KEY`]: '' });
      const connected = { ...PRODUCTION, [`${name}_URL`]: 'https://pay.example' };
      expect(() => readConfig(connected)).toThrow(`${name}_KEY`);
      expect(() => readConfig({ ...connected, [`${name}_KEY`]: 'ours-4711' })).toThrow(
        `${name}_CALLBACK_SECRET`,
      );
      const secrets = { [`${name}_KEY`]: 'ours-4711', [`${name}_CALLBACK_SECRET`]: 'sixteen or longer' };
      expect(() => readConfig({ ...connected, ...secrets })).toThrow('HOOKS_URL is missing.');
      const reached = { ...connected, ...secrets, HOOKS_URL: 'https://krapao.example' };
      expect(readConfig(reached)).toMatchObject(secrets);
    },
  );

  test('sends reports only under a sender of its own', () => {
    const SMTP_URL = 'smtps://user:word@mail.example:465';
    expect(() => readConfig({ ...PRODUCTION, SMTP_URL })).toThrow('MAIL_FROM is missing.');
    for (const MAIL_FROM of [
      'reports@krapao.example',
      'Krapao <reports@krapao.example>',
      '"Krapao Co., Ltd." <reports@krapao.example>',
      'รายงาน <reports@ตัวอย่าง.ไทย>',
      'reports@mail_1.krapao.example',
    ]) {
      const mail = { SMTP_URL, MAIL_FROM };
      expect(readConfig({ ...PRODUCTION, ...mail })).toMatchObject(mail);
    }
    for (const MAIL_FROM of [
      'Krapao',
      'reports@',
      'Krapao <reports@krapao.example',
      'a@b.example>',
      'a@b.example, c@d.example',
      '"Krapao" reports@krapao.example>',
      'Krapao, Ltd. <reports@krapao.example>',
    ])
      expect(() => readConfig({ ...PRODUCTION, SMTP_URL, MAIL_FROM }), MAIL_FROM).toThrow(
        'MAIL_FROM must be an address',
      );
  });

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

test('elsewhere the secret is made once and stored, readable by its owner only', () => {
  const first = readConfig({ DATA_DIR: dataDir }).SECRET;
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(readConfig({ DATA_DIR: dataDir }).SECRET).toBe(first);
});

test('partners without an address are the sandbox, on the port it listens on', () => {
  const config = readConfig({ DATA_DIR: dataDir, SANDBOX_PORT: '4711' });
  const addresses = SETTINGS.filter(([, { fallback }]) => fallback.includes('{SANDBOX_PORT}'));
  expect(addresses.length).toBeGreaterThan(9);
  for (const [name, { fallback }] of addresses) {
    const [path] = /\/outside\/.*/.exec(fallback)!;
    expect(config[name as 'BANK_A_URL']).toBe(`http://127.0.0.1:4711${path}`);
  }
  const other = { DATA_DIR: dataDir, SANDBOX_PORT: '4711', BANK_A_URL: 'https://bank.example' };
  expect(readConfig(other).BANK_A_URL).toBe('https://bank.example');
});

test('a backend address that is no origin is refused in one sentence', () => {
  for (const wrong of ['https://api.example/', 'https://api.example/base', 'api.example', '/api'])
    expect(() => readConfig({ API_BASE: wrong })).toThrow('API_BASE must be an origin');
  expect(readConfig({ API_BASE: 'https://api.example:8443' }).API_BASE).toBe('https://api.example:8443');
});

test('roles are read, and unknown ones or a part without a database of its own refused', () => {
  expect([...readConfig({}).roles]).toEqual(['api', 'console', 'worker']);
  const part = { DATABASE_URL: 'postgres://localhost/krapao', ROLES: 'console, worker' };
  expect([...readConfig(part).roles]).toEqual(['console', 'worker']);
  for (const ROLES of ['wheel', 'api,,worker', ' '])
    expect(() => readConfig({ ...part, ROLES })).toThrow('ROLES must be some of api, console, worker');
  expect(() => readConfig({ ROLES: 'api' })).toThrow('set DATABASE_URL');
});

test('a maximum of pending calls that is no whole number above 0 is refused', () => {
  for (const STOP_DELAY_SECONDS of ['-1', '1.5', '1000', 'long'])
    expect(() => readConfig({ STOP_DELAY_SECONDS })).toThrow(
      'STOP_DELAY_SECONDS must be a whole number below 1000',
    );
  for (const CALLS_MAX of ['0', '-1', '1.5', 'many'])
    expect(() => readConfig({ CALLS_MAX })).toThrow('CALLS_MAX must be a whole number above 0');
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
    await expect.poll(() => server.output()).toContain('CONSOLE_ADDRESSES is empty');
    for (const table of ['member', 'slot', 'deposit_account', 'operator', 'session'])
      expect((await pool.query(`select 1 from ${table}`)).rows, table).toEqual([]);
    expect(await server.stop()).toBe(0);
    await pool.end();
  });
});
