import { afterAll, expect, test } from 'vitest';
import { TRANSFER_CHECK } from '../features/games/read.ts';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { startTestEnv, type TestMember, until } from '../testing/test-env.ts';
import { databaseUrlOf, type RunningServer, startServer } from './fixtures/server.ts';

// The calls that never end go to servers of their own; the test environment answers their repeats.
const env = await startTestEnv({ jobs: false });
// Long enough to kill a call while it reads a game, before anything has moved.
await env.set('game.timeoutSeconds', 40);
const { config } = env.app.deps;
const environment = {
  DATABASE_URL: await databaseUrlOf(env.pool),
  BANK_A_URL: config.BANK_A_URL,
  SMS_URL: config.SMS_URL,
  GAME_F_URL: config.GAME_F_URL,
};
const [dead, slow] = await Promise.all([startServer(environment), startServer(environment)]);
afterAll(() => Promise.all([dead.stop(), slow.stop()]));

const CALLS = {
  transfer: ['/api/wallet/transfer', { from: 'betflix', to: 'wallet', amount: 200 }],
  withdrawAll: ['/api/wallet/withdrawAll', { amount: 700 }],
  transferAll: ['/api/wallet/transferAll', { to: 'wallet' }],
} as const;
type Call = keyof typeof CALLS;
type Receipt = { id: string; wallet: { amount: number } };

/** A member with 500.00 in the wallet and 500.00 in a game. */
async function player(): Promise<TestMember> {
  const member = await env.member({ amountMinor: 100_000n });
  await env.call('POST', '/api/wallet/activate/betflix', undefined, { token: member.token });
  const into = { from: 'wallet', to: 'betflix', amount: 500 };
  await env.call('POST', '/api/wallet/transfer', into, { token: member.token });
  return member;
}
const send = (url: string, member: TestMember, call: Call, body: object = CALLS[call][1]) =>
  fetch(url + CALLS[call][0], {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'wallet-user',
      authorization: `Bearer ${member.token}`,
      'idempotency-key': `key-${call}-${member.id}`,
    },
    body: JSON.stringify(body),
  });

/** A call that has taken its key and reads the balance of a game that does not respond for so long. */
async function caught(server: RunningServer, call: Call, ms: number) {
  const member = await player();
  const username = `kp${member.id}`;
  await env.fault({ party: 'game-f', call: 'balance', member: username, kind: 'delay', ms, count: 1 });
  const response = send(server.url, member, call).catch(() => null);
  await until(async () => {
    const { rows } = await env.pool.query(
      "select 1 from idempotency where member_id = $1 and state = 'RUNNING'",
      [member.id],
    );
    return rows.length > 0;
  });
  await taken(username);
  return { member, response };
}
/** The fault laid for a player has met its call. */
const taken = (username: string) =>
  until(async () =>
    (await env.control('faults', {})).faults.every((one: { member?: string }) => one.member !== username),
  );

/** Everything on its way into another game; the call waits for the named game's answer to its transfer. */
async function halfway(server: RunningServer, agent: string, ms: number) {
  const member = await player();
  await env.call('POST', '/api/wallet/activate/areaslot', undefined, { token: member.token });
  const username = `kp${member.id}`;
  await env.fault({
    party: 'game-f',
    call: 'transfer',
    agent,
    member: username,
    kind: 'delay',
    ms,
    count: 1,
  });
  const response = send(server.url, member, 'transferAll', { to: 'areaslot' }).catch(() => null);
  await taken(username);
  return { member, response };
}
const BALANCES =
  "select kind, coalesce(slot_code, '') as slot, balance::int from ledger_account where member_id = $1 and balance > 0";
/** What a repeat says is in the wallet in the end. */
const LEFT = { transfer: 700, withdrawAll: 0, transferAll: 1000 };
const moved = async (member: TestMember) => {
  const { rows } = await env.pool.query(
    `select (select count(*)::int from provider_transfer where member_id = $1 and direction = 'OUT') as out,
       (select count(*)::int from withdrawal where member_id = $1) as withdrawals`,
    [member.id],
  );
  return rows[0];
};

/** The game answers so late that the server is paused before, on a machine that does much else at the time. */
const LATE_MS = 2_000;

test('repeats of a call whose server crashed: a new attempt when nothing had moved, else the state of its moves', async () => {
  const calls: Call[] = ['transfer', 'withdrawAll', 'transferAll'];
  const victims = await Promise.all(calls.map((call) => caught(dead, call, 30_000)));
  const paused = await Promise.all(calls.map((call) => caught(slow, call, LATE_MS)));
  const incoming = await halfway(dead, 'areaslot', 8_000);
  const outgoing = await halfway(slow, 'betflix', LATE_MS);
  // One server is killed; the other is paused while its member repeats, and then continues.
  slow.child.kill('SIGSTOP');
  await dead.kill();
  // The games were given long to answer; from now on a call is taken for over sooner than repeats wait.
  await env.set('game.timeoutSeconds', 1);
  const outcomesHalfway = [incoming, outgoing].map(({ member }) =>
    Promise.all(
      Array.from({ length: 5 }, async () => {
        const reply = await send(env.url, member, 'transferAll', { to: 'areaslot' });
        return [reply.status, await reply.json()];
      }),
    ),
  );
  const repeated = await Promise.all(
    [...victims, ...paused].flatMap(({ member }, at) =>
      Array.from({ length: 5 }, async () => {
        const reply = await send(env.url, member, calls[at % calls.length]!);
        return { at, status: reply.status, body: (await reply.json()) as Receipt };
      }),
    ),
  );
  const [arrived, stopped] = await Promise.all(outcomesHalfway);
  slow.child.kill('SIGCONT');
  for (const [at, { member, response }] of [...victims, ...paused].entries()) {
    const call = calls[at % calls.length]!;
    const mine = repeated.filter((one) => one.at === at);
    const [one] = mine;
    expect(mine.map(({ status, body }) => [call, status, body.id, body.wallet.amount])).toEqual(
      mine.map(() => [call, 200, one!.body.id, LEFT[call]]),
    );
    // A late repeat gets the same response and moves nothing.
    const late = await response;
    if (at >= calls.length)
      expect([call, late?.status, await late?.json()]).toMatchObject([call, 200, { id: mine[0]!.body.id }]);
    const { out, withdrawals } = await moved(member);
    expect([call, withdrawals]).toEqual([call, call === 'withdrawAll' ? 1 : 0]);
    // A late withdrawal may still bring game money home, to the member's own wallet; it leaves it no second time.
    if (call !== 'withdrawAll' || at < calls.length) expect([call, out]).toEqual([call, 1]);
  }
  // The game had taken all: its outcome counts, although the calling process has crashed.
  const legs = [
    { from: 'betflix', amount: 500, status: 'SUCCESS' },
    { from: 'wallet', amount: 1000, status: 'SUCCESS' },
  ];
  for (const outcome of arrived!)
    expect(outcome).toMatchObject([200, { status: 'SUCCESS', amount: 1000, legs, wallet: { amount: 0 } }]);
  const held = async ({ member }: { member: TestMember }) =>
    (await env.pool.query(BALANCES, [member.id])).rows;
  expect(await held(incoming)).toEqual([{ kind: 'mirror', slot: 'areaslot', balance: 100_000 }]);
  // Between two moves nothing further is begun: not by the repeats, not by the call that goes on late.
  for (const outcome of stopped!) expect(outcome).toEqual([400, { message: 'TRANSFER_FAIL' }]);
  const late = await outgoing.response;
  expect([late?.status, await late?.json()]).toEqual([400, { message: 'TRANSFER_FAIL' }]);
  expect(await held(outgoing)).toEqual([{ kind: 'wallet', slot: '', balance: 100_000 }]);
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});
