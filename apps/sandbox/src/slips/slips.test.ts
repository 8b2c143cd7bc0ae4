import { slip as shape } from '@krapao/contract/outside';
import sharp from 'sharp';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeQrPicture } from '../pages/decode.ts';
import { call, json, startTestEnv, type TestEnv } from '../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
afterAll(() => env.stop());

const make = async (body: object) => (await env.control('slip', { phone: '0815550142', ...body })).body;
const ok = (data: string, key = 'sandbox-slip') =>
  call(
    `${env.sandbox.url}/outside/slip/slipok/api/line/apikey/sandbox`,
    json({ data }, { 'x-authorization': key }),
  );
const easy = (payload: string) =>
  call(`${env.sandbox.url}/outside/slip/easyslip/api/v1/verify?${new URLSearchParams({ payload })}`, {
    headers: { authorization: 'Bearer sandbox-slip' },
  });

describe('a slip', () => {
  test.each(['png', 'jpeg'])('carries the mini QR of its transfer as %s', async (format) => {
    const slip = await make({ amount: '123.45', format });
    const picture = Buffer.from(slip.image, 'base64');
    expect((await sharp(picture).metadata()).format).toBe(format);
    expect(await decodeQrPicture(picture)).toBe(slip.payload);
  });

  test.each(['cropped', 'blurred', 'no-qr'])('%s has no readable code', async (kind) => {
    const slip = await make({ kind });
    expect(await decodeQrPicture(Buffer.from(slip.image, 'base64'))).toBeNull();
  });

  test('can be saved from the receipt', async () => {
    const { transRef, payload } = await make({});
    const reply = await fetch(`${env.sandbox.url}/phone/slip?tx=${transRef}`);
    expect(await decodeQrPicture(new Uint8Array(await reply.arrayBuffer()))).toBe(payload);
    expect((await fetch(`${env.sandbox.url}/phone/slip?tx=none`)).status).toBe(404);
  });
});

describe('both vendors', () => {
  test('tell the true transfer, masked', async () => {
    const { payload, transRef } = await make({ amount: '55.50', kind: 'edited-amount' });
    const [one, two] = [await ok(payload), await easy(payload)];
    expect(Value.Check(shape.SlipOkReply, one.body)).toBe(true);
    expect(Value.Check(shape.EasySlipReply, two.body)).toBe(true);
    expect(one.body.data).toMatchObject({
      transRef,
      amount: 55.5,
      sendingBank: '004',
      sender: { account: { value: 'xxx-x-x6789-x' } },
      receiver: { account: { value: 'xxx-x-x2333-x' } },
    });
    expect(two.body.data).toMatchObject({
      transRef,
      amount: { amount: 55.5 },
      receiver: { bank: { id: '004' } },
    });
  });

  test('know nothing of a transfer that never was', async () => {
    const { payload } = await make({ kind: 'unknown' });
    expect((await ok(payload)).body.code).toBe(1011);
    expect((await easy(payload)).body.message).toBe('slip_not_found');
  });

  test('say later, refuse by number, and want their key', async () => {
    const { payload } = await make({});
    await env.control('faults', { party: 'slip', kind: 'late', count: 1 });
    expect((await ok(payload)).body).toMatchObject({ code: 1010, data: { delay: 1 } });
    await env.control('faults', { party: 'slip', kind: 'refuse', code: 1014, count: 1 });
    expect((await ok(payload)).body.code).toBe(1014);
    expect((await ok(payload, 'wrong')).body.code).toBe(1002);
  });
});
