import { expect, onTestFinished, test } from 'vitest';
import { CONSOLE_HEADERS, operatorHelpers } from '../testing/operator.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);

test('the live stream tells an open console that a withdrawal waits, and one just opened that the page changed', async () => {
  const operator = await operators.operator('finance');
  const address = await env.app.consoleHttp.listen({ port: 0, host: '127.0.0.1' });
  const stop = new AbortController();
  // A stream left open would keep the server, and with it the run, from ending.
  onTestFinished(() => stop.abort());
  const follow = async () => {
    const stream = await fetch(`${address}/api/operator/live`, {
      headers: { ...CONSOLE_HEADERS, cookie: operator.cookie },
      signal: stop.signal,
    });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    return stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  };
  const reader = await follow();
  const member = await env.member({ amountMinor: 500_000n });
  await env.call('POST', '/api/wallet/withdraw', { amount: 3000 }, { token: member.token });
  let received = '';
  while (!received.includes('"isNew":true')) received += (await reader.read()).value;
  expect(received).toMatch(/data: {"pageName":"withdrawals","isNew":true,"arrival":"withdrawals \d+"/);
  const late = await follow();
  let streamed = '';
  while (!streamed.includes('"pageName":"withdrawals"')) streamed += (await late.read()).value;
  expect(streamed).toContain('data: {"pageName":"withdrawals","isNew":false,"word":null}');
});
