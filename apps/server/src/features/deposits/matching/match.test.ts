import { randomBytes, randomInt } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { compareAccounts } from './masks.ts';
import { type Owner, type Settled, settle, type Transfer } from './match.ts';

const env = await startTestEnv({ jobs: false });
const { deps } = env.app;

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const SOURCES = ['QR', 'FEED', 'SLIP'] as const;
type Source = (typeof SOURCES)[number];
const ORDERS: Source[][] = SOURCES.flatMap((a) =>
  SOURCES.filter((b) => b !== a).map((b) => [a, b, SOURCES.find((c) => c !== a && c !== b)!]),
);

test('the database compares masked numbers as the server does, whatever the form of the masks', async () => {
  const digit = () => String(randomInt(2));
  const forms = [
    'xxx-x-x0000-x',
    'XXX-X-XX000-0',
    '******0000',
    '0000000000',
    'xxxxxxxx00',
    'xxx-x-xxxxx-x',
    '',
  ];
  const mask = () => forms[randomInt(forms.length)]!.replaceAll('0', digit);
  const pairs = Array.from({ length: 2_000 }, () => [mask(), mask()] as const);
  const { rows } = await env.owner.query(
    'select mask_compare(a, b) as compared from unnest($1::text[], $2::text[]) with ordinality t(a, b, place) order by place',
    [pairs.map(([a]) => a), pairs.map(([, b]) => b)],
  );
  const names = { match: 'SAME', mismatch: 'OTHER', unsure: 'UNSURE' };
  const expected = pairs.map(([a, b]) => names[compareAccounts(a, b)]);
  expect(rows.map(({ compared }) => compared)).toEqual(expected);
  expect(new Set(expected).size).toBe(3);
});

const fresh = () => randomBytes(8).toString('hex').toUpperCase();

let amount = 10_000n;
/** Tellings of one transfer, each amount once, so that tests do not meet. */
function transferOf(member: TestMember, change: Partial<Transfer> = {}): (source: Source) => Transfer {
  const amountMinor = ++amount;
  const reference = fresh();
  return (source) => ({
    source,
    bankCode: 'KBANK',
    accountNo: '1112223334',
    currency: 'BAHT',
    bankReference: reference,
    amountMinor,
    payerBank: '004',
    payerAccount: member.accountNo,
    payerName: 'ทดสอบ ระบบ',
    reference1: null,
    paidAt: deps.clock.now(),
    ...change,
  });
}

async function ownerOf(member: TestMember): Promise<Owner> {
  const { rows } = await env.pool.query('select wallet_account from member where id = $1', [member.id]);
  return {
    memberId: member.id,
    walletAccount: rows[0].wallet_account,
    channel: 'AUTO',
    qrId: null,
    slipId: null,
    fromOtherAccount: false,
  };
}

const NO_OWNER = { likely: [], reason: 'NO_MEMBER' };
const credited = (all: Settled[]) => all.filter(({ booked }) => booked === 'credited').length;
const transactions = async (amountMinor: bigint) =>
  (await env.pool.query('select state from bank_transaction where amount = $1', [amountMinor])).rows.map(
    (row) => row.state,
  );

describe('one transfer with three kinds of evidence is credited once', () => {
  test.each(ORDERS)('with a shared reference: %s, %s, %s', async (...order) => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    const all: Settled[] = [];
    for (const source of [...order, ...order]) all.push(await settle(deps, reported(source), owner));
    expect(all.map(({ booked }) => booked)).toEqual(['credited', 'tied', 'tied', 'known', 'known', 'known']);
    expect(await env.balance(member)).toBe(reported('QR').amountMinor);
    expect(await transactions(reported('QR').amountMinor)).toEqual(['CREDITED']);
  });

  test.each(ORDERS)('with three references and masked senders: %s, %s, %s', async (...order) => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    const all: Settled[] = [];
    for (const [index, source] of order.entries()) {
      const paidAt = new Date(reported(source).paidAt.getTime() + index * 59_000);
      const payerAccount = `xxx-x-x${member.accountNo.slice(-5, -1)}-x`;
      all.push(
        await settle(deps, { ...reported(source), bankReference: fresh(), paidAt, payerAccount }, owner),
      );
    }
    expect(all.map(({ booked }) => booked)).toEqual(['credited', 'tied', 'tied']);
    expect(await env.balance(member)).toBe(reported('QR').amountMinor);
  });

  test.each([true, false])('forty at once, shared reference %s', async (shared) => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    const references = { QR: fresh(), FEED: fresh(), SLIP: fresh() };
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const source = SOURCES[index % 3]!;
        const transfer = reported(source);
        return settle(deps, shared ? transfer : { ...transfer, bankReference: references[source] }, owner);
      }),
    );
    expect(credited(all)).toBe(1);
    expect(all.filter(({ booked }) => booked === 'tied')).toHaveLength(2);
    expect(await env.balance(member)).toBe(reported('QR').amountMinor);
  });
});

/** Whether the evidence waits for an operator. */
const isOpen = async (transfer: Transfer) =>
  (
    await env.pool.query("select 1 from transfer_evidence where state = 'ASK' and bank_reference = $1", [
      transfer.bankReference,
    ])
  ).rowCount === 1;

describe('what may be the same transfer although the times differ by more than two minutes', () => {
  const MINUTE_MS = 60_000;
  const later = (transfer: Transfer, minutes: number): Transfer => ({
    ...transfer,
    bankReference: fresh(),
    paidAt: new Date(transfer.paidAt.getTime() + minutes * MINUTE_MS),
  });

  test.each([3, 60, 1_430])('%i minutes later, by another source, waits for an operator', async (minutes) => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('SLIP'), owner);
    const again = later(reported('FEED'), minutes);
    const all = await Promise.all(Array.from({ length: 20 }, () => settle(deps, again, owner)));
    expect(all.filter(({ booked }) => booked === 'unclear')).toHaveLength(1);
    expect(all.filter(({ booked }) => booked === 'known')).toHaveLength(19);
    expect([await env.balance(member), await isOpen(again)]).toEqual([reported('SLIP').amountMinor, true]);
  });

  test.each([
    ['that names the member', (member: TestMember) => [member.id], 3, 'unclear'],
    ['that names another member', (_: TestMember, other: TestMember) => [other.id], 3, 'credited'],
    ['that names no member', () => [], 3, 'unclear'],
    ['of two days before', (member: TestMember) => [member.id], 2_880, 'credited'],
  ])('of an unmatched transaction %s', async (_which, likelyOf, minutes, booked) => {
    const [member, other] = [await env.member(), await env.member()];
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('QR'), { likely: likelyOf(member, other), reason: 'QR_CLOSED' });
    expect(await settle(deps, later(reported('FEED'), minutes), owner)).toEqual({ booked });
  });

  test('of a transaction that was sent back waits for an operator', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('QR'), { likely: [member.id], reason: 'QR_CLOSED' });
    await env.owner.query("update bank_transaction set state = 'RETURNED' where bank_reference = $1", [
      reported('QR').bankReference,
    ]);
    expect(await settle(deps, later(reported('FEED'), 3), owner)).toEqual({ booked: 'unclear' });
    expect(await env.balance(member)).toBe(0n);
  });

  test('double credit: of a member whose name is unsure, does not become unmatched money that can be credited again', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    const unsure = (one: TestMember) => ({ likely: [one.id], reason: 'NAME_UNSURE' });
    await settle(deps, reported('SLIP'), owner);
    const again = later(reported('FEED'), 3);
    expect(await settle(deps, again, unsure(other))).toEqual({ booked: 'unmatched' });
    const third = later(reported('FEED'), 6);
    expect(await settle(deps, third, unsure(member))).toEqual({ booked: 'unclear' });
    expect([await env.balance(member), await isOpen(third)]).toEqual([reported('SLIP').amountMinor, true]);
  });

  test('is credited when a source reports two transfers of its own, or a day has passed', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('FEED'), owner);
    expect(await settle(deps, later(reported('FEED'), 10), owner)).toEqual({ booked: 'credited' });
    expect(await settle(deps, later(reported('SLIP'), 1_500), owner)).toEqual({ booked: 'credited' });
  });
});

describe('an unmatched line', () => {
  test('is used up once by the evidence with the owner, with forty concurrent calls', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    expect(await settle(deps, reported('FEED'), NO_OWNER)).toEqual({ booked: 'unmatched' });
    const slip = { ...reported('SLIP'), bankReference: fresh() };
    const all = await Promise.all(Array.from({ length: 40 }, () => settle(deps, slip, owner)));
    expect(credited(all)).toBe(1);
    expect(all.filter(({ booked }) => booked === 'known')).toHaveLength(39);
    expect(await settle(deps, reported('QR'), owner)).toEqual({ booked: 'tied', state: 'CREDITED' });
    expect(await env.balance(member)).toBe(slip.amountMinor);
    expect(await transactions(slip.amountMinor)).toEqual(['CREDITED']);
  });

  test('of another amount under the same reference waits for an operator', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('FEED'), NO_OWNER);
    const slip = { ...reported('SLIP'), amountMinor: reported('SLIP').amountMinor + 500_000n };
    expect(await settle(deps, slip, owner)).toEqual({ booked: 'unclear' });
    expect(await settle(deps, slip, owner)).toEqual({ booked: 'known' });
    expect(await env.balance(member)).toBe(0n);
    expect(await transactions(reported('FEED').amountMinor)).toEqual(['UNMATCHED']);
  });

  test('credited under a reference that another source reports with another amount waits for an operator', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('FEED'), owner);
    const slip = { ...reported('SLIP'), amountMinor: reported('SLIP').amountMinor + 500_000n };
    for (const whose of [owner, NO_OWNER]) {
      expect(await settle(deps, slip, whose)).toEqual({ booked: whose === owner ? 'unclear' : 'known' });
      expect(await env.balance(member)).toBe(reported('FEED').amountMinor);
    }
    expect(await isOpen(slip)).toBe(true);
  });

  test('is not booked twice when its owner is unknown', async () => {
    const member = await env.member();
    const reported = transferOf(member);
    expect(await settle(deps, reported('FEED'), NO_OWNER)).toEqual({ booked: 'unmatched' });
    expect(await settle(deps, { ...reported('QR'), bankReference: fresh() }, NO_OWNER)).toEqual({
      booked: 'tied',
      state: 'UNMATCHED',
    });
    expect(await transactions(reported('QR').amountMinor)).toEqual(['UNMATCHED']);
  });
});

describe('two transfers stay two', () => {
  test('of the same amount, minute and sender, each with its own statement line', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    const feed = [1, 2].map(() => ({ ...reported('FEED'), bankReference: fresh() }));
    for (const transaction of feed) expect((await settle(deps, transaction, owner)).booked).toBe('credited');
    expect(await env.balance(member)).toBe(reported('FEED').amountMinor * 2n);
  });

  test.each([
    ['another account of ours', { accountNo: '3334445556' }],
    ['another bank of ours', { bankCode: 'SCB' }],
    ['more than a day later', { paidAt: new Date(Date.now() + 90_000_000) }],
    ['another sender', { payerAccount: 'xxx-x-x0001-x' }],
  ])('%s', async (_what, change) => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('FEED'), owner);
    const other = { ...reported('QR'), bankReference: fresh(), ...change };
    expect((await settle(deps, other, owner)).booked).toBe('credited');
  });

  test('matched to the first until the first arrived with its reference: then decided again', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('QR'), owner);
    const second = { ...reported('FEED'), bankReference: fresh() };
    expect(await settle(deps, second, owner)).toEqual({ booked: 'tied', state: 'CREDITED' });
    expect(await settle(deps, reported('FEED'), owner)).toEqual({ booked: 'tied', state: 'CREDITED' });
    expect(await env.balance(member)).toBe(reported('QR').amountMinor);
    await env.app.runJob('feeds.read');
    expect(await env.balance(member)).toBe(reported('QR').amountMinor * 2n);
    await env.app.runJob('feeds.read');
    expect(await env.balance(member)).toBe(reported('QR').amountMinor * 2n);
  });
});

describe('ambiguous evidence goes to an operator, with nothing booked', () => {
  const alerts = async (reference: string) =>
    (
      await env.pool.query(
        "select 1 from alert a join transfer_evidence e on a.subject = 'doubt:' || e.id where a.kind = 'transfer-unclear' and e.bank_reference = $1",
        [reference],
      )
    ).rows.length;

  test('several transfers fit', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    for (const _ of [1, 2]) await settle(deps, { ...reported('FEED'), bankReference: fresh() }, owner);
    const third = { ...reported('SLIP'), bankReference: fresh() };
    expect(await settle(deps, third, owner)).toEqual({ booked: 'unclear' });
    expect(await settle(deps, third, owner)).toEqual({ booked: 'known' });
    expect(await alerts(third.bankReference)).toBe(1);
    expect(await env.balance(member)).toBe(reported('FEED').amountMinor * 2n);
  });

  test('the sender is hidden', async () => {
    const member = await env.member();
    const [reported, owner] = [transferOf(member), await ownerOf(member)];
    await settle(deps, reported('FEED'), owner);
    const hidden = { ...reported('SLIP'), bankReference: fresh(), payerAccount: 'xxx-x-xxx12-x' };
    expect(await settle(deps, { ...hidden, payerAccount: 'xxxxxxxxxx' }, owner)).toEqual({
      booked: 'unclear',
    });
    expect(await env.balance(member)).toBe(reported('FEED').amountMinor);
  });
});
