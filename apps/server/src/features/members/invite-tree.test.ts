import { expect, test } from 'vitest';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { riskHelpers } from '../risk/testing-risk.ts';

const env = await startTestEnv({ jobs: false });
const script = riskHelpers(env);
const lead = await script.operators.operator('finance-lead');

const treeOf = async (member: TestMember) =>
  (await script.operators.call(lead, 'GET', `/api/operator/members/${member.id}/invite-tree`)).body;

test('the tree has inviters, their other invited members and two levels below, with what they share', async () => {
  const [root, one, sibling, child, grandchild, other] = (await Promise.all(
    Array.from({ length: 6 }, () => env.member()),
  ).then((all) => all.toSorted((a, b) => Number(a.id) - Number(b.id)))) as [
    TestMember,
    TestMember,
    TestMember,
    TestMember,
    TestMember,
    TestMember,
  ];
  await script.invite(root, one);
  await script.invite(root, sibling);
  await script.invite(one, child);
  await script.invite(child, grandchild);
  for (const member of [one, child, other]) await script.login(member, '198.51.100.40');
  await script.shareAccount(one, sibling);
  const { members, shared } = await treeOf(one);
  expect(
    members.map(
      ({ member, inviter, invited }: { member: { id: string }; inviter: string; invited: number }) => [
        member.id,
        inviter,
        invited,
      ],
    ),
  ).toEqual([
    [String(root.id), null, 2],
    [String(one.id), String(root.id), 1],
    [String(sibling.id), String(root.id), 0],
    [String(child.id), String(one.id), 1],
    [String(grandchild.id), String(child.id), 0],
  ]);
  expect(shared).toEqual([
    { kind: 'account', first: String(one.id), second: String(sibling.id) },
    { kind: 'device', first: String(one.id), second: String(child.id) },
  ]);
  expect((await treeOf(other)).members).toHaveLength(1);
});

test('a network of many members joins no members, and a large tree keeps its nearest 60 under one root', async () => {
  const [one, ...others] = (await Promise.all(Array.from({ length: 66 }, () => env.member()))).toSorted(
    (a, b) => Number(a.id) - Number(b.id),
  ) as [TestMember, ...TestMember[]];
  const invited = others.slice(0, 30);
  for (const [index, member] of others.entries()) {
    await script.invite(index < 30 ? one : invited[index % 2]!, member);
    await script.login(member, '203.0.113.40');
  }
  const { members, shared } = await treeOf(one);
  expect(members).toHaveLength(60);
  const ids = members.map(({ member }: { member: { id: string } }) => member.id);
  expect(ids).toEqual(expect.arrayContaining([one, ...invited].map(({ id }) => String(id))));
  expect(members.filter(({ inviter }: { inviter: string | null }) => inviter === null)).toHaveLength(1);
  expect(shared).toEqual([]);
});
