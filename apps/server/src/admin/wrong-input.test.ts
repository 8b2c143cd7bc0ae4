import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databaseUrlOf } from '../crash/fixtures/server.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { commandLine, commandsHere, countRows, isOneSentence } from './fixtures/command-line.ts';

const env = await startTestEnv({ jobs: false });
const databaseUrl = await databaseUrlOf(env.pool);
const admin = commandLine(databaseUrl);
const here = commandsHere(databaseUrl);
const { id } = await env.member({ amountMinor: 50_000n });
// A number that no member of the demo has, as one of the test members may.
const phone = '0898765432';
await env.owner.query('update member set phone = $1 where id = $2', [phone, id]);
const [meant, other] = [await env.member(), await env.member()];
await env.owner.query('update member set phone = $1 where id = $2', [String(meant.id), other.id]);

const wrong: [string[], RegExp][] = [
  [['credit'], /phone or id is missing/],
  [['credit', '1', '5', 'x'], /no member 1/],
  [['credit', String(id)], /amount is missing/],
  [['credit', String(id), '5'], /reason is missing/],
  ...['0', '5.001', '1e3', 'five', '0x10', '', ' ', 'Infinity', '99999999999999999'].map(
    (amount): [string[], RegExp] => [['credit', String(id), amount, 'x'], /amount/],
  ),
  [['credit', String(id), '-5', 'x'], /no option '-5'/],
  [['credit', String(id), '--', '-5', 'x'], /no amount/],
  [['credit', String(id), '5', 'paid', 'late'], /late is one argument too many/],
  [['debit', String(id), '9999999', 'x'], /holds less/],
  ...[['credit'], ['debit'], ['coins', 'grant'], ['member', 'close']].map((command): [string[], RegExp] => [
    [...command, String(meant.id), ...(command[0] === 'member' ? [] : ['5']), 'x'],
    /means members \d+ and \d+/,
  ]),
  [['coins', 'grant', String(id), '1.5', 'x'], /no number of coins/],
  [['withdrawal', 'approve', 'WD0', 'x'], /no withdrawal WD0/],
  [['withdrawal', 'refuse'], /id is missing/],
  [['member', 'suspend', phone], /reason is missing/],
  [['member', 'show', '0999999999'], /no member 0999999999/],
  [['session', 'end'], /phone or id is missing/],
  [['operator', 'create', 'x', 'admin'], /small letters/],
  [['operator', 'create', 'somsri', 'king'], /no role king/],
  [['operator', 'code', 'nobody'], /no operator nobody/],
  [['operator', 'reset', 'nobody'], /no operator nobody/],
  [['setting', 'set', 'no.such', '1'], /no setting no\.such/],
  [['setting', 'set', '__proto__', '1'], /no setting __proto__/],
  [['setting', 'set', 'qr.minutes', '"ten"'], /does not take/],
  [['setting', 'set', 'qr.minutes', 'ten'], /no JSON/],
  [['setting', 'set', 'withdraw.playedTimes', '1.5'], /whole numbers from/],
  [['setting', 'set', 'refund.percent', '2.5'], /whole numbers from/],
  [['setting', 'set', 'coin.dayMax', '2.5'], /whole numbers from/],
  [['setting', 'set', 'refund.most', '{"BAHT":5000,"LAK":0.5}'], /of LAK with none/],
  [
    ['setting', 'set', 'withdraw.minimum', '{"BAHT":100000,"LAK":1}'],
    /withdraw\.minimum above withdraw\.maximum/,
  ],
  [['setting', 'set', 'service.terminated', 'true'], /does not take/],
  [['content', 'set', 'conditions', 'fr', '1'], /Usage/],
  ...(
    [
      ['info', '{}'],
      ['info', '"a name"'],
      ['info', '{"name":"ตลาด"}'],
      ['info', '{"name":"ตลาด","website":null}'],
      ['info', '{"name":"ตลาด","website":"","logo":"x"}'],
      ['contact', '{}'],
      ['contact', '[]'],
      ['contact', '{"contactText":"x","lineName":"x","lineLink":7}'],
      ['contact', '{"contactText":"x","lineName":"x","lineLink":"","picture":5}'],
      ['news', '{"notice":"x"}'],
      ['notice', 'null'],
      ['conditions', '"one"'],
      ['conditions', '["one", 2]'],
      ['conditions', '{"0":"one"}'],
    ] as const
  ).map(([key, json]): [string[], RegExp] => [
    ['content', 'set', key, 'th', json],
    new RegExp(`^${key} takes `),
  ]),
  [
    ['content', 'set', 'info', 'th', '{"name":" ","website":""}'],
    /INVALID_REQUEST name: nothing was changed/,
  ],
  [
    ['content', 'set', 'info', 'th', '{"name":"x","website":"ftp://x"}'],
    /INVALID_REQUEST website: nothing was changed/,
  ],
  [['content', 'set', 'agreements', 'la', '["<p></p>"]'], /INVALID_REQUEST la: nothing was changed/],
  [['source', 'add', 'x', 'y'], /Lao text is missing/],
  [['source', 'add', 'Bad Code', 'y', 'y', 'y'], /^code: /],
  [['source', 'add', 'radio', 'y'.repeat(81), 'y', 'y'], /^th: /],
  [['source', 'add', 'radio', 'y', '<b> </b>', 'y'], /INVALID_REQUEST: nothing was changed/],
  [['export', 'secrets', '/tmp/x.csv'], /no export secrets/],
  [['export', 'members', '/nowhere/at/all.csv'], /ENOENT/],
  [['demo'], /members is missing/],
  [['demo', '--members'], /value of the option '--members/],
  [['demo', '--members', '10', '--days'], /value of the option '--days/],
  [['demo', '--members', '10', '--weeks', '2'], /no option '--weeks'/],
  [['demo', '--members', 'ten', '--days', '2'], /members is a whole number from 1 to 1000000/],
  [['demo', '--members', '10', '--days', '0'], /days is a whole number from 1 to 3650/],
  [['demo', '--members', '10', '--days', '2', '1.5'], /seed is a whole number/],
  [['demo', '--members', '10', '--days', '2'], /3 members who are not of the demo/],
  [['backup'], /file is missing/],
  [['backup', '/nowhere/at/all.backup'], /ENOENT|nowhere/],
  [['restore', '/nowhere/at/all.backup'], /nowhere/],
];

test('wrong input is answered with one sentence and code 1, and nothing is written', async () => {
  // The news of the member's money is on its way out still.
  await until(async () => (await env.pool.query('select 1 from outbox')).rows.length === 0);
  const before = await countRows(env.owner);
  for (const [args, sentence] of wrong) {
    const ended = await here(args);
    expect(ended, args.join(' ')).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringMatching(sentence),
    });
    expect(isOneSentence(ended.error), ended.error).toBe(true);
  }
  // The program itself says and ends as its commands do.
  const [args, sentence] = wrong[0]!;
  expect(await admin(args)).toMatchObject({ code: 1, out: '', error: expect.stringMatching(sentence) });
  expect(await countRows(env.owner)).toEqual(before);
});

const run = (program: string, ...args: string[]) => execFileSync(program, args);
const canMount = process.platform === 'linux' && process.getuid?.() === 0;
test.skipIf(!canMount)(
  'an export to a full disk is one sentence, and leaves no file that looks whole',
  async () => {
    const disk = mkdtempSync(join(tmpdir(), 'krapao-export-'));
    run('mount', '-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk);
    try {
      const reason = 'x'.repeat(20_000);
      await env.owner.query(
        "insert into audit (at, actor, action, subject, reason) values (now(), 'test', 'test', 'test', $1)",
        [reason],
      );
      const full = await admin(['export', 'audit', join(disk, 'audit.csv')]);
      expect(full).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/ENOSPC/) });
      expect(isOneSentence(full.error), full.error).toBe(true);
      expect(readdirSync(disk)).toEqual([]);
      writeFileSync(join(disk, 'members.csv'), 'of yesterday');
      const again = await admin(['export', 'members', join(disk, 'members.csv')]);
      expect(again).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/is there already/) });
      expect(readFileSync(join(disk, 'members.csv'), 'utf8')).toBe('of yesterday');
    } finally {
      run('umount', '-l', disk);
      rmSync(disk, { recursive: true });
    }
  },
);

test('a database that is not there, or settings that cannot be, are one sentence too', async () => {
  const away = await admin(['ledger', 'verify'], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' });
  const variant = await admin(['ledger', 'verify'], { VARIANT: 'xx' });
  const secret = await admin(['ledger', 'verify'], { SECRET: 'not the one that the values are sealed with' });
  expect(secret.error).toMatch(/^SECRET is not the one/);
  for (const ended of [away, variant, secret]) {
    expect(ended.code).toBe(1);
    expect(ended.error.trim().split('\n')).toHaveLength(1);
  }
});
