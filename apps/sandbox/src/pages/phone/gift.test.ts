import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, startTestEnv, type TestEnv } from '../../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
afterAll(() => env.stop());

const get = (lang: string) => call(`${env.sandbox.url}/?p=p1&s=gift&lang=${lang}`);
const post = (form: Record<string, string>) =>
  fetch(`${env.sandbox.url}/phone/gift`, {
    method: 'POST',
    body: new URLSearchParams({ p: 'p1', receivers: '1', kind: 'F', hours: '72', ...form }),
    redirect: 'manual',
  });
const made = async () => (await env.control('books')).body.vouchers;

test('a person makes a gift once, however often the form is sent, and finds its link', async () => {
  for (let times = 0; times < 2; times++)
    expect((await post({ once: 'a', amount: '99.50', receivers: '3' })).headers.get('location')).toBe(
      '/?p=p1&s=gift#bankapp',
    );
  const [gift, ...more] = await made();
  expect(more).toEqual([]);
  expect(gift).toMatchObject({ amount: '99.50', receivers: 3, owner: '0815550142' });
  for (const lang of ['th', 'la', 'en']) {
    const { text } = await get(lang);
    expect(text).toContain(`data-copy="${gift.link}"`);
    expect(text).not.toMatch(/undefined|\[object/);
  }
});

test.each([
  ['amount', { amount: '' }],
  ['amount', { amount: '0' }],
  ['receivers', { amount: '5', receivers: '101' }],
  ['receivers', { amount: '0.02', receivers: '3' }],
])('a gift with a wrong %s is not made', async (_what, form) => {
  const before = (await made()).length;
  expect((await post(form)).headers.get('location')).toContain('e=AMOUNT_NEEDED');
  expect((await made()).length).toBe(before);
});
