import { PERMISSIONS } from '@krapao/contract/operator';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { insertListed, LISTED } from '../testing/listed-rows.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
await env.owner.query("update operator_role set permissions = $1 where code = 'finance'", [[...PERMISSIONS]]);
const reader = await operators.operator('finance');
// Only the superuser can write rows without what they refer to.
const superuser = new pg.Client({ ...env.owner.options, user: 'postgres' });
await superuser.connect();
afterAll(() => superuser.end());
await env.member();

/** The id and phone of the member of the rows, as `insertListed` writes them, and the phone as people write it. */
const NAMES = [
  '700000000',
  '0700000000',
  ' 070-000-0000 ',
  '+66 70 000 0000',
  '0066700000000',
  '66700000000',
];
const NOBODY = ['0700000001', '+66 70 000 0001', '9'.repeat(30)];

test.each(['deposits', 'withdrawals', 'transfers', 'slips', 'reports', 'members'])(
  '%s are found by the id and phone of a member, as people write it',
  async (name) => {
    const list = LISTED[name]!;
    if (name !== 'members') await superuser.query(insertListed(list, 3, env.app.deps.secrets));
    const found = async (text: string): Promise<number> =>
      (await operators.call(reader, 'GET', `${list.path}q=${encodeURIComponent(text)}`)).body.total;
    const count = name === 'members' ? 1 : 3;
    expect(await Promise.all(NAMES.map(found))).toEqual(NAMES.map(() => count));
    expect(await Promise.all(NOBODY.map(found))).toEqual([0, 0, 0]);
  },
);
