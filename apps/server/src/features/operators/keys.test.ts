import { DAY_MS } from '@krapao/contract/durations';
import * as groups from '@krapao/contract/operator';
import type { CallDeclaration } from '@krapao/contract/shared';
import { describe, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const PASSWORD = 'krapao-demo-desk';

/** A new operator of a role, with a known password. */
async function person(role: string): Promise<TestOperator> {
  const operator = await operators.operator(role);
  await env.owner.query(
    "update operator set password_hash = (select password_hash from operator where name = 'demo-finance') where name = $1",
    [operator.name],
  );
  return operator;
}
const [lead, second, admin] = [
  await person('finance-lead'),
  await person('finance-lead'),
  await person('admin'),
];

async function create(as: TestOperator, change: object = {}) {
  await env.owner.query('update operator set totp_step = 0 where name = $1', [as.name]);
  const proof = { password: PASSWORD, code: await operators.code(as.name) };
  const body = { name: 'books', permissions: ['deposit.read'], days: 30, ...proof, ...change };
  return operators.call(as, 'POST', '/api/operator/keys', body);
}
let serial = 0;
async function made(as: TestOperator, permissions: string[], change: object = {}) {
  const name = `key-${++serial}`;
  const response = await create(as, { name, permissions, ...change });
  expect([response.status, response.body]).toMatchObject([
    200,
    { key: expect.stringMatching(/^kop_[\w-]{43}$/) },
  ]);
  return { name, ...response.body } as { name: string; id: string; key: string };
}
/** A call as a program makes it: no cookie, no origin, no marker. */
async function call(key: string, method: string, url: string, body?: object) {
  const response = await env.app.consoleHttp.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(body && { payload: body }),
  });
  return { status: response.statusCode, body: JSON.parse(response.body || 'null') };
}
const refused = (status: number, message: string) => ({ status, body: { message } });
const DEPOSITS = '/api/operator/deposits';

describe('a key', () => {
  test('reaches the calls of its permissions and no other, and nothing that is its owner’s alone', async () => {
    const { key } = await made(lead, ['deposit.read']);
    const isCall = (value: unknown): value is CallDeclaration =>
      typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
    const calls = Object.values(groups).flatMap((group) => Object.values(group as object).filter(isCall));
    expect((await call(key, 'GET', DEPOSITS)).status).toBe(200);
    for (const one of calls.filter(({ access }) => access === 'operator')) {
      if (one.permission === 'deposit.read' && !one.alsoNeeds) continue;
      const url = one.path.replace(/\{(\w+)\}/g, '1');
      const body = one.method === 'POST' || one.method === 'PUT' ? { wrong: true } : undefined;
      expect([url, await call(key, one.method, url, body)]).toMatchObject([
        url,
        refused(403, 'UNAUTHORIZED'),
      ]);
    }
    expect(await call(key, 'GET', '/api/operator/live')).toMatchObject(refused(403, 'UNAUTHORIZED'));
    const atMembers = await env.call('GET', '/api/wallet', undefined, { token: key });
    expect(atMembers.status).toBe(401);
  });

  test('is made with the own permissions only, never those that need a person, with password and code', async () => {
    const person = refused(403, 'UNAUTHORIZED');
    expect(await create(lead, { permissions: ['setting.manage'] })).toMatchObject(person);
    expect(await create(lead, { permissions: ['approval.money'] })).toMatchObject(person);
    expect(await create(admin, { permissions: ['operator.manage'] })).toMatchObject(person);
    const wrong = refused(400, 'WRONG_CREDENTIAL');
    expect((await create(lead, { password: 'something else' })).body).toEqual(wrong.body);
    expect((await create(lead, { code: '000000' })).body).toEqual(wrong.body);
    expect((await create(lead, { days: 366 })).status).toBe(400);
    expect((await create(lead, { name: 'Über' })).status).toBe(400);
  });

  test.each([
    ['is enrolled anew', "status = 'INVITED', password_hash = null"],
    ['is suspended', "status = 'SUSPENDED'"],
    ['gets another password', "password_hash = 'another'"],
  ])('is not made for an operator who %s between the proof and the key', async (_what, change) => {
    const operator = await person('finance-lead');
    // The step of the code is the last write of the proof.
    await env.owner.query(
      `create function change_meanwhile() returns trigger language plpgsql as $$
       begin update operator set ${change} where id = new.id; return null; end $$`,
    );
    await env.owner.query(
      `create trigger change_meanwhile after update of totp_step on operator for each row
       when (new.totp_step > 0) execute function change_meanwhile()`,
    );
    try {
      expect(await create(operator)).toMatchObject(refused(401, 'WRONG_CREDENTIAL'));
    } finally {
      await env.owner.query('drop function change_meanwhile cascade');
    }
    const { rows } = await env.owner.query(
      'select 1 from operator_key k join operator o on o.id = k.operator_id where o.name = $1',
      [operator.name],
    );
    expect(rows).toEqual([]);
  });

  test('scope of a key: with permissions to read it takes back nothing that its owner has done', async () => {
    await env.set('desk.undoSeconds', 60);
    const { key } = await made(lead, ['withdrawal.read', 'approval.read']);
    const member = await env.member({ amountMinor: 500_000n });
    const { body } = await env.call(
      'POST',
      '/api/wallet/withdraw',
      { amount: 3000 },
      { token: member.token },
    );
    const path = `/api/operator/withdrawals/${body.id}`;
    await operators.call(lead, 'POST', `${path}/claim`);
    expect((await operators.call(lead, 'POST', `${path}/approve`, { status: 'REVIEW' })).status).toBe(200);
    const undo = (by: string) => call(by, 'POST', '/api/operator/withdrawals/undo', { ids: [body.id] });
    expect(await undo(key)).toMatchObject(refused(403, 'UNAUTHORIZED'));
    const decider = await made(lead, ['withdrawal.read', 'withdrawal.decide']);
    expect((await undo(decider.key)).body.results).toMatchObject([{ state: 'REVIEW' }]);

    const entry = { direction: 'credit', amount: 1500, category: 'goodwill', reason: 'late payout' };
    const requested = await operators.call(lead, 'POST', `/api/operator/members/${member.id}/entries`, {
      ...entry,
      key: 'key-of-a-request',
    });
    const withdraw = (by: string) =>
      call(by, 'POST', `/api/operator/approvals/${requested.body.approval}/withdraw`);
    expect(await withdraw(key)).toMatchObject(refused(403, 'UNAUTHORIZED'));
    const maker = await made(lead, ['approval.read', 'entry.make']);
    expect((await withdraw(maker.key)).status).toBe(200);
  });

  test('is named in the audit trail as key of its owner, and needs second approvals as they do', async () => {
    const { key, name } = await made(lead, ['deposit.read', 'deposit.reverse', 'approval.read']);
    const member = await env.member({ amountMinor: 1_000n });
    await env.owner.query(
      `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
       values ('DPKEY', $1, 'QR', 'KBANK', 'KEY1', 100, false, 1, now())`,
      [member.id],
    );
    const requested = await call(key, 'POST', `${DEPOSITS}/DPKEY/reverse`, { reason: 'sent by mistake' });
    expect(requested).toMatchObject({ status: 200, body: { approval: expect.any(String) } });
    const path = `/api/operator/approvals/${requested.body.approval}/approve`;
    expect(await call(key, 'POST', path, {})).toMatchObject(refused(403, 'UNAUTHORIZED'));
    const checker = await made(second, ['approval.read', 'deposit.reverse']);
    expect(await call(checker.key, 'POST', path, {})).toMatchObject(refused(403, 'UNAUTHORIZED'));
    expect((await operators.call(lead, 'POST', path, {})).body.message).toBe('APPROVAL_MAKER');
    const [{ actor }] = (await operators.audit('deposit:DPKEY')) as [{ actor: string }];
    expect(actor).toBe(`key:${name} of ${lead.name}`);
    // The trail of an operator has what their keys did.
    const auditor = await operators.operator('auditor');
    const trail = await operators.call(
      auditor,
      'GET',
      `/api/operator/audit?actor=${lead.name}&subject=deposit:DPKEY`,
    );
    expect(trail.body.rows).toMatchObject([{ actor, action: 'approval.request' }]);
  });

  test('ends with its time, its revocation, its owner’s suspension and their permissions', async () => {
    const [short, revoked, kept] = [
      await made(lead, ['deposit.read'], { days: 1 }),
      await made(lead, ['deposit.read']),
      await made(lead, ['deposit.read']),
    ];
    clock.push(DAY_MS + 1000);
    await env.owner.query(
      "update operator_session set seen_at = now() + $1 * interval '1 ms', expires_at = now() + interval '30 days'",
      [DAY_MS + 2000],
    );
    expect(await call(short.key, 'GET', DEPOSITS)).toMatchObject(refused(401, 'EXPIRED_AUTH_TOKEN'));
    const revoke = () => operators.call(lead, 'DELETE', `/api/operator/keys/${revoked.id}`);
    expect([(await revoke()).status, (await revoke()).status]).toEqual([200, 404]);
    expect(await call(revoked.key, 'GET', DEPOSITS)).toMatchObject(refused(401, 'invalid-token'));
    expect(await call(`kop_${'x'.repeat(43)}`, 'GET', DEPOSITS)).toMatchObject(refused(401, 'invalid-token'));
    expect((await operators.call(second, 'DELETE', `/api/operator/keys/${kept.id}`)).status).toBe(404);
    const set = (column: 'status' | 'role', value: string) =>
      env.owner.query(`update operator set ${column} = $2 where name = $1`, [lead.name, value]);
    await set('role', 'marketing');
    expect(await call(kept.key, 'GET', DEPOSITS)).toMatchObject(refused(403, 'UNAUTHORIZED'));
    await set('role', 'finance-lead');
    await set('status', 'SUSPENDED');
    expect((await call(kept.key, 'GET', DEPOSITS)).body.message).toBe('INACTIVE_USER');
    await set('status', 'ACTIVE');
    expect((await call(kept.key, 'GET', DEPOSITS)).status).toBe(200);
    const path = `/api/operator/operators/${lead.name}/keys/revoke`;
    const all = await operators.call(admin, 'POST', path, { reason: 'they left' });
    expect(all.body.revoked).toBeGreaterThan(0);
    expect(await call(kept.key, 'GET', DEPOSITS)).toMatchObject(refused(401, 'invalid-token'));
  });

  test('is stored as a hash, shown once, limited in number and in calls', async () => {
    const owner = await person('finance');
    const { key, id } = await made(owner, ['deposit.read']);
    const { rows } = await env.owner.query('select k::text as row from operator_key k where id = $1', [id]);
    expect(rows[0].row).not.toContain(key.slice(4, 30));
    const { body } = await operators.call(owner, 'GET', '/api/operator/keys');
    expect(JSON.stringify(body)).not.toContain(key);
    expect(body.keys).toMatchObject([
      { id, permissions: ['deposit.read'], revokedAt: null, lastUsedAt: null },
    ]);
    const statuses = [];
    for (let count = 0; count < 12; count++)
      statuses.push((await create(owner, { name: `more-${count}` })).body.message ?? 'OK');
    expect(statuses.filter((one) => one === 'OK')).toHaveLength(9);
    expect(statuses.at(-1)).toBe('TOO_MANY_KEYS');
    expect((await create(await person('finance'), { name: 'one' })).status).toBe(200);
    await env.owner.query("update throttle set count = 299 where key = 'operator-key:' || $1", [id]);
    await call(key, 'GET', DEPOSITS);
    await env.owner.query("update throttle set count = 300 where key = 'operator-key:' || $1", [id]);
    expect(await call(key, 'GET', DEPOSITS)).toMatchObject(refused(429, 'REQUEST_LIMIT'));
  });
});
