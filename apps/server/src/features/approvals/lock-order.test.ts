/** Endpoints lock rows in the order subject, approval: two about one subject wait for each other and never deadlock. */
import { expect, test } from 'vitest';
import { untilWaiting } from '../../testing/lock-waiters.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { WRITTEN } from '../bonuses/testing-bonuses.ts';
import { PLAN } from '../wheel/testing-wheel.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const [admin, checker, marketing, lead, other] = await Promise.all(
  ['admin', 'admin', 'marketing', 'finance-lead', 'finance-lead'].map((role) => operators.operator(role)),
);
const reason = 'as agreed';
const LOCK_SETTINGS = "select pg_advisory_xact_lock(hashtext('settings'))";

/** A request, who approves it, and the statement that locks its subject. */
interface Case {
  request: () => ReturnType<typeof operators.call>;
  by: typeof admin;
  lock: string;
}

const CASES: Record<string, () => Promise<Case>> = {
  async wheel() {
    const written = { currency: 'BAHT', plan: PLAN, reason };
    const { id } = (await operators.call(marketing!, 'POST', '/api/operator/wheels', written)).body;
    const path = `/api/operator/wheels/${id}/publish`;
    const request = () => operators.call(marketing!, 'POST', path, { version: 1, seen: null, reason });
    return { request, by: lead, lock: `select 1 from wheel where id = ${id} for update` };
  },
  async bonus() {
    const publish = (version: number) => {
      const body = { terms: { ...WRITTEN, code: 'ORDER' }, version, reason };
      return operators.call(marketing!, 'POST', '/api/operator/bonuses', body);
    };
    const { approval } = (await publish(0)).body;
    expect((await approve(lead, approval)).status).toBe(200);
    return {
      request: () => publish(1),
      by: lead,
      lock: "select 1 from bonus where code = 'ORDER' for update",
    };
  },
  async 'deposit account'() {
    const { rows } = await env.owner.query("select id from deposit_account where bank_code = 'SCB' limit 1");
    const body = {
      bankCode: 'SCB',
      bankType: 'BANK',
      mode: 'AUTO',
      accountName: 'บริษัท กระเป๋า จำกัด',
      accountNo: '9990001112',
      currency: 'BAHT',
      staticQr: null,
      replaces: String(rows[0].id),
      reason,
    };
    const request = () => operators.call(lead!, 'POST', '/api/operator/deposit-accounts', body);
    return { request, by: other, lock: `select 1 from deposit_account where id = ${rows[0].id} for update` };
  },
  // The last one: the others need second approvals.
  async setting() {
    const body = { value: false, version: 0, reason };
    const request = () => operators.call(admin!, 'PUT', '/api/operator/settings/desk.makerChecker', body);
    return { request, by: checker, lock: LOCK_SETTINGS };
  },
};

const approve = (as: typeof admin, approval: string) =>
  operators.call(as!, 'POST', `/api/operator/approvals/${approval}/approve`, {});

test.each(Object.keys(CASES))(
  'a %s: approved while it is requested again, it is changed and neither fails',
  async (name) => {
    const { request, by, lock } = await CASES[name]!();
    const { body } = await request();
    expect(body.approval).toEqual(expect.stringMatching(/^AP/));
    const holder = await env.owner.connect();
    await holder.query('begin');
    await holder.query(lock);
    const again = request();
    await untilWaiting(env, 1);
    const approved = approve(by, body.approval);
    await untilWaiting(env, 2);
    await holder.query('commit');
    holder.release();
    expect([(await approved).status, (await again).body.message]).toEqual([200, 'APPROVAL_PENDING']);
  },
);
