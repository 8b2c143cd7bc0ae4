import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTown, type TestMember } from '../../testing/town.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { acceptSlip, askSlipAgain, refuseSlip } from './slip-desk.ts';
import { slipHands } from './testing-slips.ts';

const town = await startTown({ jobs: false });
const { deps } = town.app;
const { make, upload } = slipHands(town);
const by = { actor: 'cli:tester', reason: 'seen in the statement' };

beforeAll(() => town.set('slip.closedHours', []));
afterAll(async () => {
  expect(await verifyLedger(town.pool, [STATEMENT_CHECK])).toEqual([]);
});

/** A slip whose sender the bank hides too much of. */
async function doubted(member: TestMember) {
  const slip = await make(member);
  await town.fault({ party: 'slip', kind: 'masked-digits', reference: slip.transRef, count: 1 });
  const { body } = await upload(member, slip.bytes);
  expect(body.status).toBe('REVIEW');
  return { ...slip, id: body.id as string };
}

const audited = async (id: string) =>
  (
    await town.pool.query('select actor, action, reason from audit where thing = $1 order by id', [
      `slip:${id}`,
    ])
  ).rows;

describe('a slip that waits for an operator', () => {
  test('accepted by forty at once is credited once, with one audit row', async () => {
    const member = await town.member();
    const { id } = await doubted(member);
    const answers = await Promise.all(Array.from({ length: 40 }, () => acceptSlip(deps, id, by)));
    expect(answers.filter((answer) => answer === 'credited')).toHaveLength(1);
    expect(await town.balance(member)).toBe(10_000n);
    expect(await audited(id)).toEqual([{ ...by, action: 'slip.success' }]);
    expect(await acceptSlip(deps, id, by)).toBe('GONE');
  });

  test('of a transfer credited meanwhile ends as a duplicate', async () => {
    const member = await town.member();
    const { id, bytes } = await doubted(member);
    expect((await upload(member, bytes)).body.status).toBe('SUCCESS');
    expect(await acceptSlip(deps, id, by)).toBe('duplicate');
    expect(await town.balance(member)).toBe(10_000n);
  });

  test('refused tells the member why, and stays refused', async () => {
    const member = await town.member();
    const { id } = await doubted(member);
    expect(await refuseSlip(deps, id, 'ACCOUNT_NOT_MATCH', by)).toBe(true);
    expect(await refuseSlip(deps, id, 'INVALID_SLIP', by)).toBe(false);
    expect(await acceptSlip(deps, id, by)).toBe('GONE');
    const { body } = await town.call(
      'POST',
      '/api/statement/slip',
      { page: 1, limit: 10 },
      { token: member.token },
    );
    expect(body.slips).toMatchObject([{ status: 'FAILED', note: 'ACCOUNT_NOT_MATCH' }]);
    expect(await audited(id)).toEqual([{ ...by, action: 'slip.failed' }]);
    expect(await town.balance(member)).toBe(0n);
  });

  test('asked about again is credited once the bank shows enough', async () => {
    const member = await town.member();
    const { id } = await doubted(member);
    expect(await askSlipAgain(deps, id, by)).toBe(true);
    await town.app.runJob('slips.ask');
    expect(await town.balance(member)).toBe(10_000n);
    expect(await askSlipAgain(deps, id, by)).toBe(false);
  });
});
