import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const DAY = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

async function flags(member: TestMember) {
  const support = await operators.operator('support');
  return (await operators.call(support, 'GET', `/api/operator/members/${member.id}`)).body.flags;
}

async function exclude(member: TestMember, length: string) {
  const reply = await env.call('POST', '/api/limits/break', { length }, { token: member.token });
  return reply.body.break.until;
}

test('an exclusion and an account in its cooling-off period are flags with their ends', async () => {
  const one = await env.member();
  expect(await flags(one)).toEqual([]);
  const end = await exclude(one, '7d');
  await env.owner.query(
    "update bank_account set cool_until = now() + interval '1 day' where member_id = $1",
    [one.id],
  );
  expect(await flags(one)).toEqual([
    { kind: 'EXCLUDED', at: end },
    { kind: 'NEW_ACCOUNT', at: DAY },
  ]);
  await exclude(one, 'forever');
  expect((await flags(one))[0]).toEqual({ kind: 'EXCLUDED', at: null });
});
