import { expect, test } from 'vitest';
import { memberApp, receiptOf } from '../testing/member-app.tsx';
import { sendOnce } from './once-only.ts';
import { pendingBody } from './sheet-state.ts';

const CALL = 'POST /api/wallet/transfer';
const app = await memberApp();
const BODY = { from: 'wallet', to: 'lucky', amount: 100 };
const send = () => sendOnce(CALL, BODY).catch((error: Error) => error);
const keys = () => app.received(CALL).map(({ idempotencyKey }) => idempotencyKey);

test('moved twice: a refusal of the caller at the repeat leaves the intent and its key as they were', async () => {
  app.dropConnection(CALL);
  await send();
  for (const code of ['INVALID_IP', 'INACTIVE_USER', 'REQUEST_LIMIT', 'KEY_INVALID']) {
    app.refuse(CALL, code, {}, { REQUEST_LIMIT: 429, KEY_INVALID: 401 }[code] ?? 403);
    await send();
    expect(pendingBody(CALL)).toEqual(BODY);
  }
  app.reply(CALL, receiptOf({}));
  await send();
  expect(new Set(keys()).size).toBe(1);
  expect(keys()).toHaveLength(6);
  expect(pendingBody(CALL)).toBeNull();
});

test('unknown result: a call that ended because a partner is away is answered, but not an earlier one', async () => {
  app.refuse(CALL, 'PROVIDER_UNAVAILABLE');
  await send();
  expect(pendingBody(CALL)).toBeNull();
  app.dropConnection(CALL);
  await send();
  app.refuse(CALL, 'PROVIDER_UNAVAILABLE');
  await send();
  expect(pendingBody(CALL)).toEqual(BODY);
  app.refuse(CALL, 'INTERNAL_SERVER_ERROR', {}, 503);
  await send();
  expect(pendingBody(CALL)).toEqual(BODY);
  expect(new Set(keys()).size).toBe(1);
});

test('a decided intent is followed by another, and one that was only refused for now is not under way', async () => {
  app.refuse(CALL, 'REQUEST_LIMIT');
  await send();
  expect(pendingBody(CALL)).toBeNull();
  app.refuse(CALL, 'MONEY_NOT_ENOUGH');
  await send();
  app.reply(CALL, receiptOf({}));
  await send();
  const [first, second, third] = keys();
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});
