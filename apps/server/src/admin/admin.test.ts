import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { databaseUrlOf } from '../crash/fixtures/server.ts';
import { LOCKS_AWAITED } from '../testing/locks.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { auditAfter, commandLine, commandsHere, countRows, lastAudit } from './fixtures/command-line.ts';

// Without jobs, so that an approved withdrawal stays where the command put it.
const env = await startTestEnv({ jobs: false });
const databaseUrl = await databaseUrlOf(env.pool);
/** In this process, for a process of its own takes a second; one test has it so. */
const admin = commandsHere(databaseUrl);
vi.stubEnv('USER', 'somsri');
vi.stubEnv('SUDO_USER', undefined);
afterAll(() => vi.unstubAllEnvs());
const member = await env.member({ amountMinor: 50_000n });
const { id } = member;

/** A command that works: what it says, and what the audit trail then has. */
async function works(args: string[], environment?: Record<string, string>, line = admin) {
  const before = await lastAudit(env.owner);
  const ended = await line(args, environment);
  expect(ended).toMatchObject({ code: 0, error: '' });
  return { out: ended.out, audit: await auditAfter(env.owner, before) };
}

async function reviewed(): Promise<string> {
  const one = await env.member({ amountMinor: 1_000_000n });
  const response = await env.call('POST', '/api/wallet/withdraw', { amount: 3000 }, { token: one.token });
  expect(response.status).toBe(200);
  return response.body.id;
}

const wallet = () => env.call('GET', '/api/wallet', undefined, { token: member.token });

describe('money', () => {
  test('credit and debit move exactly so much, with a statement row and an audit row each', async () => {
    const args = ['credit', String(id), '120.50', 'goodwill after a late payout'];
    const credit = await works(args, {}, commandLine(databaseUrl));
    expect(credit.out).toMatch(/^MN\w{15}: member \d+ now has 620\.50 BAHT\.\n$/);
    expect(credit.audit).toEqual([
      {
        actor: 'cli:somsri',
        action: 'manual.credit',
        subject: `member:${id}`,
        before: null,
        after: expect.objectContaining({ amount: 12050 }),
        reason: 'goodwill after a late payout',
      },
    ]);
    const debit = await works(['debit', member.phone, '20.5', 'entered twice']);
    expect(debit.audit).toMatchObject([{ action: 'manual.debit', after: { amount: 2050 } }]);
    expect(await env.balance(member)).toBe(60_000n);
    const statement = await env.call(
      'POST',
      '/api/statement',
      { page: 1, limit: 10 },
      { token: member.token },
    );
    expect(statement.body.statements.slice(0, 2)).toMatchObject([
      { statementType: 'withdraw', amount: 20.5, status: 'SUCCESS' },
      { statementType: 'deposit', amount: 120.5, status: 'SUCCESS' },
    ]);
  });

  test('an exported file has amounts in the currency and times with their offset', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'krapao-export-'));
    const file = path.join(folder, 'statement.csv');
    const exported = await works(['export', 'statement', file]);
    expect(exported.audit).toMatchObject([{ action: 'export', subject: 'export:statement' }]);
    const [head, ...lines] = readFileSync(file, 'utf8').split('\r\n');
    rmSync(folder, { recursive: true });
    expect(head).toBe('\uFEFFmember_id,number,id,type,status,source,target,amount,currency,created_at');
    const debit = lines.find((line) => line.startsWith(`${id},`) && line.includes(',withdraw,'));
    expect(debit).toMatch(/,wallet,manual,20\.50,BAHT,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/);
  });

  test('coins granted are there, and audited', async () => {
    const granted = await works(['coins', 'grant', String(id), '12', 'festival']);
    expect(granted.out).toContain('has 12 coins');
    expect(granted.audit).toMatchObject([
      { action: 'coins.grant', subject: `member:${id}`, reason: 'festival' },
    ]);
    expect((await works(['member', 'show', member.phone])).out).toContain('coin: 12 COIN');
  });

  test('a withdrawal in review is listed, and queued for paying after its approval', async () => {
    const withdrawal = await reviewed();
    expect((await works(['withdrawal', 'list'])).out).toMatch(
      new RegExp(`^${withdrawal}  member \\d+  3000\\.00 BAHT  REVIEW  [\\d-]+T[\\d:]+\\+07:00$`, 'm'),
    );
    const yes = await works(['withdrawal', 'approve', withdrawal, 'documents seen']);
    expect(yes.audit).toMatchObject([
      { action: 'withdrawal.approve', subject: `withdrawal:${withdrawal}`, reason: 'documents seen' },
    ]);
    await env.app.runJob('withdrawals.pay');
    await until(async () => {
      await env.app.runJob('withdrawals.ask', { id: withdrawal });
      const { rows } = await env.pool.query('select status from withdrawal where id = $1', [withdrawal]);
      return rows[0].status === 'SUCCESS';
    });
  });

  test('a refused withdrawal gives the money back at once and cannot be approved afterwards', async () => {
    const withdrawal = await reviewed();
    const no = await works(['withdrawal', 'refuse', withdrawal, 'name differs']);
    expect(no.audit).toMatchObject([
      { actor: 'cli:somsri', action: 'withdrawal.reject', reason: 'name differs' },
    ]);
    const { rows } = await env.pool.query(
      'select a.balance from withdrawal w join member m on m.id = w.member_id join ledger_account a on a.id = m.wallet_account where w.id = $1',
      [withdrawal],
    );
    expect(rows[0].balance).toBe(1_000_000n);
    expect((await admin(['withdrawal', 'approve', withdrawal, 'after all'])).code).toBe(1);
  });

  test('a refusal that meets an approval under way loses: the money stays held for the bank', async () => {
    const withdrawal = await reviewed();
    const approval = await env.owner.connect();
    await approval.query('begin');
    await approval.query("update withdrawal set status = 'QUEUED' where id = $1", [withdrawal]);
    const refusal = admin(['withdrawal', 'refuse', withdrawal, 'too late']);
    try {
      await until(async () => (await env.owner.query(LOCKS_AWAITED)).rows.length > 0);
    } finally {
      await approval.query('commit');
      approval.release();
    }
    expect(await refusal).toMatchObject({ code: 1, error: expect.stringContaining('decided meanwhile') });
    const { rows } = await env.pool.query('select state from ledger_hold where key = $1', [
      `withdrawal:${withdrawal}`,
    ]);
    expect(rows[0].state).toBe('OPEN');
  });
});

describe('members', () => {
  test('a suspended member is refused with INACTIVE_USER until they are activated', async () => {
    const suspended = await works(['member', 'suspend', member.phone, 'under review']);
    expect(suspended.audit).toEqual([
      {
        actor: 'cli:somsri',
        action: 'member.status',
        subject: `member:${id}`,
        before: { status: 'ACTIVE' },
        after: { status: 'SUSPENDED' },
        reason: 'under review',
      },
    ]);
    expect(await wallet()).toMatchObject({ status: 403, body: { message: 'INACTIVE_USER' } });
    await works(['member', 'activate', member.phone, 'cleared']);
    expect(await wallet()).toMatchObject({ status: 200 });
  });

  test('the sessions of a member end with the next call, as INVALID_USER_2', async () => {
    const other = await env.member();
    const ended = await works(['session', 'end', other.phone]);
    expect(ended.out).toContain('1 sessions');
    expect(ended.audit).toMatchObject([
      { action: 'session.end', subject: `member:${other.id}`, after: { ended: 1 } },
    ]);
    const next = await env.call('GET', '/api/wallet', undefined, { token: other.token });
    expect(next).toMatchObject({ status: 401, body: { message: 'INVALID_USER_2' } });
  });

  test('a closed account is gone for good', async () => {
    const other = await env.member();
    await works(['member', 'close', other.phone, 'requested']);
    const next = await env.call('GET', '/api/wallet', undefined, { token: other.token });
    expect(next).toMatchObject({ status: 410, body: { message: 'gone' } });
    expect(await admin(['member', 'activate', other.phone, 'mistake'])).toMatchObject({ code: 1 });
  });

  test('rule bypassed on the command line: an account with money in it is not closed', async () => {
    const other = await env.member({ amountMinor: 12_300n });
    const refused = await admin(['member', 'close', other.phone, 'requested']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.error).toContain('wallet');
    const next = await env.call('GET', '/api/wallet', undefined, { token: other.token });
    expect(next).toMatchObject({ status: 200 });
  });

  test('an operator is invited once; the enrolment is printed and stored nowhere', async () => {
    const created = await works(['operator', 'create', 'somsri', 'finance']);
    expect(created.audit).toMatchObject([{ action: 'operator.create', subject: 'operator:somsri' }]);
    const [, token, secret] = /enrol#([\w-]{43})\n.*secret=(\w+)/.exec(created.out)!;
    const { rows } = await env.owner.query(
      "select status, password_hash, o::text as whole from operator o where name = 'somsri'",
    );
    expect(rows).toMatchObject([{ status: 'INVITED', password_hash: null }]);
    for (const shown of [token, secret]) expect(JSON.stringify([rows, created.audit])).not.toContain(shown);
    expect(await admin(['operator', 'create', 'somsri', 'admin'])).toMatchObject({ code: 1 });
    expect((await works(['operator', 'code', 'somsri'])).out).toMatch(/^\d{6}\n$/);
    const production = { NODE_ENV: 'production' };
    expect((await admin(['operator', 'code', 'somsri'], production)).code).toBe(1);
  });

  test('an operator who lost their phone is let in again by the machine’s owner, and signed out everywhere', async () => {
    const helpers = operatorHelpers(env);
    const lost = await helpers.operator('admin');
    const reset = await works(['operator', 'reset', lost.name]);
    expect(reset.audit).toMatchObject([
      {
        action: 'operator.reset',
        subject: `operator:${lost.name}`,
        before: { status: 'ACTIVE' },
        after: { status: 'INVITED', ended: 1 },
      },
    ]);
    expect((await helpers.call(lost, 'GET', '/api/operator/me')).status).toBe(401);
    const [, token] = /enrol#([\w-]{43})\n/.exec(reset.out)!;
    const opened = await helpers.call(null, 'POST', '/api/operator/enrolment', { token });
    expect(opened.body).toMatchObject({ name: lost.name });
    expect(JSON.stringify(reset.audit)).not.toContain(token);
  });
});

describe('settings', () => {
  test('a changed one reaches the running server and is audited with before and after', async () => {
    const changed = await works(['setting', 'set', 'withdraw.minimum', '{"BAHT":55,"LAK":5}']);
    expect(changed.audit).toMatchObject([
      {
        action: 'setting.change',
        subject: 'setting:withdraw.minimum',
        before: { BAHT: 100, LAK: 70_000 },
        after: { BAHT: 55, LAK: 5 },
      },
    ]);
    await until(async () => env.app.deps.settings.get('withdraw.minimum').BAHT === 55);
    expect((await works(['setting', 'list'])).out).toContain('withdraw.minimum = {"LAK":5,"BAHT":55}');
  });

  test('an ended service is gone for every call but the lookups', async () => {
    await works(['setting', 'set', 'service.terminated', '"gone"']);
    await until(async () => env.app.deps.settings.get('service.terminated') === 'gone');
    expect(await wallet()).toMatchObject({ status: 410, body: { message: 'gone' } });
    expect((await env.call('GET', '/api/lookup/info')).status).toBe(200);
    await works(['setting', 'set', 'service.terminated', 'false']);
    await until(async () => env.app.deps.settings.get('service.terminated') === false);
  });

  test('words and sources are changed with an audit row', async () => {
    const args = await works(['content', 'set', 'conditions', 'th', '["<b>กติกา</b>"]']);
    expect(args.audit).toMatchObject([{ action: 'content.publish', subject: 'content:conditions' }]);
    const source = await works(['source', 'add', 'radio', 'วิทยุ', 'ວິທະຍຸ', 'Radio']);
    expect(source.audit).toMatchObject([{ action: 'source.change', subject: 'source:radio' }]);
    const renamed = await works(['source', 'add', 'radio', 'วิทยุ', 'ວິທະຍຸ', 'Radio and <b>TV</b>']);
    expect(renamed.audit).toMatchObject([{ before: { en: 'Radio' }, after: { en: 'Radio and TV' } }]);
    expect((await env.call('GET', '/api/lookup/sources')).status).toBe(200);
  });
});

describe('what only looks', () => {
  test('changes nothing: books, balances, lists, help', async () => {
    const before = await countRows(env.owner);
    expect((await works(['ledger', 'verify'])).out).toMatch(/^The books are right/);
    expect((await works(['ledger', 'balances'])).out).toMatch(
      /BAHT {2}wallet {2}\d+ accounts {2}\d+\.\d\d BAHT\n/,
    );
    expect((await works(['unmatched', 'list'])).out).toBe('No payment is without an owner.\n');
    expect((await works([])).out).toContain('withdrawal approve <id> <reason>');
    for (const args of [['money', 'please'], ['constructor']]) expect((await admin(args)).code).toBe(2);
    expect(await countRows(env.owner)).toEqual(before);
  });

  test('the help names every command that is declared', async () => {
    const files = readdirSync(import.meta.dirname).filter((file) => /^[a-z]+\.ts$/.test(file));
    const modules = await Promise.all(
      files.map((file) => import(/* @vite-ignore */ path.join(import.meta.dirname, file))),
    );
    const names = modules.flatMap(({ commands = {} }) => Object.keys(commands));
    expect(names).toContain('ledger verify');
    const { out } = await works(['help']);
    for (const name of names) expect(out).toContain(`\n  ${name} `);
  });
});
