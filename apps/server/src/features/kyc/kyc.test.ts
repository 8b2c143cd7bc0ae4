import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { kycHelpers, picture } from './testing-kyc.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { send } = kycHelpers(env);
let risk: TestOperator;
let support: TestOperator;

beforeAll(async () => {
  [risk, support] = await Promise.all([operators.operator('risk'), operators.operator('support')]);
});
afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

const NONE = { round: 0, state: null };
const own = async (member: TestMember) =>
  (await env.call('GET', '/api/account/kyc', undefined, { token: member.token })).body;
const check = async (member: TestMember, as = support) =>
  (await operators.call(as, 'GET', `/api/operator/members/${member.id}/kyc`)).body;
const post = (member: TestMember, what: string, body: object, as = risk) =>
  operators.call(as, 'POST', `/api/operator/members/${member.id}/kyc/${what}`, body);
const request = (member: TestMember, documents: string[], seen: object = NONE) =>
  post(member, 'request', { seen, documents, reason: 'large withdrawals' });
const filesOf = async (member: TestMember): Promise<string[]> => {
  const { rows } = await env.pool.query('select file from kyc_document where member_id = $1 order by id', [
    member.id,
  ]);
  return rows.map(({ file }) => file);
};
/** What the trail has about the check. */
const actions = async (member: TestMember) =>
  (await operators.audit(`member:${member.id}`))
    .map(({ action }) => String(action))
    .filter((action) => action.startsWith('kyc.'));

/** A member who has submitted these documents. */
async function submitted(documents: string[]): Promise<TestMember> {
  const member = await env.member();
  expect((await request(member, documents)).status).toBe(200);
  for (const kind of documents) expect((await send(member, kind)).status).toBe(200);
  expect((await own(member)).state).toBe('SUBMITTED');
  return member;
}

describe('from the request to the decision', () => {
  test('a member sends what was requested, reads why some is refused, sends it again and is verified', async () => {
    const member = await env.member();
    expect(await own(member)).toEqual({ state: null, wanted: [], received: [], refusal: null });
    await request(member, ['selfie', 'identity']);
    expect(await own(member)).toMatchObject({
      state: 'REQUESTED',
      wanted: ['identity', 'selfie'],
      received: [],
    });

    expect((await send(member, 'identity')).body).toMatchObject({
      state: 'REQUESTED',
      received: ['identity'],
    });
    expect((await send(member, 'selfie')).body).toMatchObject({ state: 'SUBMITTED', wanted: [] });
    const first = await check(member);
    expect(first).toMatchObject({ state: 'SUBMITTED', requestedBy: risk.name, decidedBy: null });
    expect(first.documents).toMatchObject([
      { kind: 'selfie', isReplaced: false },
      { kind: 'identity', isReplaced: false },
    ]);

    const seen = { round: 1, state: 'SUBMITTED' };
    await post(member, 'refuse', { seen, documents: ['identity'], refusal: 'UNREADABLE' });
    expect(await own(member)).toEqual({
      state: 'REFUSED',
      wanted: ['identity'],
      received: [],
      refusal: 'UNREADABLE',
    });
    expect((await send(member, 'identity')).body.state).toBe('SUBMITTED');
    const second = await check(member);
    expect(
      second.documents.map((one: { kind: string; isReplaced: boolean }) => [one.kind, one.isReplaced]),
    ).toEqual([
      ['identity', false],
      ['selfie', false],
      ['identity', true],
    ]);
    await post(member, 'verify', { seen: { round: 2, state: 'SUBMITTED' }, reason: 'the face is theirs' });
    expect(await own(member)).toEqual({ state: 'VERIFIED', wanted: [], received: [], refusal: null });
    expect(await check(member)).toMatchObject({ state: 'VERIFIED', decidedBy: risk.name });
    expect(await actions(member)).toEqual([
      'kyc.request',
      'kyc.submit',
      'kyc.refuse',
      'kyc.submit',
      'kyc.verify',
    ]);
    const page = { page: 1, limit: 10 };
    const { body } = await env.call('POST', '/api/notifications', page, { token: member.token });
    expect(
      body.notifications.map(({ kind, status }: { kind: string; status: string | null }) => [kind, status]),
    ).toEqual([
      ['kyc', 'SUCCESS'],
      ['kyc', 'FAILED'],
      ['kyc', null],
    ]);
  });

  test('who is verified by other means needs no documents, and can be asked for some again', async () => {
    const member = await env.member();
    await post(member, 'verify', { seen: NONE, reason: 'came to the office' });
    expect(await check(member)).toMatchObject({ state: 'VERIFIED', round: 1, documents: [] });
    await request(member, ['bankBook'], { round: 1, state: 'VERIFIED' });
    expect(await own(member)).toMatchObject({ state: 'REQUESTED', wanted: ['bankBook'] });
  });

  test('a picture sent again replaces the first, whose file is deleted', async () => {
    const member = await env.member();
    await request(member, ['identity', 'selfie']);
    await send(member, 'identity');
    const [first] = await filesOf(member);
    expect((await send(member, 'identity')).body.received).toEqual(['identity']);
    const [second, ...others] = await filesOf(member);
    expect([second === first, others]).toEqual([false, []]);
    expect(await env.app.deps.files.read(first!)).toBeNull();
    expect(await env.app.deps.files.read(second!)).toBeInstanceOf(Buffer);
  });
});

describe('what operators see', () => {
  test('a picture opens for those who may, and the trail names them', async () => {
    const member = await submitted(['identity']);
    const { documents } = await check(member);
    const path = `/api/operator/kyc/documents/${documents[0].id}/image`;
    const opened = await operators.call(risk, 'GET', path);
    expect([opened.status, opened.headers['content-type'], opened.headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    expect((await operators.call(support, 'GET', path)).status).toBe(403);
    expect((await operators.call(null, 'GET', path)).status).toBe(401);
    const missing = await operators.call(risk, 'GET', '/api/operator/kyc/documents/999999999/image');
    expect(missing.body.message).toBe('NO_DATA');
    const rows = (await operators.audit(`member:${member.id}`)).filter(({ action }) => action === 'kyc.open');
    expect(rows).toMatchObject([{ actor: `operator:${risk.name}`, after: { document: 'identity' } }]);
  });

  test('submitted checks wait in a queue, the list of members filters by state', async () => {
    const [waiting, asked, none] = [await submitted(['identity']), await env.member(), await env.member()];
    await request(asked, ['identity']);
    const today = (await operators.call(risk, 'GET', '/api/operator/today')).body;
    expect(today.waiting.kyc.count).toBeGreaterThan(0);
    expect((await operators.call(support, 'GET', '/api/operator/today')).body.waiting.kyc).toBeNull();
    const { oldest, next } = (await operators.call(risk, 'GET', '/api/operator/work')).body;
    expect([next, ...oldest].some((item) => item?.kind === 'kyc')).toBe(true);

    const found = async (kyc: string) => {
      const query = new URLSearchParams({ kyc, limit: '100' });
      const { members } = (await operators.call(support, 'GET', `/api/operator/members?${query}`)).body;
      const ids = members.map(({ id }: { id: string }) => id);
      return [waiting, asked, none].map(({ id }) => ids.includes(String(id)));
    };
    expect(await found('SUBMITTED')).toEqual([true, false, false]);
    expect(await found('REQUESTED,SUBMITTED')).toEqual([true, true, false]);
    expect(await found('NONE')).toEqual([false, false, true]);
    expect(await found('NONE,REQUESTED')).toEqual([false, true, true]);
    expect(await found('!NONE')).toEqual([true, true, false]);
    expect(await found('!SUBMITTED')).toEqual([false, true, true]);
  });
});

describe('refused, with nothing left behind', () => {
  test('a document without a request, of another kind, or after the submission', async () => {
    const member = await env.member();
    expect((await send(member, 'identity')).body.message).toBe('NO_DATA');
    await request(member, ['identity']);
    expect((await send(member, 'address')).body.message).toBe('NO_DATA');
    expect((await send(member, 'passport')).body.message).toBe('INVALID_REQUEST');
    expect((await send(null, 'identity')).status).toBe(401);
    await send(member, 'identity');
    expect((await send(member, 'identity')).body.message).toBe('NO_DATA');
    expect(await filesOf(member)).toHaveLength(1);
  });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['a text', () => Buffer.from('hello')],
    [
      'a GIF',
      async () =>
        sharp(await picture())
          .gif()
          .toBuffer(),
    ],
    ['more than 10 MB', () => Buffer.alloc(10 * 1024 * 1024 + 1)],
  ])('%s instead of a picture', async (_what, bytes) => {
    const member = await env.member();
    await request(member, ['identity']);
    const refused = await send(member, 'identity', await bytes());
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'SLIP_INVALID_FILE', data: { limit: 10 } },
    });
    expect(await filesOf(member)).toEqual([]);
  });

  test('more pictures within an hour than anyone needs', async () => {
    const member = await env.member();
    await request(member, ['identity', 'selfie']);
    const bytes = await picture();
    const codes = [];
    for (let at = 0; at < 31; at++) codes.push((await send(member, 'identity', bytes)).body.message ?? 'OK');
    expect([codes.filter((code) => code === 'OK').length, codes.at(-1)]).toEqual([30, 'REQUEST_LIMIT']);
  });

  test('a decision about what the operator did not see, by another role, about no member', async () => {
    const member = await submitted(['identity']);
    const decision = { documents: ['identity'], refusal: 'NAME' };
    const seen = { round: 1, state: 'SUBMITTED' };
    for (const other of [NONE, { round: 1, state: 'REQUESTED' }, { round: 2, state: 'SUBMITTED' }])
      expect((await post(member, 'refuse', { ...decision, seen: other })).body).toMatchObject({
        message: 'ROW_CHANGED',
        data: { state: 'SUBMITTED' },
      });
    expect((await post(member, 'refuse', { ...decision, seen }, support)).status).toBe(403);
    expect((await post(member, 'refuse', { ...decision, seen, documents: [] })).status).toBe(400);
    expect(
      (await post({ ...member, id: 999_999_999n }, 'verify', { seen: NONE, reason: 'seen' })).body.message,
    ).toBe('NO_DATA');
    await post(member, 'verify', { seen, reason: 'the same face' });
    const verified = { round: 2, state: 'VERIFIED' };
    expect((await post(member, 'verify', { seen: verified, reason: 'again' })).body.message).toBe(
      'ROW_CHANGED',
    );
    expect((await post(member, 'refuse', { ...decision, seen: verified })).body.message).toBe('ROW_CHANGED');
  });
});

describe('at once', () => {
  test('the last documents submit a check once', async () => {
    const member = await env.member();
    const kinds = ['identity', 'selfie', 'bankBook', 'address'];
    await request(member, kinds);
    const replies = await Promise.all(kinds.map((kind) => send(member, kind)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await own(member)).state).toBe('SUBMITTED');
    expect((await actions(member)).filter((action) => action === 'kyc.submit')).toHaveLength(1);
  });

  test('of several decisions one is made', async () => {
    const member = await submitted(['identity']);
    const seen = { round: 1, state: 'SUBMITTED' };
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => post(member, 'verify', { seen, reason: 'the same face' })),
      ...[1, 2, 3].map(() => post(member, 'refuse', { seen, documents: ['identity'], refusal: 'NAME' })),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await check(member)).round).toBe(2);
  });

  test('of one document sent many times one picture stays', async () => {
    const member = await env.member();
    await request(member, ['identity', 'selfie']);
    await Promise.all([1, 2, 3, 4].map(() => send(member, 'identity')));
    const files = await filesOf(member);
    expect(files).toHaveLength(1);
    expect(await env.app.deps.files.read(files[0]!)).toBeInstanceOf(Buffer);
  });
});

describe('withdrawals of members who are not verified', () => {
  const withdraw = async (member: TestMember, amount: number) => {
    const { body } = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
    const { rows } = await env.pool.query(
      'select w.status, a.reasons from withdrawal w join risk_assessment a on a.withdrawal_id = w.id where w.id = $1',
      [body.id],
    );
    return [rows[0].status, rows[0].reasons];
  };
  const rich = () => env.member({ amountMinor: 1_000_000n });

  beforeAll(async () => {
    await env.set('withdraw.oneOpen', false);
    await env.set('withdraw.verifiedFrom', { BAHT: 1000, LAK: 0 });
    return async () => {
      await env.set('withdraw.oneOpen', true);
      await env.set('withdraw.verifiedFrom', { BAHT: 0, LAK: 0 });
    };
  });

  test('wait for review from the amount on, and when the day adds up to it', async () => {
    const [one, other] = [await rich(), await rich()];
    expect(await withdraw(one, 1000)).toEqual(['REVIEW', ['UNVERIFIED']]);
    expect(await withdraw(other, 600)).toEqual(['QUEUED', []]);
    expect(await withdraw(other, 399)).toEqual(['QUEUED', []]);
    expect(await withdraw(other, 100)).toEqual(['REVIEW', ['UNVERIFIED']]);
  });

  test('the form names the amount from which they wait', async () => {
    const member = await rich();
    const verifyFrom = async () =>
      (await env.call('GET', '/api/lookup/withdraw', undefined, { token: member.token })).body.verifyFrom;
    expect(await verifyFrom()).toBe(1000);
    await withdraw(member, 600);
    expect(await verifyFrom()).toBe(400);
    expect(await withdraw(member, 500)).toEqual(['REVIEW', ['UNVERIFIED']]);
    expect(await verifyFrom()).toBe(0);
    await post(member, 'verify', { seen: NONE, reason: 'came to the office' });
    expect(await verifyFrom()).toBeNull();
  });

  test('members begin a check themselves, once, without a notification of it', async () => {
    const member = await rich();
    expect(await own(member)).toMatchObject({ state: null, wanted: ['identity', 'selfie'] });
    expect((await send(member, 'bankBook')).body.message).toBe('NO_DATA');
    expect(await check(member)).toMatchObject({ state: null, round: 0 });
    const replies = await Promise.all([send(member, 'identity'), send(member, 'selfie')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await check(member)).toMatchObject({ state: 'SUBMITTED', round: 1, requestedBy: null });
    expect(await actions(member)).toEqual(['kyc.submit']);
    const page = { page: 1, limit: 10 };
    const { body } = await env.call('POST', '/api/notifications', page, { token: member.token });
    expect(body.notifications.filter(({ kind }: { kind: string }) => kind === 'kyc')).toEqual([]);
    await post(member, 'verify', { seen: { round: 1, state: 'SUBMITTED' }, reason: 'the same face' });
    expect(await own(member)).toMatchObject({ state: 'VERIFIED', wanted: [] });
  });

  test('those of verified members do not wait, and wait again when documents are requested', async () => {
    const member = await rich();
    await post(member, 'verify', { seen: NONE, reason: 'came to the office' });
    expect(await withdraw(member, 1500)).toEqual(['QUEUED', []]);
    await request(member, ['identity'], { round: 1, state: 'VERIFIED' });
    expect(await withdraw(member, 1000)).toEqual(['REVIEW', ['UNVERIFIED']]);
  });
});

test('the member finds the check and its documents in their own data', async () => {
  const member = await submitted(['identity']);
  const reply = await fetch(`${env.url}/api/account/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(await reply.json()).toMatchObject({
    identity_check: [{ state: 'SUBMITTED' }],
    identity_documents: [{ document: 'identity' }],
  });
});
