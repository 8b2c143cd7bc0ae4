import { expect, test } from 'vitest';
import { partners } from './partners.ts';
import { startTestEnv } from './testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const { config, settings } = env.app.deps;
const sandbox = new URL(config.SMS_URL).origin;

test.each([
  ['gateway', 'sms'],
  ['bulk', 'sms-bulk'],
])('the setting %s alone decides how the SMS gateway is spoken to', async (style, path) => {
  const { sms } = partners(
    { ...config, SMS_STYLE: style, SMS_URL: `${sandbox}/outside/${path}` } as typeof config,
    settings,
  );
  const to = style === 'bulk' ? '0815552001' : '0815552002';
  expect(await sms.send({ to, text: 'รหัส 123456' })).toMatchObject({ outcome: 'ok' });
  expect((await env.control(`sms?phone=${to}`)).messages).toMatchObject([{ text: 'รหัส 123456' }]);
});

test('calls the aggregator of a game’s registration only', async () => {
  const { providerOf } = partners(config, settings);
  for (const [adapter, agent, party] of [
    ['style-f', 'betflix', 'game-f'],
    ['style-j', 'pg', 'game-j'],
  ] as const) {
    const requested = async () => (await env.control(`log?party=${party}&limit=10`)).entries.length;
    expect(await requested()).toBe(0);
    await providerOf({ adapter, agent }).balance('nobody');
    expect(await requested()).toBe(1);
  }
});

test('a partner is there once it has an address, and without one nothing of theirs is offered', () => {
  const addresses = { BANK_B_URL: '', GIFT_URL: '', WW_URL: '', ZAPMAN_URL: '' };
  const [all, few] = [partners(config, settings), partners({ ...config, ...addresses }, settings)];
  expect([all.feed, all.gift]).not.toContain(null);
  expect([few.feed, few.gift]).toEqual([null, null]);
  expect(all.qrMakers).toHaveLength(3);
  expect(few.qrMakers).toHaveLength(1);
});
