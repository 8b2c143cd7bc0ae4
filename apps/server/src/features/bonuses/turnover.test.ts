import { expect, onTestFinished, test, vi } from 'vitest';
import type { Played, Span } from '../../outside/index.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { inviteHelpers } from '../invites/testing-invites.ts';
import { bonusHelpers } from './testing-bonuses.ts';

const env = await startTestEnv({ jobs: false });
const { offer, deposit, activate, clear, active } = bonusHelpers(env);
const { open, refresh } = gameHelpers(env);
const { invitee, receive } = inviteHelpers(env);

/** A provider that reads so much of a player's bets in each call; returns the spans that were requested. */
function playedInParts(...parts: Omit<Played, 'result'>[]): Span[] {
  const { providerOf } = env.app.deps;
  const spans: Span[] = [];
  const spy = vi.spyOn(env.app.deps, 'providerOf').mockImplementation((slot) => ({
    ...providerOf(slot),
    async played(_username, span) {
      spans.push(span);
      const part = parts[Math.min(spans.length, parts.length) - 1]!;
      return { outcome: 'ok', value: { ...part, result: 0n } };
    },
  }));
  onTestFinished(() => spy.mockRestore());
  return spans;
}

const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const progress = async () =>
  (await env.pool.query('select until, turnover from game_played order by read_at desc limit 1')).rows[0];

/** A member with a run that needs bets of 200.00. */
async function bettor() {
  const member = await env.member();
  await open(member, 'askmebet');
  await deposit(member, 100);
  const code = await offer({ success_percent: 0, turnover_percent: 100 });
  expect(await activate(member, code)).toMatchObject({ status: 200 });
  return member;
}

test('more bets than one reading takes are read on from where the last one ended', async () => {
  const member = await bettor();
  const [first, second] = [soon(1), soon(2)];
  const spans = playedInParts(
    { turnover: 9_000n, until: first },
    { turnover: 8_000n, until: second },
    { turnover: 3_000n, until: null },
  );
  for (const turnover of [90, 170]) {
    expect((await clear(member)).body.message).toBe('PROVIDER_UNAVAILABLE');
    expect(await active(member)).toMatchObject({ turnover });
  }
  expect(await progress()).toEqual({ until: second, turnover: 17_000n });
  expect((await clear(member)).body).toMatchObject({ message: 'BONUS_CLEAR', state: 'SUCCESS' });
  expect(spans.slice(1).map(({ from }) => from)).toEqual([first, second]);
});

test('bets that are enough need not all be read', async () => {
  const member = await bettor();
  playedInParts({ turnover: 20_000n, until: soon(1) });
  expect((await clear(member)).body).toMatchObject({ message: 'BONUS_CLEAR', state: 'SUCCESS' });
});

test('a refresh of the games counts the bets of a run that needs them, and no sooner than a refresh may be', async () => {
  const member = await bettor();
  const spans = playedInParts({ turnover: 15_000n, until: null }, { turnover: 30_000n, until: null });
  await refresh(member);
  expect(await active(member)).toMatchObject({ turnover: 150, turnoverNeeded: 200 });
  await refresh(member);
  expect(spans).toHaveLength(1);
  await env.owner.query('update member set last_sync = null where id = $1', [member.id]);
  await refresh(member);
  expect(await active(member)).toMatchObject({ turnover: 300, turnoverNeeded: 200 });
  await env.owner.query('update member set last_sync = null where id = $1', [member.id]);
  await refresh(member);
  expect(spans).toHaveLength(2);
});

test('a refresh reads no bets without a run that needs them', async () => {
  const member = await env.member();
  await open(member, 'askmebet');
  const spans = playedInParts({ turnover: 15_000n, until: null });
  expect((await refresh(member)).status).toBe(200);
  expect(spans).toHaveLength(0);
});

test('a refresh responds although the bets cannot be read, and what was counted stays', async () => {
  const member = await bettor();
  await env.owner.query('update bonus_run set turnover = 5000 where member_id = $1', [member.id]);
  const { providerOf } = env.app.deps;
  const spy = vi.spyOn(env.app.deps, 'providerOf').mockImplementation((slot) => ({
    ...providerOf(slot),
    played: async () => ({ outcome: 'unknown', note: 'silent' }),
  }));
  onTestFinished(() => spy.mockRestore());
  expect((await refresh(member)).status).toBe(200);
  expect(await active(member)).toMatchObject({ turnover: 50, turnoverNeeded: 200 });
});

test('an invite share is ready by bets that one reading does not take', async () => {
  const inviter = await env.member();
  const member = await invitee(inviter);
  await deposit(member, 100);
  await open(member, 'askmebet');
  playedInParts({ turnover: 20_000n, until: soon(1) }, { turnover: 10_000n, until: soon(2) });
  expect((await receive(inviter)).body.message).toBe('NO_INVITEE_PLAY_INFO');
  expect((await receive(inviter)).body.amount).toBe(5);
});

test('progress that no reading continues is deleted', async () => {
  await env.owner.query("update game_played set read_at = now() - interval '31 days'");
  await env.app.runJob('housekeeping');
  expect(await progress()).toBeUndefined();
});
