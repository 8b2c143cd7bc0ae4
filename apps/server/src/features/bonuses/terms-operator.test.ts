import { expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pass, pushedClock } from '../testing.ts';
import { bonusHelpers, WRITTEN } from './testing-bonuses.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const { list, activate, active, deposit, find, receive } = bonusHelpers(env);
const [marketing, lead, support] = (await Promise.all(
  ['marketing', 'finance-lead', 'support'].map((role) => operators.operator(role)),
)) as [TestOperator, TestOperator, TestOperator];

const reason = 'as agreed';
const publish = (terms: object, version = 0, as: TestOperator | null = marketing) =>
  operators.call(as, 'POST', '/api/operator/bonuses', { terms, version, reason });
const approve = (id: string) => operators.call(lead, 'POST', `/api/operator/approvals/${id}/approve`, {});
const stop = (code: string, version: number, as: TestOperator | null = marketing) =>
  operators.call(as, 'POST', `/api/operator/bonuses/${code}/stop`, { version, reason });
const read = async (code: string) =>
  (await operators.call(marketing, 'GET', `/api/operator/bonuses/${code}`)).body;
const offered = async (member: Awaited<ReturnType<typeof env.member>>) =>
  (await list(member)).body.map((row: { code: string }) => row.code);

/** Puts a bonus on offer, with the second person's yes. */
async function offer(change: object): Promise<void> {
  const { status, body } = await publish({ ...WRITTEN, ...change });
  expect([status, body.state]).toEqual([200, 'NEW']);
  expect((await approve(body.approval)).status).toBe(200);
}

test('is published by two, and then received by members', async () => {
  const member = await env.member();
  for (const [as, status] of [
    [null, 401],
    [support, 403],
    [lead, 403],
  ] as const)
    expect((await publish({ ...WRITTEN, code: 'SPRING' }, 0, as)).status).toBe(status);
  const requested = await publish({ ...WRITTEN, code: 'SPRING' });
  expect(requested.body).toEqual({ state: 'NEW', approval: expect.any(String) });
  expect(await offered(member)).not.toContain('SPRING');
  expect((await publish({ ...WRITTEN, code: 'SPRING' })).body).toMatchObject({
    message: 'APPROVAL_PENDING',
    data: { approval: requested.body.approval },
  });
  expect((await approve(requested.body.approval)).status).toBe(200);
  expect(await offered(member)).toContain('SPRING');
  expect((await activate(member, 'SPRING')).status).toBe(200);
  expect(await read('SPRING')).toMatchObject({
    bonus: { state: 'OPEN', received: 1, running: 1, granted: 50, taken: 0, version: 1 },
    terms: { ...WRITTEN, code: 'SPRING' },
    versions: [{ version: 1, reason, reverts: null }],
  });
  const runs = await operators.call(marketing, 'GET', `/api/operator/runs?member=${member.id}&bonus=SPRING`);
  expect(runs.body).toMatchObject({
    total: 1,
    sums: [{ currency: 'BAHT', amount: 50 }],
    runs: [{ state: 'ACTIVE', bonus: 'SPRING', progress: { base: 50, target: 100, floor: 5 } }],
  });
});

test('one operator stops a bonus at once, and open runs retain their terms', async () => {
  const member = await env.member();
  await offer({ code: 'SUMMER' });
  expect((await activate(member, 'SUMMER')).status).toBe(200);
  const before = await active(member);
  expect((await stop('SUMMER', 7)).body.message).toBe('ROW_CHANGED');
  expect((await stop('SUMMER', 1, support)).status).toBe(403);
  expect((await stop('NOTHING', 1)).status).toBe(404);
  expect((await stop('SUMMER', 1)).body).toEqual({ state: 'STOPPED', approval: null });
  const other = await env.member();
  expect(await offered(other)).not.toContain('SUMMER');
  expect((await activate(other, 'SUMMER')).status).toBe(404);
  expect(await active(member)).toEqual(before);
  const rows = await operators.audit('bonus:SUMMER');
  expect(rows.map(({ action }) => action)).toEqual(['approval.request', 'bonus.publish', 'bonus.stop']);
});

test('refuses a new bonus under a code that exists', async () => {
  await offer({ code: 'WELCOME' });
  const again = await publish({ ...WRITTEN, code: 'WELCOME' });
  expect([again.status, again.body.message]).toEqual([409, 'CODE_TAKEN']);
});

test('takes new terms as the next version, and an earlier one back as another', async () => {
  await offer({ code: 'AUTUMN' });
  const requested = await publish({ ...WRITTEN, code: 'AUTUMN', award: { fixed: 70 } }, 1);
  expect(requested.body.state).toBe('UNCHANGED');
  // The checker sees the changes.
  const { body } = await operators.call(lead, 'GET', '/api/operator/approvals?whose=others&state=PENDING');
  expect(body.approvals[0].summary).toEqual({
    bonus: WRITTEN.title,
    version: 2,
    award: '50 → 70',
  });
  expect((await approve(requested.body.approval)).status).toBe(200);
  expect((await publish({ ...WRITTEN, code: 'AUTUMN' }, 1)).body.message).toBe('ROW_CHANGED');
  const revert = (to: number, version: number) =>
    operators.call(marketing, 'POST', '/api/operator/bonuses/AUTUMN/revert', { to, version, reason });
  expect((await revert(9, 2)).status).toBe(404);
  const back = await revert(1, 2);
  expect((await approve(back.body.approval)).status).toBe(200);
  expect(await read('AUTUMN')).toMatchObject({
    terms: { award: { fixed: 50 } },
    bonus: { version: 3 },
    versions: [
      { version: 3, reverts: 1 },
      { version: 2, terms: { award: { fixed: 70 } } },
      { version: 1, terms: { award: { fixed: 50 } } },
    ],
  });
});

test('terms that were published after a member read the offer are received only once they are shown', async () => {
  const member = await env.member();
  await offer({ code: 'SHOWN' });
  const shown = async () => (await list(member)).body.find((row: { code: string }) => row.code === 'SHOWN');
  const { version } = await shown();
  const next = await publish({ ...WRITTEN, code: 'SHOWN', turnoverTimes: 40 }, version);
  expect((await approve(next.body.approval)).status).toBe(200);
  const refused = await activate(member, 'SHOWN', version);
  expect(refused).toMatchObject({ status: 409, body: { message: 'BONUS_CHANGED' } });
  expect(await active(member)).toEqual({ status: false, type: null });
  expect((await shown()).terms.turnoverTimes).toBe(40);
  expect((await activate(member, 'SHOWN', (await shown()).version)).status).toBe(200);
});

test('a promotion is received under the version that was found', async () => {
  const member = await env.member();
  await offer({ code: 'FOUND', kind: 'promotion' });
  const { version } = (await find(member, 'FOUND')).body;
  expect(await receive(member, 'FOUND', version + 1)).toMatchObject({ body: { message: 'BONUS_CHANGED' } });
  expect((await receive(member, 'FOUND', version)).status).toBe(200);
});

test('four eyes: terms that one operator wrote while the bonus was closed are shown to the second one', async () => {
  const shown = async ({ body: { approval } }: { body: { approval: string } }) => {
    const query = '?whose=others&state=PENDING&limit=100';
    const { approvals } = (await operators.call(lead, 'GET', `/api/operator/approvals${query}`)).body;
    const { summary } = approvals.find(({ id }: { id: string }) => id === approval);
    const thread = await operators.call(lead, 'GET', `/api/operator/approvals/${approval}/thread`);
    return { summary, changed: thread.body.changed };
  };
  await offer({ code: 'HIDDEN' });
  await stop('HIDDEN', 1);
  const dear = { ...WRITTEN, code: 'HIDDEN', award: { fixed: 9_000 } };
  expect((await publish({ ...dear, isOpen: false }, 2)).body).toEqual({ state: 'DONE', approval: null });
  const again = await shown(await publish(dear, 3));
  expect(again.summary).toMatchObject({ award: '50 → 9000', isOpen: expect.any(String) });
  expect(again.changed).toBe(false);
  // One that was never on offer is shown whole.
  const unseen = { ...WRITTEN, code: 'UNSEEN', award: { fixed: 9_000 } };
  expect((await publish({ ...unseen, isOpen: false })).body.state).toBe('DONE');
  expect((await shown(await publish(unseen, 1))).summary).toMatchObject({ award: '9000' });
});

test('a version that was changed meanwhile is not overwritten by the approval of an older request', async () => {
  await offer({ code: 'WINTER' });
  const requested = await publish({ ...WRITTEN, code: 'WINTER', days: 3 }, 1);
  expect((await stop('WINTER', 1)).status).toBe(200);
  expect((await approve(requested.body.approval)).body.message).toBe('ROW_CHANGED');
  expect((await read('WINTER')).bonus).toMatchObject({ state: 'STOPPED', version: 2 });
});

test('is shown from its start to its end, and as full once its quota is received', async () => {
  const member = await env.member();
  const now = clock.now().getTime();
  const minute = 60_000;
  const at = (ms: number) => new Date(now + ms).toISOString();
  await offer({ code: 'HOURS', startsAt: at(3 * minute), endsAt: at(9 * minute), quota: 1 });
  expect((await read('HOURS')).bonus.state).toBe('SCHEDULED');
  expect(await offered(member)).not.toContain('HOURS');
  await pass(env, clock, 5 * minute);
  expect(await offered(member)).toContain('HOURS');
  expect((await activate(member, 'HOURS')).status).toBe(200);
  expect((await read('HOURS')).bonus.state).toBe('FULL');
  expect((await activate(await env.member(), 'HOURS')).body.message).toBe('BONUS_FULL');
  await pass(env, clock, 5 * minute);
  expect((await read('HOURS')).bonus.state).toBe('ENDED');
  const found = await operators.call(
    marketing,
    'GET',
    '/api/operator/bonuses?state=ENDED&q=hours&kind=bonus',
  );
  expect(found.body).toMatchObject({ total: 1, bonuses: [{ code: 'HOURS' }] });
});

test('terms that cannot be worked with are refused with their field', async () => {
  const wrong = async (change: object) =>
    (await publish({ ...WRITTEN, code: 'WRONG', ...change })).body.data?.field;
  expect(await wrong({ award: { percent: 50, most: 500 } })).toContain('/deposit');
  expect(await wrong({ kind: 'promotion', maxReceived: 2 })).toContain('/maxReceived');
  expect(await wrong({ endsAt: '2020-01-01T00:00:00Z', startsAt: '2021-01-01T00:00:00Z' })).toContain(
    '/endsAt',
  );
  const elsewhere = [{ image: 'https://evil.example/x.png', html: WRITTEN.title }];
  expect(await wrong({ banners: elsewhere })).toContain('/banners');
  expect(await wrong({ currency: 'LAK', award: { fixed: 0.5 } })).toContain('decimals');
  expect(await wrong({ games: {} })).toContain('/games');
  expect(await wrong({ games: { betflix: 0 }, turnoverTimes: 2 })).toContain('/games');
  expect(await wrong({ games: { betflix: 100, nosuchgame: 100 } })).toContain('nosuchgame');
  expect((await publish({ ...WRITTEN, code: 'WRONG', failPercent: 100 })).status).toBe(400);
  await offer({ code: 'KIPNOW' });
  expect((await publish({ ...WRITTEN, code: 'KIPNOW', currency: 'LAK' }, 1)).body.data.field).toBe(
    'currency',
  );
});

test('a bonus that no member could play can still be stopped', async () => {
  await offer({ code: 'UNPLAYED' });
  await env.owner.query("update bonus set games = '{}' where code = 'UNPLAYED'");
  expect((await stop('UNPLAYED', 1)).body).toEqual({ state: 'STOPPED', approval: null });
});

test('members receive them in the configured order, and an estimate counts the deposits that would have qualified', async () => {
  const member = await env.member();
  const codes = (await operators.call(marketing, 'GET', '/api/operator/bonuses?limit=100')).body.bonuses.map(
    (row: { code: string }) => row.code,
  );
  const order = (list: string[]) =>
    operators.call(marketing, 'POST', '/api/operator/bonus-order', { codes: list });
  expect((await order(codes.slice(1))).body.message).toBe('ROW_CHANGED');
  expect((await order(codes.toReversed())).status).toBe(200);
  const shown = await offered(member);
  expect(shown).toEqual(codes.toReversed().filter((code: string) => shown.includes(code)));
  await deposit(member, 100);
  await deposit(member, 300);
  const terms = {
    ...WRITTEN,
    award: { percent: 50, most: 100 },
    deposit: { least: 50, most: null },
    maxReceived: 2,
    quota: 10,
  };
  const estimate = await operators.call(marketing, 'POST', '/api/operator/bonus-estimate', { terms });
  expect(estimate.body).toEqual({ days: 30, receipts: 2, members: 1, granted: 150, most: 1000 });
  expect(await verifyLedger(env.pool, [])).toEqual([]);
});
