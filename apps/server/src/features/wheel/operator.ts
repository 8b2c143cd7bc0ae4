import { wheel as contract } from '@krapao/contract/operator';
import { fromMinor, LANGUAGES, type Language } from '@krapao/contract/shared';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, takeApproval } from '../approvals/read.ts';
import { keepPrize, type PrizeColumns, prizeOf, termsFacts } from '../coupons/read.ts';
import {
  closeWheel,
  findPrizeOfWheel,
  insertVersion,
  insertWheel,
  type ListedWheel,
  listGiven,
  listVersions,
  listWheels,
  lockTurning,
  lockWheel,
  openVersion,
  type VersionRow,
  type WheelRow,
} from './operator-queries.ts';
import { type Plan, simulate, slicesOf } from './plan.ts';

interface WheelOperatorDeps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
}

const ACTION = 'wheel.publish';

/** The figure as money with as many decimals as tell something. */
const expectedOf = ({ expected_micro, currency }: ListedWheel): number =>
  Math.round(Number(expected_micro) / (currency === 'BAHT' ? 10_000 : 100)) / 10_000;

const view = (row: ListedWheel) => ({
  id: String(row.id),
  name: row.name,
  currency: row.currency,
  state: row.state,
  version: row.version,
  latest: row.latest,
  slices: row.slices,
  costPerSpin: row.cost_per_spin,
  expectedCost: expectedOf(row),
  spins: row.spins,
  won: fromMinor(row.won, row.currency),
  changedBy: row.changed_by,
  changedAt: row.changed_at.toISOString(),
  approval: row.approval,
});

/** A version as it was written. */
const planOf = ({ name, cost_per_spin, slices }: VersionRow): Plan => ({
  name,
  costPerSpin: cost_per_spin,
  slices: slices.map(({ prize, bg_color, text_color, code, label, html, weight, stock }) => ({
    code,
    label,
    bgColor: bg_color,
    textColor: text_color,
    html,
    weight,
    stock,
    prize: prize && {
      ...prizeOf({
        ...prize,
        value: BigInt(prize.value),
        withdraw_max: prize.withdraw_max === null ? null : BigInt(prize.withdraw_max),
      }),
    },
  })),
});

async function requireWheel(refuse: Refuse<'NO_DATA'>, tx: PoolClient, id: string): Promise<WheelRow> {
  const wheel = await lockWheel(tx, id);
  if (!wheel) throw refuse('NO_DATA');
  return wheel;
}

async function requireVersion(
  refuse: Refuse<'NO_DATA'>,
  tx: PoolClient,
  wheel: WheelRow,
  version: number,
): Promise<VersionRow> {
  const [row] = await listVersions(tx, wheel.id, version);
  if (!row) throw refuse('NO_DATA');
  return row;
}

/** Writes a plan as the next version. Throws INVALID_REQUEST naming what cannot be. */
async function write(
  deps: WheelOperatorDeps,
  tx: PoolClient,
  actor: Actor,
  wheel: Pick<WheelRow, 'id' | 'currency' | 'latest'>,
  { plan, reason, revertsTo = null }: { plan: Plan; reason: string; revertsTo?: number | null },
): Promise<{ id: string; version: number }> {
  const now = deps.clock.now();
  const prizeIdOf = async (prize: PrizeColumns) =>
    (await findPrizeOfWheel(tx, wheel.id, prize)) ??
    (await keepPrize(tx, entityRef('wheel', wheel.id), prize, now));
  const slices = [];
  for (const { prize, ...slice } of slicesOf(plan, wheel.currency))
    slices.push({ ...slice, prizeId: prize && (await prizeIdOf(prize)) });
  const version = wheel.latest + 1;
  const { name, costPerSpin } = plan;
  const row = { wheelId: wheel.id, version, name, costPerSpin, revertsTo };
  await insertVersion(tx, row, slices, { by: actorName(actor), now });
  const auditEntry = {
    action: 'wheel.save',
    subject: entityRef('wheel', wheel.id),
    after: { version, revertsTo, ...plan },
  };
  await writeAudit(tx, actor, { ...auditEntry, reason }, now);
  return { id: String(wheel.id), version };
}

/** The requested version and the one that the maker saw. */
interface Intent {
  wheel: string;
  version: number;
  seen: number | null;
}

/** What a checker approves: also whether the wheel is on, and which other one it replaces. */
interface Payload extends Intent {
  state: WheelRow['state'];
  replaces: string | null;
}

/** What is to be published, if no other version was published since the asker saw it. */
async function requireDraft(
  refuse: Refuse<'ROW_CHANGED' | 'NO_DATA'>,
  tx: PoolClient,
  { wheel: id, version, seen }: Intent,
) {
  const wheel = await requireWheel(refuse, tx, id);
  if (wheel.version !== seen) throw refuse('ROW_CHANGED', { state: wheel.state });
  const row = await requireVersion(refuse, tx, wheel, version);
  const other = await lockTurning(tx, wheel.currency);
  return { wheel, row, replaced: other && other.id !== wheel.id ? other : null };
}

/** The same for a request made earlier: a wheel stopped or replaced meanwhile does not come back by it. */
async function requireUnchanged(refuse: Refuse<'ROW_CHANGED' | 'NO_DATA'>, tx: PoolClient, payload: Payload) {
  const draft = await requireDraft(refuse, tx, payload);
  const { wheel, replaced } = draft;
  if (wheel.state !== payload.state || (replaced && String(replaced.id)) !== payload.replaces)
    throw refuse('ROW_CHANGED', { state: wheel.state });
  return draft;
}

async function publish(
  refuse: Refuse<'ROW_CHANGED' | 'NO_DATA'>,
  deps: WheelOperatorDeps,
  tx: PoolClient,
  actor: Actor,
  payload: Payload,
  reason: string | null,
): Promise<void> {
  const { wheel, row, replaced } = await requireUnchanged(refuse, tx, payload);
  const by = { by: actorName(actor), now: deps.clock.now() };
  if (replaced) await closeWheel(tx, replaced.id, by);
  await openVersion(tx, wheel.id, row.version, by);
  const before = {
    state: wheel.state,
    version: wheel.version,
    replaced: replaced && entityRef('wheel', replaced.id),
  };
  const auditEntry = {
    action: ACTION,
    subject: entityRef('wheel', wheel.id),
    before,
    after: { version: row.version },
  };
  await writeAudit(tx, actor, { ...auditEntry, reason }, by.now);
}

/** What pays is published by two. */
export const wheelActions = (deps: WheelOperatorDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.money',
    madeWith: ['promotion.manage'],
    carryOut: (refuse, request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        const payload = request.payload as Payload;
        await requireWheel(refuse, tx, payload.wheel);
        await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
        await publish(refuse, deps, tx, actor, payload, request.reason);
        return { state: 'OPEN' };
      }),
  },
];

/** What a checker is shown, in each language: each slice with its chance and what it pays, by kind of prize. */
function summaryOf(plan: Plan, wheel: WheelRow, replaced: Plan['name'] | null): Record<string, unknown> {
  const total = plan.slices.reduce((sum, { weight }) => sum + weight, 0);
  const textOf = ({ label, weight, stock, prize }: Plan['slices'][number], language: Language): string => {
    const pays = prize && `= ${prize.value.toLocaleString('en-US')}`;
    const facts = Object.values(termsFacts(prize?.terms ?? null)).join(', ');
    const terms = facts && `(${facts})`;
    const pieces = stock === null ? null : `× ${stock}`;
    return [label[language], `${Math.round((weight / total) * 10_000) / 100} %`, pays, terms, pieces]
      .filter(Boolean)
      .join(' ');
  };
  const inEach = (slices: Plan['slices']) =>
    Object.fromEntries(
      LANGUAGES.map((language) => [language, slices.map((slice) => textOf(slice, language)).join(', ')]),
    );
  const kinds = Map.groupBy(plan.slices, ({ prize }) => `slices${prize?.kind ?? 'BLANK'}`);
  return {
    wheel: plan.name,
    unit: wheel.currency,
    costPerSpin: plan.costPerSpin,
    ...Object.fromEntries([...kinds].map(([kind, slices]) => [kind, inEach(slices)])),
    ...(replaced ? { replaces: replaced } : {}),
  };
}

function wheelReads(declare: OperatorDeclare, deps: WheelOperatorDeps): void {
  const { pool, settings } = deps;
  declare(contract.listWheels, async () => ({
    isSwitchedOn: settings.get('wheel.active'),
    wheels: (await listWheels(pool, null)).map(view),
  }));
  declare(contract.readWheel, async ({ params, refuse }) => {
    const [row] = /^\d{1,18}$/.test(params.id) ? await listWheels(pool, BigInt(params.id)) : [];
    if (!row) throw refuse('NO_DATA');
    const [versions, given] = await Promise.all([
      listVersions(pool, row.id, null),
      listGiven(pool, row.id, row.version ?? row.latest),
    ]);
    return {
      wheel: view(row),
      versions: versions.map((one) => ({
        version: one.version,
        madeBy: one.made_by,
        madeAt: one.made_at.toISOString(),
        publishedAt: one.published_at?.toISOString() ?? null,
        revertsTo: one.reverts_to,
        plan: planOf(one),
      })),
      slices: given.map((one) => ({ ...one, left: one.left === null ? null : Number(one.left) })),
    };
  });
  declare(contract.simulateWheel, ({ body }) => simulate(body.slices));
}

function writeCalls(declare: OperatorDeclare, deps: WheelOperatorDeps): void {
  const { pool, clock } = deps;
  declare(contract.createWheel, ({ body, actor }) =>
    inTransaction(pool, async (tx) => {
      const id = await insertWheel(tx, body.currency, actorName(actor), clock.now());
      return write(deps, tx, actor, { id, currency: body.currency, latest: 0 }, body);
    }),
  );
  declare(contract.saveWheel, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const wheel = await requireWheel(refuse, tx, params.id);
      if (wheel.latest !== body.after) throw refuse('ROW_CHANGED', { state: wheel.state });
      return write(deps, tx, actor, wheel, body);
    }),
  );
  declare(contract.revertWheel, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const wheel = await requireWheel(refuse, tx, params.id);
      if (wheel.latest !== body.after) throw refuse('ROW_CHANGED', { state: wheel.state });
      const plan = planOf(await requireVersion(refuse, tx, wheel, body.to));
      return write(deps, tx, actor, wheel, { plan, reason: body.reason, revertsTo: body.to });
    }),
  );
}

/** Answers the calls by which marketing runs wheels. */
export function wheelOperatorCalls(declare: OperatorDeclare, deps: WheelOperatorDeps): void {
  const { pool, clock } = deps;
  wheelReads(declare, deps);
  writeCalls(declare, deps);
  declare(contract.publishWheel, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const intent: Intent = { wheel: params.id, version: body.version, seen: body.seen };
      const { wheel, row, replaced } = await requireDraft(refuse, tx, intent);
      const payload: Payload = {
        ...intent,
        state: wheel.state,
        replaces: replaced && String(replaced.id),
      };
      const turning =
        replaced && (await requireVersion(refuse, tx, replaced, replaced.version ?? replaced.latest));
      return decideOrRequest(refuse, deps, tx, actor, {
        action: ACTION,
        subject: entityRef('wheel', wheel.id),
        payload,
        summary: summaryOf(planOf(row), wheel, turning && planOf(turning).name),
        reason: body.reason,
        needsChecker: true,
        state: wheel.state,
        perform: async () => {
          await publish(refuse, deps, tx, actor, payload, body.reason);
          return 'OPEN';
        },
      });
    }),
  );
  declare(contract.stopWheel, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const wheel = await requireWheel(refuse, tx, params.id);
      if (wheel.state !== 'OPEN') throw refuse('ROW_CHANGED', { state: wheel.state });
      const now = clock.now();
      await closeWheel(tx, wheel.id, { by: actorName(actor), now });
      const auditEntry = {
        action: 'wheel.stop',
        subject: entityRef('wheel', wheel.id),
        before: { version: wheel.version },
      };
      await writeAudit(tx, actor, { ...auditEntry, reason: body.reason }, now);
      return { state: 'STOPPED', approval: null };
    }),
  );
}
