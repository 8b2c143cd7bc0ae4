import { describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { SETTING_DEFAULTS } from '../../platform/settings.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { PROXY, peopleHelpers, person } from '../registration/testing-people.ts';
import { inviteHelpers } from './testing-invites.ts';

const env = await startTestEnv({ jobs: false, environment: PROXY });
await env.set('register.otp', false);
const operators = operatorHelpers(env);
const { register } = peopleHelpers(env);
const { deposit, active, clear, forfeit, offer, activate, statement, withdraw } = bonusHelpers(env);
const { open, transfer, play } = gameHelpers(env);
const { invitee, bet, earner, receive, page, accrued } = inviteHelpers(env);

const shares = async (inviter: TestMember) =>
  (
    await env.pool.query(
      'select state, reason, amount from invite_credit where inviter_id = $1 order by id',
      [inviter.id],
    )
  ).rows;
const session = (member: TestMember, address: string, userAgent: string) =>
  env.owner.query(
    `insert into session (token_hash, member_id, created_at, expires_at, address, user_agent)
     values (sha256(random()::text::bytea), $1, now(), 'infinity', $2, $3)`,
    [member.id, address, userAgent],
  );
const during = async (key: 'invite.active' | 'invite.minimum', value: unknown, work: () => Promise<void>) => {
  await env.set(key, value);
  try {
    await work();
  } finally {
    await env.set(key, SETTING_DEFAULTS[key]);
  }
};

/** Requests that the member's first standing deposit is taken back; returns how a second operator decides it. */
async function requestReversal(member: TestMember) {
  const sql = 'select id from deposit where member_id = $1 and reversal_id is null order by entry_id';
  const { rows } = await env.pool.query(sql, [member.id]);
  const [maker, checker] = [await operators.operator('finance'), await operators.operator('finance-lead')];
  const requested = await operators.call(maker, 'POST', `/api/operator/deposits/${rows[0].id}/reverse`, {
    reason: 'not theirs',
  });
  expect(requested.status).toBe(200);
  const path = `/api/operator/approvals/${requested.body.approval}`;
  return (what: 'approve' | 'refuse') =>
    operators.call(checker, 'POST', `${path}/${what}`, { note: 'theirs' });
}

/** Takes the member's first standing deposit back. */
async function reverse(member: TestMember): Promise<void> {
  const decide = await requestReversal(member);
  expect(await decide('approve')).toMatchObject({ status: 200, body: { state: 'REVERSED' } });
}

describe('what a first deposit earns', () => {
  test('is five in a hundred of it, at most 500.00, once, and nothing before or after', async () => {
    const inviter = await env.member();
    const [one, two] = [await invitee(inviter), await invitee(inviter)];
    expect(await accrued(inviter)).toBe(0);
    await deposit(one, 100.5);
    await deposit(one, 5_000);
    expect(await accrued(inviter)).toBe(5.02);
    await deposit(two, 20_000);
    expect(await accrued(inviter)).toBe(505.02);
    expect(await shares(inviter)).toMatchObject([{ state: 'ACCRUED', amount: 502n }, { amount: 50_000n }]);
    const alone = await env.member();
    await deposit(alone, 1_000);
    expect(await shares(alone)).toEqual([]);
  });

  test('is nothing once the inviter has closed their account', async () => {
    const inviter = await env.member();
    const invited = await invitee(inviter);
    await env.owner.query("update member set status = 'CLOSED' where id = $1", [inviter.id]);
    await deposit(invited, 1_000);
    expect(await shares(inviter)).toEqual([]);
  });

  test('is earned by every kind of deposit, a gift too', async () => {
    const inviter = await env.member();
    const member = await invitee(inviter);
    const { link } = await env.control('vouchers', { amount: 60 });
    await env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
    expect(await accrued(inviter)).toBe(3);
  });

  test('is nothing to who shares a device, an address or a bank account, and operators see why', async () => {
    const inviter = await env.member();
    const [device, address, account, otherMember] = [
      await invitee(inviter),
      await invitee(inviter),
      await invitee(inviter),
      await invitee(inviter),
    ];
    await session(inviter, '198.51.100.7', 'Phone A');
    await session(device, '198.51.100.7', 'Phone A');
    await session(address, '198.51.100.7', 'Phone B');
    await session(otherMember, '198.51.100.8', 'Phone A');
    // Behind an undeclared proxy all clients seem to have one address.
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', '::ffff:192.168.0.7', 'fd00::1'])
      for (const member of [inviter, otherMember]) await session(member, address, 'Phone A');
    await env.owner.query(
      `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at)
       select $1, bank_code, account_no_sealed, account_no_fingerprint, account_name, 'REPLACED', now() from bank_account where member_id = $2`,
      [account.id, inviter.id],
    );
    for (const member of [device, address, account, otherMember]) await deposit(member, 100);
    expect((await shares(inviter)).map(({ state, reason }) => reason ?? state)).toEqual([
      'DEVICE',
      'ADDRESS',
      'ACCOUNT',
      'ACCRUED',
    ]);
    expect(await accrued(inviter)).toBe(5);
    const marketing = await operators.operator('marketing');
    const seen = await operators.call(marketing, 'GET', `/api/operator/invites?inviter=${inviter.id}`);
    expect(seen.body).toMatchObject({
      total: 4,
      sums: [{ currency: 'BAHT', amount: 5 }],
      invites: [
        { state: 'ACCRUED', member: { id: String(otherMember.id) }, amount: 5, needed: 300, deposited: 100 },
        { state: 'BARRED', reason: 'ACCOUNT' },
        { state: 'BARRED', reason: 'ADDRESS' },
        { state: 'BARRED', reason: 'DEVICE' },
      ],
    });
    const barred = await operators.call(marketing, 'GET', '/api/operator/invites?state=BARRED&inviter=x');
    expect(barred.body).toMatchObject({ invites: [], total: 0, sums: [] });
    expect((await page(inviter)).invites.map((row: { status: string }) => row.status)).toEqual([
      'WAITING',
      'NONE',
      'NONE',
      'NONE',
    ]);
  });

  test('is nothing while the list of bonuses is off', async () => {
    const inviter = await env.member();
    await during('invite.active', false, async () => {
      await deposit(await invitee(inviter), 100);
      expect(await receive(inviter)).toMatchObject({ status: 400, body: { message: 'INVITE_INACTIVE' } });
    });
    expect(await shares(inviter)).toEqual([]);
  });

  test('goes with its deposit; the next deposit is then the first', async () => {
    const inviter = await env.member();
    const member = await invitee(inviter);
    await deposit(member, 100);
    expect(await accrued(inviter)).toBe(5);
    await reverse(member);
    expect(await accrued(inviter)).toBe(0);
    expect((await receive(inviter)).body.message).toBe('NO_INVITE_BONUS');
    await deposit(member, 200);
    expect(await accrued(inviter)).toBe(10);
  });

  test('is earned by the second deposit once the first is taken back, with the bets since the second', async () => {
    const inviter = await env.member();
    const member = await invitee(inviter);
    for (const amount of [100, 40, 60]) await deposit(member, amount);
    await bet(member, 40, 3);
    await env.call('POST', '/api/wallet/transferAll', { to: 'wallet' }, { token: member.token });
    await reverse(member);
    expect(await shares(inviter)).toMatchObject([
      { state: 'REVERSED', amount: 500n },
      { state: 'ACCRUED', amount: 200n },
    ]);
    expect((await receive(inviter)).body.amount).toBe(2);
    // What was received stays, so the third deposit earns nothing when the second is taken back.
    await reverse(member);
    expect((await shares(inviter)).map(({ state }) => state)).toEqual(['REVERSED', 'RECEIVED']);
    await forfeit(inviter);
  });

  test('bars no later deposit once the barred one is taken back', async () => {
    const inviter = await env.member();
    const member = await invitee(inviter);
    await session(inviter, '198.51.100.23', 'Phone C');
    await session(member, '198.51.100.23', 'Phone C');
    await deposit(member, 100);
    await deposit(member, 40);
    expect(await shares(inviter)).toMatchObject([{ state: 'BARRED', reason: 'DEVICE' }]);
    await env.set('invite.barDevice', false);
    await env.set('invite.barAddress', false);
    await reverse(member);
    expect(await shares(inviter)).toMatchObject([
      { state: 'REVERSED', reason: null },
      { state: 'ACCRUED', amount: 200n },
    ]);
    await env.set('invite.barDevice', true);
    await env.set('invite.barAddress', true);
    await reverse(member);
    await deposit(member, 60);
    expect((await shares(inviter)).map(({ state, reason }) => reason ?? state)).toEqual([
      'REVERSED',
      'REVERSED',
      'DEVICE',
    ]);
  });

  test('is nothing of the second deposit while invites are off', async () => {
    const inviter = await env.member();
    const member = await invitee(inviter);
    for (const amount of [100, 40]) await deposit(member, amount);
    await during('invite.active', false, () => reverse(member));
    expect((await shares(inviter)).map(({ state }) => state)).toEqual(['REVERSED']);
  });

  test('is known to the database by the same terms as to the program', async () => {
    const { rows } = await env.owner.query(
      "select * from invite_terms('BAHT'), (select most as lak from invite_terms('LAK')) l",
    );
    expect(rows[0]).toEqual({
      is_open: SETTING_DEFAULTS['invite.active'],
      percent: SETTING_DEFAULTS['invite.percent'],
      most: String(SETTING_DEFAULTS['invite.most'].BAHT),
      lak: String(SETTING_DEFAULTS['invite.most'].LAK),
      times: SETTING_DEFAULTS['invite.betTimes'],
      bar_device: SETTING_DEFAULTS['invite.barDevice'],
      bar_address: SETTING_DEFAULTS['invite.barAddress'],
    });
  });
});

describe('receiving it', () => {
  test('pays what is ready, starts a run with the terms home shows, and tells it in the statement', async () => {
    const inviter = await env.member();
    await earner(inviter, 200);
    await deposit(await invitee(inviter), 100);
    const response = await receive(inviter);
    expect(response).toMatchObject({ status: 200, body: { message: 'INVITE_BONUS_SUCCESS', amount: 10 } });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await env.balance(inviter)).toBe(1_000n);
    expect(await active(inviter)).toMatchObject({
      status: true,
      type: 'invite',
      base: 10,
      target: 20,
      floor: 1,
    });
    expect((await statement(inviter))[0]).toMatchObject({
      statementType: 'bonus',
      from: 'invite',
      amount: 10,
      invite: { description: 'โบนัสชวนเพื่อน' },
    });
    expect(await accrued(inviter)).toBe(5);
    expect((await withdraw(inviter, 100)).body.message).toBe('BONUS_REMAINING');
    expect((await receive(inviter)).body.message).toBe('NO_INVITEE_PLAY_INFO');
    await forfeit(inviter);
    expect(await env.balance(inviter)).toBe(0n);
    const { rows } = await env.pool.query(
      "select -sum(balance)::bigint as cost from ledger_account where kind = 'invite_cost'",
    );
    expect(rows[0].cost).toBe(0n);
  });

  test('waits for three times the deposit in bets, counted since the deposit', async () => {
    const inviter = await env.member();
    const member = await invitee(inviter);
    expect((await receive(inviter)).body.message).toBe('NO_INVITE_BONUS');
    await deposit(member, 100);
    expect((await receive(inviter)).body.message).toBe('NO_INVITEE_PLAY_INFO');
    await bet(member, 50, 5);
    expect((await receive(inviter)).body.message).toBe('NO_INVITEE_PLAY_INFO');
    await play(member, 'betflix', 50, 'lose');
    expect((await receive(inviter)).body.amount).toBe(5);
  });

  test('counts what a silent provider reported before, and waits for what it does not report', async () => {
    const inviter = await env.member();
    const member = await invitee(inviter);
    await deposit(member, 100);
    await bet(member, 100, 3);
    await env.fault({ party: 'game-f', call: 'summary', kind: 'outage', count: 1 });
    expect((await receive(inviter)).body.message).toBe('NO_INVITEE_PLAY_INFO');
    expect((await receive(inviter)).status).toBe(200);
  });

  test('becomes ready without a call by the inviter', async () => {
    const inviter = await env.member();
    await earner(inviter, 100);
    await env.app.runJob('invites.ask');
    expect(await page(inviter)).toMatchObject({ ready: 5, invites: [{ amount: 5, status: 'READY' }] });
    await env.app.runJob('invites.ask');
    expect((await receive(inviter)).body.amount).toBe(5);
    expect((await page(inviter)).invites).toMatchObject([{ amount: 5, status: 'RECEIVED' }]);
  });

  test('needs the least amount, and no other run', async () => {
    const inviter = await env.member({ amountMinor: 10_000n });
    await earner(inviter, 100);
    await during('invite.minimum', { BAHT: 6, LAK: 4_200 }, async () => {
      expect((await receive(inviter)).body).toEqual({
        message: 'INVITE_COLLECT',
        data: { minimum: 6, amount: 5 },
      });
    });
    await activate(inviter, await offer({ award: 'fixed', award_amount: 500n, deposit_min: null }));
    expect((await receive(inviter)).body.message).toBe('BONUS_REMAINING');
    await forfeit(inviter);
    await open(inviter, 'betflix');
    await transfer(inviter, 'wallet', 'betflix', 50);
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 1 });
    expect(await receive(inviter)).toMatchObject({ status: 503, body: { message: 'PROVIDER_UNAVAILABLE' } });
    await env.call('POST', '/api/limits/break', { length: '24h' }, { token: inviter.token });
    expect((await receive(inviter)).body.message).toBe('SELF_EXCLUDED');
    expect(await accrued(inviter)).toBe(5);
  });

  test('is plain money when no terms are set', async () => {
    const inviter = await env.member();
    await earner(inviter, 100);
    await env.set('invite.successPercent', 0);
    expect((await receive(inviter)).status).toBe(200);
    await env.set('invite.successPercent', 200);
    expect(await active(inviter)).toMatchObject({ status: false });
    expect(await env.balance(inviter)).toBe(500n);
  });

  test('what cannot be booked stays', async () => {
    const inviter = await env.member();
    await earner(inviter, 100);
    await env.owner.query(
      "alter table bonus_run add constraint no_invites check (kind <> 'invite') not valid",
    );
    expect(await receive(inviter)).toMatchObject({ status: 400, body: { message: 'INVITE_BONUS_FAIL' } });
    await env.owner.query('alter table bonus_run drop constraint no_invites');
    expect((await receive(inviter)).body.amount).toBe(5);
  });

  test('an unknown outcome is not answered as a failure: the caller tries again', async () => {
    const inviter = await env.member();
    await earner(inviter, 100);
    await env.owner.query(
      `create function end_statement() returns trigger language plpgsql as
       $$ begin raise exception 'out of time' using errcode = '57014'; end $$`,
    );
    await env.owner.query(
      'create trigger end_statement before insert on bonus_run for each row execute function end_statement()',
    );
    const { status, headers } = await receive(inviter);
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    await env.owner.query('drop function end_statement cascade');
    expect((await receive(inviter)).body.amount).toBe(5);
  });

  test('forty at once pay once', async () => {
    const inviter = await env.member();
    await earner(inviter, 100);
    await earner(inviter, 100);
    await env.app.runJob('invites.ask');
    const responses = await Promise.all(Array.from({ length: 40 }, () => receive(inviter)));
    expect(responses.filter(({ status }) => status === 200).map(({ body }) => body.amount)).toEqual([10]);
    expect(new Set(responses.filter(({ status }) => status !== 200).map(({ body }) => body.message))).toEqual(
      new Set(['NO_INVITE_BONUS']),
    );
    expect(await env.balance(inviter)).toBe(1_000n);
  });

  test('calls the providers ten times a minute at most; earlier reports still count', async () => {
    const inviter = await env.member();
    const member = await invitee(inviter);
    await deposit(member, 100);
    await bet(member, 100, 1);
    for (let time = 0; time < 10; time++)
      expect((await receive(inviter)).body.message).toBe('NO_INVITEE_PLAY_INFO');
    await play(member, 'betflix', 200, 'lose');
    expect((await receive(inviter)).body.message).toBe('NO_INVITEE_PLAY_INFO');
    await env.owner.query('delete from throttle');
    expect((await receive(inviter)).body.amount).toBe(5);
  });

  test('what was received stays when its deposit is taken back later, and alerts operators', async () => {
    const inviter = await env.member();
    const member = await earner(inviter, 100);
    await receive(inviter);
    await env.call('POST', '/api/wallet/transferAll', { to: 'wallet' }, { token: member.token });
    await reverse(member);
    expect(await env.balance(inviter)).toBe(500n);
    expect(await shares(inviter)).toMatchObject([{ state: 'RECEIVED' }]);
    const { rows } = await env.pool.query('select kind from alert where subject = $1', [
      `member:${inviter.id}`,
    ]);
    expect(rows).toEqual([{ kind: 'invite-reversed' }]);
    await clear(inviter);
  });

  test('paid for what is being taken back: a share waits while the reversal of its deposit is requested', async () => {
    const inviter = await env.member();
    const member = await earner(inviter, 100);
    await env.app.runJob('invites.ask');
    await transfer(member, 'betflix', 'wallet', 100);
    const decide = await requestReversal(member);
    expect((await receive(inviter)).body.message).toBe('NO_INVITEE_PLAY_INFO');
    expect(await page(inviter)).toMatchObject({ ready: 0, invites: [{ amount: 5, status: 'WAITING' }] });
    expect((await decide('refuse')).status).toBe(200);
    expect((await receive(inviter)).body.amount).toBe(5);
  });

  test('and a deposit taken back in the same moment leave one truth', async () => {
    for (let time = 0; time < 5; time++) {
      const inviter = await env.member();
      const member = await earner(inviter, 100);
      await env.call('POST', '/api/wallet/transferAll', { to: 'wallet' }, { token: member.token });
      await env.app.runJob('invites.ask');
      const [response] = await Promise.all([receive(inviter), reverse(member)]);
      const [share] = await shares(inviter);
      expect([response.body.message, share.state, await env.balance(inviter)]).toEqual(
        response.status === 200
          ? ['INVITE_BONUS_SUCCESS', 'RECEIVED', 500n]
          : [expect.stringMatching(/^NO_INVITE/), 'REVERSED', 0n],
      );
    }
  });

  test('is for members, by header, and not for a page that looks ahead', async () => {
    expect((await env.call('GET', '/api/invite/bonus')).body.message).toBe('invalid-token');
    expect((await env.call('POST', '/api/invite', { page: 1, limit: 10 })).body.message).toBe(
      'invalid-token',
    );
    const inviter = await env.member();
    await earner(inviter, 100);
    const headers = { 'sec-purpose': 'prefetch' };
    const ahead = await env.call('GET', '/api/invite/bonus', undefined, { token: inviter.token, headers });
    expect(ahead.status).toBe(503);
    expect((await env.call('POST', '/api/invite/bonus', undefined, { token: inviter.token })).status).toBe(
      200,
    );
  });
});

describe('the list of invited members', () => {
  test('shows who registered by the link, newest first, ten a page', async () => {
    const inviter = await env.member();
    for (let number = 0; number < 23; number++) await invitee(inviter);
    const who = person({ name: 'มาลี ใหม่', inviteCode: `PR${inviter.id}` });
    const { body } = await register(who);
    const pages = [await page(inviter, 1), await page(inviter, 2), await page(inviter, 3)];
    expect(pages.map(({ invites, total }) => [invites.length, total])).toEqual([
      [10, 24],
      [10, 24],
      [4, 24],
    ]);
    expect(pages[0].invites[0]).toMatchObject({ from: { name: 'มาลี ใหม่' }, amount: 0, status: 'JOINED' });
    expect(await page(await env.member())).toEqual({
      invites: [],
      total: 0,
      ready: 0,
      terms: { isOpen: true, percent: 5, most: 500, betTimes: 3 },
    });
    const operator = await operators.operator('support');
    const seen = await operators.call(operator, 'GET', `/api/operator/members/${body._id}`);
    expect(seen.body.inviter).toMatchObject({ id: String(inviter.id) });
    const list = await operators.call(
      await operators.operator('marketing'),
      'GET',
      `/api/operator/invites?inviter=${inviter.id}&state=JOINED`,
    );
    expect({ ...list.body, invites: list.body.invites.slice(0, 1) }).toMatchObject({
      total: 24,
      invites: [
        { member: { id: body._id, name: 'มาลี ใหม่' }, inviter: { id: String(inviter.id) }, state: 'JOINED' },
      ],
    });
    const bad = await env.call('POST', '/api/invite', { page: 0, limit: 10 }, { token: inviter.token });
    expect(bad).toMatchObject({ status: 400, body: { message: 'INVALID_REQUEST' } });
  });
});

test('the books add up', async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});
