import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeBillPayment } from '@krapao/contract/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { call, createQr, startTestEnv, type TestEnv } from '../testing/test-env.ts';
import { html } from './html.ts';
import { allTexts } from './texts.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
afterAll(() => env.stop());

const get = (path: string, headers: Record<string, string> = {}) => call(env.sandbox.url + path, { headers });
const post = (path: string, form: Record<string, string>, cookie = '') =>
  fetch(env.sandbox.url + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { cookie },
    redirect: 'manual',
  });
const field = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)![1]!;

describe('every page', () => {
  test.each(['/', '/?s=scan', '/?s=transfer', '/games', '/games/imi/play', '/bank', '/control'])(
    '%s wears the tape, speaks three languages and runs no inline script',
    async (path) => {
      for (const [lang, code, tape] of [
        ['th', 'th', 'เงินและข้อความ'],
        ['la', 'lo', 'ເງິນ ແລະ ຂໍ້ຄວາມ'],
        ['en', 'en', 'all money and messages'],
      ]) {
        const response = await fetch(
          `${env.sandbox.url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`,
        );
        const text = await response.text();
        expect(response.status).toBe(200);
        expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
        expect(text).toContain(`<html lang="${code}">`);
        expect(text).toContain(tape);
        expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=|undefined|\[object/);
      }
    },
  );

  test('remembers the language, and Thai comes first', async () => {
    expect((await get('/')).text).toContain('<html lang="th">');
    expect((await get('/', { cookie: 'sandbox_lang=en' })).text).toContain('<html lang="en">');
    expect((await get('/?lang=xx')).text).toContain('<html lang="th">');
  });

  test('files, fonts and unknown addresses', async () => {
    expect((await get('/assets/page.js')).status).toBe(200);
    expect((await get('/assets/fonts/google-sans-lao-wght-normal.woff2')).status).toBe(200);
    expect((await get('/assets/fonts/google-sans-lao-full-normal.woff2')).status).toBe(404);
    expect((await get('/nowhere')).status).toBe(404);
    expect((await get('/games/nobody/play')).status).toBe(404);
  });

  test('no text is empty or in another script', () => {
    for (const [id, [th, la, en]] of allTexts()) {
      expect(th && la && en, id).toBeTruthy();
      expect(/[\u0E80-\u0EFF]/.test(th) || /[\u0E00-\u0E7F]/.test(la) || /[\u0E00-\u0EFF]/.test(en), id).toBe(
        false,
      );
      const holes = (text: string) =>
        text
          .match(/\{\w+\}/g)
          ?.sort()
          .join();
      expect([holes(la), holes(en)], id).toEqual([holes(th), holes(th)]);
    }
  });

  test('escapes what people typed', () => {
    expect(html`<b title="${'"'}">${'<i>'}</b>`.html).toBe('<b title="&quot;">&lt;i&gt;</b>');
  });
});

describe('phone', () => {
  test('shows a message with its code ready to copy', async () => {
    await env.sms('/messages', { sender: 'KRAPAO', to: '0815550142', text: 'รหัส 407291 <b>' });
    const { text } = await get('/?p=p1');
    expect(text).toContain('data-copy="407291"');
    expect(text).toContain('&lt;b&gt;');
  });

  test('pays a pasted QR once, however often the form is sent', async () => {
    const pasted = await post('/phone/qr', { p: 'p1', payload: await createQr(env, 'W1', '20.00') });
    const review = await get(pasted.headers.get('location')!.replace('#bankapp', ''));
    expect(review.text).not.toContain('name="amount"');
    const form = {
      p: 'p1',
      payload: field(review.text, 'payload'),
      from: 'KBANK:1234567890',
      once: field(review.text, 'once'),
      how: 'once',
      amount: '1.00',
    };
    const first = await post('/phone/pay', form);
    const again = await post('/phone/pay', form);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const inquiry = await env.bank('/payment/billpayment/inquiry?billerId=010753600031501&reference1=W1');
    expect(inquiry.body.data.map((payment: { amount: string }) => payment.amount)).toEqual(['20.00']);
    expect((await get(first.headers.get('location')!.replace('#bankapp', ''))).text).toContain(
      '20<span class="dec">.00',
    );
  });

  test('pays twice, pays late, and prompts for the amount of a static QR', async () => {
    const twice = {
      p: 'p1',
      payload: await createQr(env, 'W2', '5.00'),
      from: 'KBANK:1234567890',
      how: 'twice',
    };
    expect((await post('/phone/pay', twice)).headers.get('location')).toContain('n=2');
    const late = { ...twice, how: 'late', minutes: '5' };
    expect((await post('/phone/pay', late)).headers.get('location')).toContain('s=planned');
    const payload = encodeBillPayment({ billerId: '010753600031501', reference1: 'OPEN' });
    expect((await get(`/?s=review&qr=${payload}`)).text).toContain('name="amount"');
    expect((await post('/phone/pay', { ...twice, payload })).headers.get('location')).toContain(
      'AMOUNT_NEEDED',
    );
  });

  test('reads a picture, and says so when it cannot', async () => {
    const payload = await createQr(env, 'W3', '7.00');
    const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
    await prepareZXingModule({
      overrides: { wasmBinary: new Uint8Array(wasm).buffer },
      fireImmediately: true,
    });
    const { image } = await writeBarcode(payload, { format: 'QRCode', scale: 4 });
    const send = async (body: BodyInit) =>
      call(`${env.sandbox.url}/phone/decode`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body,
      });
    expect((await send(image!)).body).toEqual({ payload });
    expect((await send('not a picture')).status).toBe(422);
  });

  test('transfers after a review', async () => {
    const path = '/?p=p1&s=transfer-review&from=KBANK:1234567890&bank=KBANK&to=1112223334&amount=12.50';
    const { text } = await get(path);
    const form = Object.fromEntries(
      ['p', 'fromKey', 'toBank', 'toAccount', 'amount', 'once'].map((name) => [name, field(text, name)]),
    );
    expect((await post('/phone/transfer', form)).headers.get('location')).toContain('s=done');
    expect((await get(path.replace('12.50', '99999999'))).text).toContain('role="alert"');
  });

  test('adds a person, or says why not', async () => {
    const added = await post('/phone/persons', { name: 'ใหม่', phone: '0861112222', bankCode: 'GSB' });
    expect(added.headers.get('location')).toMatch(/p=p\d+/);
    expect((await post('/phone/persons', { name: 'x', phone: '1' })).headers.get('location')).toContain(
      'BAD_PHONE',
    );
  });
});

describe('bank’s back office and games', () => {
  test('a waiting payout is paid manually', async () => {
    await post('/bank/mode', { mode: 'manual' });
    await env.bank('/payout', {
      reference: 'BO1',
      amount: '3.00',
      bankCode: 'SCB',
      accountNo: '4078811245',
      accountName: 'ธนา',
    });
    expect((await get('/bank')).text).toContain('value="BO1"');
    await post('/bank/payout', { reference: 'BO1', state: 'PAID' });
    expect((await env.bank('/payout/BO1')).body.data.state).toBe('PAID');
  });

  test('a player logs in, bets, draws and is refused without credits', async () => {
    const kp = { username: 'kp9', password: 'pass1234' };
    await env.game('huayhd', 'user/register', kp);
    await env.game('huayhd', 'user/transfer', { username: 'kp9', amount: '10', ref: 'g1' });
    expect((await post('/games/huayhd/login', { ...kp, password: 'no' })).headers.get('location')).toContain(
      'badLogin',
    );
    const cookie = (await post('/games/huayhd/login', kp)).headers.getSetCookie()[0]!.split(';')[0]!;
    const perform = async (path: string, form: Record<string, string> = {}) =>
      (await post(`/games/huayhd/${path}`, form, cookie)).headers.get('location');
    expect(await perform('draw')).toContain('NOTHING_TO_DRAW');
    expect(await perform('bet', { stake: '10', pick: '1' })).toContain('BAD_PICK');
    expect(await perform('bet', { stake: '0', pick: '11' })).toContain('BAD_STAKE');
    expect(await perform('bet', { stake: '10', pick: '11' })).toBe('/games/huayhd/play');
    expect(await perform('bet', { stake: '10', pick: '11' })).toContain('NOT_ENOUGH_CREDIT');
    expect(await perform('draw')).toBe('/games/huayhd/play');
    expect((await get('/games/huayhd/play', { cookie })).text).toContain('kp9');
    await perform('logout');
    expect((await get('/games/huayhd/play', { cookie })).text).toContain('name="password"');
  });

  test('the stream tells what happened', async () => {
    const stream = await fetch(`${env.sandbox.url}/live`);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    await env.control('clock', { advanceMs: 1 });
    let seen = '';
    while (!seen.includes('data: clock')) seen += (await reader.read()).value;
    await reader.cancel();
    expect(seen).toContain('data: clock');
  });
});
