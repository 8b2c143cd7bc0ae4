import { HOUR_MS } from '@krapao/contract/durations';
import { type TOTP, URI } from 'otpauth';
import { describe, expect, onTestFinished, test } from 'vitest';
import { untilWaiting } from '../../testing/lock-waiters.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const helpers = operatorHelpers(env);
// Days pass here; sessions stay open.
await env.set('desk.sessionIdleMinutes', 1_000_000);
// Many links are tried here that are over.
for (const key of ['login.failuresMax', 'login.addressFailuresMax'] as const) await env.set(key, 1_000);
const PASSWORD = 'a long enough password';
const PENDING = { approval: expect.stringMatching(/^AP/), expiresAt: null };
const refusal = (status: number, message: string) => ({ status, body: { message } });

let serial = 0;
/** Two administrators, and an unused name. */
async function staff() {
  const [maker, checker] = [await helpers.operator('admin'), await helpers.operator('admin')];
  return { maker, checker, name: `invited-${++serial}` };
}
const invite = (as: TestOperator, name: string, role = 'finance') =>
  helpers.call(as, 'POST', '/api/operator/operators', { name, role, reason: 'joins us' });
const reset = (as: TestOperator, name: string) =>
  helpers.call(as, 'POST', `/api/operator/operators/${name}/enrolment`, { reason: 'phone lost' });
const agree = (as: TestOperator, approval: string) =>
  helpers.call(as, 'POST', `/api/operator/approvals/${approval}/approve`, {});
const open = (token: string) => helpers.call(null, 'POST', '/api/operator/enrolment', { token });
const me = (as: TestOperator) => helpers.call(as, 'GET', '/api/operator/me');
const CLOSED = refusal(400, 'ENROLMENT_INVALID');

async function enrol(token: string) {
  const totp = URI.parse((await open(token)).body.otpauth) as TOTP;
  const code = totp.generate({ timestamp: clock.now().getTime() });
  return helpers.call(null, 'POST', '/api/operator/enrol', { token, password: PASSWORD, code });
}
const enrolWith = (token: string) =>
  helpers.call(null, 'POST', '/api/operator/enrol', { token, password: PASSWORD, code: '000000' });
async function statusOf(name: string): Promise<string | undefined> {
  return (await env.owner.query('select status from operator where name = $1', [name])).rows[0]?.status;
}

describe('an invitation', () => {
  test('that is being approved refers to its maker while they are being suspended: neither waits for the other', async () => {
    const { maker, checker, name } = await staff();
    // As one is who has enrolled.
    await env.owner.query('update operator set enrolment_hash = null where name = $1', [maker.name]);
    const { approval } = (await invite(maker, name)).body;
    const client = await env.owner.connect();
    onTestFinished(() => client.release(true));
    await client.query('begin');
    await client.query('select 1 from approval where id = $1 for update', [approval]);
    const path = `/api/operator/operators/${maker.name}/status`;
    const suspended = helpers.call(checker, 'POST', path, { status: 'SUSPENDED', reason: 'left us' });
    await untilWaiting(env, 1);
    const sql = 'select 1 from operator where name = $1 for key share nowait';
    expect((await client.query(sql, [maker.name])).rows).toHaveLength(1);
    await client.query('commit');
    expect((await suspended).status).toBe(200);
  });

  test('opens nothing before a second person has agreed, and then is good for its whole life', async () => {
    const { maker, name } = await staff();
    const { body } = await invite(maker, name);
    expect(body).toEqual({ token: expect.any(String), ...PENDING });
    expect(await open(body.token)).toMatchObject(CLOSED);
    const code = '000000';
    expect(
      await helpers.call(null, 'POST', '/api/operator/enrol', {
        token: body.token,
        password: PASSWORD,
        code,
      }),
    ).toMatchObject(CLOSED);
    expect(await statusOf(name)).toBeUndefined();
    expect(await agree(maker, body.approval)).toMatchObject(refusal(403, 'APPROVAL_MAKER'));
    expect(await agree(await helpers.operator('finance-lead'), body.approval)).toMatchObject(
      refusal(403, 'UNAUTHORIZED'),
    );
    clock.push(23 * HOUR_MS);
    const late = await helpers.operator('admin');
    expect((await agree(late, body.approval)).body).toEqual({ state: 'INVITED', approval: null });
    clock.push(23 * HOUR_MS);
    expect((await open(body.token)).body).toMatchObject({ name });
    expect((await enrol(body.token)).status).toBe(200);
    expect(await statusOf(name)).toBe('ACTIVE');
    expect(await helpers.audit(`operator:${name}`)).toMatchObject([
      { actor: `operator:${maker.name}`, action: 'approval.request', after: { name, role: 'finance' } },
      { actor: `operator:${late.name}`, action: 'operator.create', after: { role: 'finance' } },
      { actor: `operator:${name}`, action: 'operator.enrol' },
    ]);
  });

  test('that was agreed to ends after its hours', async () => {
    const { maker, checker, name } = await staff();
    const { body } = await invite(maker, name);
    await agree(checker, body.approval);
    clock.push(24 * HOUR_MS);
    expect(await open(body.token)).toMatchObject(CLOSED);
  });

  test.each(['lapses', 'is refused', 'is taken back'])('that %s opens nothing, ever', async (how) => {
    const { maker, checker, name } = await staff();
    const { body } = await invite(maker, name);
    if (how === 'lapses') clock.push(24 * HOUR_MS);
    const path = `/api/operator/approvals/${body.approval}`;
    if (how === 'is refused') await helpers.call(checker, 'POST', `${path}/refuse`, { note: 'who is that' });
    if (how === 'is taken back') await helpers.call(maker, 'POST', `${path}/withdraw`);
    const second = await helpers.operator('admin');
    expect(await agree(second, body.approval)).toMatchObject(refusal(409, 'APPROVAL_LAPSED'));
    expect(await open(body.token)).toMatchObject(CLOSED);
    expect(await statusOf(name)).toBeUndefined();
    // The name is free for the next.
    expect((await invite(second, name)).body).toMatchObject(PENDING);
  });

  test('agreed to by two at once invites once', async () => {
    const { maker, checker, name } = await staff();
    const other = await helpers.operator('admin');
    const { body } = await invite(maker, name);
    const both = await Promise.all([agree(checker, body.approval), agree(other, body.approval)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.body.message).toBe('APPROVAL_LAPSED');
    const actions = (await helpers.audit(`operator:${name}`)).map(({ action }) => action);
    expect(actions).toEqual(['approval.request', 'operator.create']);
    expect((await open(body.token)).status).toBe(200);
  });

  test('waits once for a name, and a name that is taken is refused: at once, and at the agreement', async () => {
    const { maker, checker, name } = await staff();
    const { body } = await invite(maker, name);
    expect(await invite(checker, name)).toMatchObject({
      status: 409,
      body: { message: 'APPROVAL_PENDING', data: { approval: body.approval } },
    });
    expect(await invite(maker, checker.name)).toMatchObject(refusal(409, 'EXISTING_OPERATOR'));
    expect(await invite(maker, 'nobody-yet', 'no-such-role')).toMatchObject(refusal(404, 'NO_DATA'));
    await env.owner.query(
      "insert into operator (name, role, status, created_at) values ($1, 'support', 'INVITED', now())",
      [name],
    );
    expect(await agree(checker, body.approval)).toMatchObject(refusal(409, 'EXISTING_OPERATOR'));
    expect(await open(body.token)).toMatchObject(CLOSED);
  });

  test('is good at once where the installation has one person', async () => {
    const { maker, name } = await staff();
    await env.set('desk.makerChecker', false);
    const { body } = await invite(maker, name);
    expect(body).toEqual({ token: expect.any(String), approval: null, expiresAt: expect.any(String) });
    expect((await enrol(body.token)).status).toBe(200);
    const again = await reset(maker, name);
    expect(again.body).toEqual({ token: expect.any(String), approval: null, expiresAt: expect.any(String) });
    expect(await statusOf(name)).toBe('INVITED');
    await env.set('desk.makerChecker', true);
  });
});

describe('a new enrolment', () => {
  test('changes nothing before a second person has agreed; then it ends sessions, and its link works', async () => {
    const { maker } = await staff();
    const lead = await helpers.operator('finance-lead');
    const { body } = await reset(maker, lead.name);
    expect(body).toEqual({ token: expect.any(String), ...PENDING });
    expect(await open(body.token)).toMatchObject(CLOSED);
    expect((await me(lead)).status).toBe(200);
    expect(await agree(maker, body.approval)).toMatchObject(refusal(403, 'APPROVAL_MAKER'));
    clock.push(23 * HOUR_MS);
    const late = await helpers.operator('admin');
    expect((await agree(late, body.approval)).body).toEqual({ state: 'INVITED', approval: null });
    expect((await me(lead)).status).toBe(401);
    expect(await statusOf(lead.name)).toBe('INVITED');
    clock.push(23 * HOUR_MS);
    expect((await enrol(body.token)).status).toBe(200);
  });

  test('cannot be approved by the operator it concerns, who may reject it', async () => {
    const { maker, checker } = await staff();
    const { body } = await reset(maker, checker.name);
    expect(await agree(checker, body.approval)).toMatchObject(refusal(403, 'UNAUTHORIZED'));
    expect((await me(checker)).status).toBe(200);
    const path = `/api/operator/approvals/${body.approval}/refuse`;
    expect((await helpers.call(checker, 'POST', path, { note: 'that was not me' })).status).toBe(200);
    expect(await reset(maker, maker.name)).toMatchObject(refusal(403, 'UNAUTHORIZED'));
  });

  test('waits once for an operator; agreed to by two at once, sessions end once', async () => {
    const { maker, checker } = await staff();
    const [other, lead] = [await helpers.operator('admin'), await helpers.operator('finance-lead')];
    const { body } = await reset(maker, lead.name);
    expect((await reset(other, lead.name)).body).toMatchObject({
      message: 'APPROVAL_PENDING',
      data: { approval: body.approval },
    });
    const both = await Promise.all([agree(checker, body.approval), agree(other, body.approval)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const actions = (await helpers.audit(`operator:${lead.name}`)).map(({ action }) => action);
    expect(actions).toEqual(['approval.request', 'operator.reset']);
  });

  test('lapses with the hours of a request, and the operator keeps what they have', async () => {
    const { maker } = await staff();
    const lead = await helpers.operator('finance-lead');
    const { body } = await reset(maker, lead.name);
    clock.push(24 * HOUR_MS);
    expect(await agree(await helpers.operator('admin'), body.approval)).toMatchObject(
      refusal(409, 'APPROVAL_LAPSED'),
    );
    expect([await statusOf(lead.name), (await open(body.token)).status]).toEqual(['ACTIVE', 400]);
  });

  test.each([
    ['suspended', "status = 'SUSPENDED'"],
    ['given another role', "role = 'admin'"],
  ])('of an operator who was %s meanwhile is refused and changes nothing', async (_what, change) => {
    const { maker, checker } = await staff();
    const lead = await helpers.operator('finance-lead');
    const { body } = await reset(maker, lead.name);
    await env.owner.query(`update operator set ${change} where name = $1`, [lead.name]);
    expect(await agree(checker, body.approval)).toMatchObject(refusal(409, 'ROW_CHANGED'));
    expect(await statusOf(lead.name)).not.toBe('INVITED');
    expect(await open(body.token)).toMatchObject(CLOSED);
  });
});

test('what opens an account is in no list, trail or file', async () => {
  const { maker, checker, name } = await staff();
  const lead = await helpers.operator('finance-lead');
  const invited = (await invite(maker, name)).body;
  const again = (await reset(maker, lead.name)).body;
  const stored = await env.owner.query(
    "select payload ->> 'tokenHash' as hash, payload ->> 'sealed' as sealed from approval where id = any($1)",
    [[invited.approval, again.approval]],
  );
  expect(stored.rows).toHaveLength(2);
  const secrets = stored.rows.flatMap(({ hash, sealed }) => [hash, sealed]);
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(40);
  const shown = async () => {
    const { body } = await helpers.call(checker, 'GET', '/api/operator/approvals?limit=100');
    const mine = body.approvals.filter((row: { id: string }) =>
      [invited.approval, again.approval].includes(row.id),
    );
    const auditor = await helpers.operator('auditor');
    const file = await helpers.call(auditor, 'GET', '/api/operator/export/approvals.csv');
    expect([mine.length, file.status]).toEqual([2, 200]);
    const { rows } = await env.owner.query('select a::text from audit a');
    return { mine, text: JSON.stringify([body, file.text, rows]) };
  };
  const { mine } = await shown();
  expect(mine.map((row: { summary: unknown }) => row.summary)).toEqual(
    expect.arrayContaining([
      { name, role: 'finance' },
      { name: lead.name, role: 'finance-lead', from: 'ACTIVE', to: 'INVITED' },
    ]),
  );
  for (const { approval } of [invited, again]) await agree(checker, approval);
  const { text } = await shown();
  for (const secret of [...secrets, invited.token, again.token]) expect(text).not.toContain(secret);
});

describe('a suspension', () => {
  const setStatus = (as: TestOperator, name: string, status: 'ACTIVE' | 'SUSPENDED') =>
    helpers.call(as, 'POST', `/api/operator/operators/${name}/status`, { status, reason: 'looked into' });

  test('begins at once, and access that it took away comes back only with a second person', async () => {
    const { maker, checker } = await staff();
    const lead = await helpers.operator('finance-lead');
    expect((await setStatus(checker, lead.name, 'SUSPENDED')).body).toEqual({
      state: 'SUSPENDED',
      approval: null,
    });
    const { body } = await setStatus(maker, lead.name, 'ACTIVE');
    expect(body).toEqual({ state: 'SUSPENDED', approval: expect.stringMatching(/^AP/) });
    expect(await statusOf(lead.name)).toBe('SUSPENDED');
    expect((await setStatus(maker, lead.name, 'ACTIVE')).body.message).toBe('APPROVAL_PENDING');
    expect(await agree(maker, body.approval)).toMatchObject(refusal(403, 'APPROVAL_MAKER'));
    expect((await agree(checker, body.approval)).body).toEqual({ state: 'ACTIVE', approval: null });
    expect(await statusOf(lead.name)).toBe('ACTIVE');
    expect((await me(lead)).status).toBe(401);
    expect((await setStatus(maker, lead.name, 'ACTIVE')).body).toEqual({ state: 'ACTIVE', approval: null });
    expect(await helpers.audit(`operator:${lead.name}`)).toMatchObject([
      { action: 'operator.status', after: { status: 'SUSPENDED' } },
      { actor: `operator:${maker.name}`, action: 'approval.request', after: { role: 'finance-lead' } },
      { actor: `operator:${checker.name}`, action: 'operator.status', after: { status: 'ACTIVE' } },
    ]);
  });

  test('does not end for an operator whose role changed since that was requested', async () => {
    const { maker, checker } = await staff();
    const support = await helpers.operator('support');
    await setStatus(maker, support.name, 'SUSPENDED');
    const { body } = await setStatus(maker, support.name, 'ACTIVE');
    await env.owner.query("update operator set role = 'admin' where name = $1", [support.name]);
    expect(await agree(checker, body.approval)).toMatchObject(refusal(409, 'ROW_CHANGED'));
    expect(await statusOf(support.name)).toBe('SUSPENDED');
  });

  /** Links made by one administrator: an invitation and a new enrolment, approved by another where that is needed. */
  async function links() {
    const { maker, checker, name } = await staff();
    const lead = await helpers.operator('finance-lead');
    const made = [(await invite(maker, name)).body, (await reset(maker, lead.name)).body];
    for (const { approval } of made) if (approval) await agree(checker, approval);
    const tokens = made.map(({ token }) => token as string);
    for (const token of tokens) expect((await open(token)).status).toBe(200);
    return { maker, checker, tokens, names: [lead.name, name].toSorted() };
  }
  const suspendRow = async (name: string) =>
    (await helpers.audit(`operator:${name}`)).find(({ action }) => action === 'operator.status');

  test.each([true, false])(
    'ends the unused links that the operator made (second person: %s), and names them',
    async (makerChecker) => {
      await env.set('desk.makerChecker', makerChecker);
      const { maker, checker, tokens, names } = await links();
      await env.set('desk.makerChecker', true);
      await setStatus(checker, maker.name, 'SUSPENDED');
      for (const token of tokens) {
        expect(await open(token)).toMatchObject(CLOSED);
        expect(await enrolWith(token)).toMatchObject(CLOSED);
      }
      const after = { status: 'SUSPENDED', enrolmentsEnded: names };
      expect(await suspendRow(maker.name)).toMatchObject({ after });
      // Links of others stay, and the invited operator gets another from them.
      const third = await helpers.operator('admin');
      const again = (await reset(third, names[0]!)).body;
      await agree(checker, again.approval);
      await setStatus(checker, third.name, 'ACTIVE');
      expect((await enrol(again.token)).status).toBe(200);
    },
  );

  test('does not bring the links back when it ends', async () => {
    const { maker, checker, tokens } = await links();
    await setStatus(checker, maker.name, 'SUSPENDED');
    const other = await helpers.operator('admin');
    const { body } = await setStatus(other, maker.name, 'ACTIVE');
    expect((await agree(checker, body.approval)).body.state).toBe('ACTIVE');
    for (const token of tokens) expect(await open(token)).toMatchObject(CLOSED);
  });

  test('ends pending requests of the operator at once, also when it ends before these are read', async () => {
    const { maker, checker, name } = await staff();
    const { body } = await invite(maker, name);
    await setStatus(checker, maker.name, 'SUSPENDED');
    await env.owner.query("update operator set status = 'ACTIVE' where name = $1", [maker.name]);
    expect(await agree(checker, body.approval)).toMatchObject(refusal(409, 'APPROVAL_LAPSED'));
    expect(await open(body.token)).toMatchObject(CLOSED);
  });

  test('a new enrolment of the operator ends the links that they made as well', async () => {
    const { maker, checker, tokens } = await links();
    const third = await helpers.operator('admin');
    const { body } = await reset(checker, maker.name);
    await agree(third, body.approval);
    expect((await enrol(body.token)).status).toBe(200);
    for (const token of tokens) expect(await open(token)).toMatchObject(CLOSED);
  });

  test.each([
    ['has lost the right to make it', "role = 'support'"],
    ['was suspended while it was approved', "status = 'SUSPENDED'"],
  ])('a link opens nothing while its maker %s', async (_what, change) => {
    const { maker, tokens } = await links();
    await env.owner.query(`update operator set ${change} where name = $1`, [maker.name]);
    for (const token of tokens) expect(await open(token)).toMatchObject(CLOSED);
  });

  test('a stop that needs two: one operator takes a link back that is not used yet', async () => {
    const { maker, checker, name } = await staff();
    const { body } = await invite(maker, name);
    await agree(checker, body.approval);
    expect((await open(body.token)).status).toBe(200);
    expect((await setStatus(maker, name, 'SUSPENDED')).body).toEqual({ state: 'SUSPENDED', approval: null });
    expect(await open(body.token)).toMatchObject(CLOSED);
    const again = (await setStatus(maker, name, 'ACTIVE')).body;
    expect((await agree(checker, again.approval)).body.state).toBe('ACTIVE');
    expect(await open(body.token)).toMatchObject(CLOSED);
    const renewed = (await reset(maker, name)).body;
    await agree(checker, renewed.approval);
    expect((await enrol(renewed.token)).status).toBe(200);
  });
});
