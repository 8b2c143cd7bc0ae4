import { expect, onTestFinished, test } from 'vitest';
import { CONSOLE_HEADERS, operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const [support, marketing] = await Promise.all(
  ['support', 'marketing'].map((role) => operators.operator(role)),
);
const address = await env.app.consoleHttp.listen({ port: 0, host: '127.0.0.1' });

const FUNDS = { amountMinor: 100_000n };
const withdraw = ({ token }: { token: string }) =>
  env.call('POST', '/api/wallet/withdraw', { amount: 500 }, { token });
const changes = (text: string, id: bigint): number => text.split(`"arrival":"members ${id}"`).length - 1;

/** Opens the stream of a console that shows a member; the answer reads on until `isEnough`, and returns all events received. */
async function follow(as: TestOperator, memberId: bigint) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const stream = await fetch(`${address}/api/operator/live?member=${memberId}`, {
    headers: { ...CONSOLE_HEADERS, cookie: as.cookie },
    signal: stop.signal,
  });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  return async (isEnough: (received: string) => boolean): Promise<string> => {
    while (!isEnough(received)) received += (await reader.read()).value;
    return received;
  };
}

test('a console that shows a member receives events of their money, and of no other member', async () => {
  const [member, other] = [await env.member(FUNDS), await env.member(FUNDS)];
  const read = await follow(support!, member.id);
  await read((received) => changes(received, member.id) === 1);
  await withdraw(other);
  await withdraw(member);
  const received = await read((text) => changes(text, member.id) === 2);
  expect(changes(received, other.id)).toBe(0);
});

test('it receives events of a colleague’s actions on the member', async () => {
  const member = await env.member();
  const read = await follow(support!, member.id);
  await read((received) => changes(received, member.id) === 1);
  const note = { text: 'called about a slip' };
  await operators.call(support!, 'POST', `/api/operator/members/${member.id}/notes`, note);
  await read((received) => changes(received, member.id) === 2);
});

test('an operator without access to members receives no member events', async () => {
  const member = await env.member(FUNDS);
  const read = await follow(marketing!, member.id);
  await withdraw(member);
  await env.owner.query("select pg_notify('console', 'wheels')");
  expect(changes(await read((received) => received.includes('wheels')), member.id)).toBe(0);
});
