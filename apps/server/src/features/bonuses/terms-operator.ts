import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@krapao/contract/durations';
import { bonuses as contract } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { chosenOf } from '../../platform/http/choices.ts';
import { countedPage, sliceOf } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { reorder } from '../../platform/reorder.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, takeApproval } from '../approvals/read.ts';
import { lockFilesById } from '../content/read.ts';
import { listOfferedGames } from '../games/read.ts';
import { requireGames, saveBonus } from './queries.ts';
import {
  type EstimateTerms,
  estimate,
  findBonus,
  findOpenVersion,
  findVersion,
  listCodes,
  listTerms,
  listVersions,
  lockBonus,
  orderCodes,
  TERMS_KEYS,
  type TermsRow,
} from './terms-queries.ts';
import { BadTerms, columnsOf, factsOf, NONE, readTerms, type Terms, termsOf } from './terms-rows.ts';

interface TermsDeps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
}

const ESTIMATE_DAYS = 30;
const ACTION = 'bonus.publish';

const view = ({ tally: [received, running, granted = 0n, taken = 0n], ...row }: TermsRow) => ({
  code: row.code,
  kind: row.kind,
  currency: row.currency,
  title: row.title,
  state: row.state,
  startsAt: row.starts_at?.toISOString() ?? null,
  endsAt: row.ends_at?.toISOString() ?? null,
  quota: row.quota,
  received: Number(received),
  running: Number(running),
  granted: fromMinor(granted, row.currency),
  taken: fromMinor(taken, row.currency),
  version: row.version,
  changedBy: row.changed_by,
  changedAt: row.changed_at.toISOString(),
  approval: row.approval,
});

/** Terms that can be worked with, and their columns; throws INVALID_REQUEST naming the field that is wrong. */
async function checked(db: Db, terms: Terms): Promise<{ terms: Terms; columns: Record<string, unknown> }> {
  try {
    // What is stopped needs no game, so that anything can be stopped.
    if (terms.isOpen) await requireGames(db, terms.games);
    return { terms: readTerms(terms), columns: columnsOf(terms) };
  } catch (error) {
    if (error instanceof BadTerms) throw new Refusal('INVALID_REQUEST', { field: error.message });
    throw error;
  }
}

/** The requested terms; they follow the version that the maker saw, 0 for a new bonus. */
interface Change {
  terms: Terms;
  version: number;
  reverts: number | null;
}

/** The terms on offer now; throws ROW_CHANGED when they are not those the change was written against. */
async function requireUnchanged(
  refuse: Refuse<'ROW_CHANGED'>,
  tx: PoolClient,
  { terms, version }: Change,
): Promise<Terms | null> {
  const now = await lockBonus(tx, terms.code);
  if ((now?.version ?? 0) !== version) throw refuse('ROW_CHANGED');
  const before = now ? termsOf(now.row) : null;
  // Money already granted cannot change its currency, nor a code its way of being found.
  if (before && (before.currency !== terms.currency || before.kind !== terms.kind))
    throw new Refusal('INVALID_REQUEST', { field: 'currency' });
  return before;
}

/** Whether every picture named is one we keep; throws INVALID_REQUEST. */
async function requirePictures(tx: PoolClient, { banners }: Terms): Promise<void> {
  const paths = banners.map(({ image }) => image).filter((image) => image.startsWith('/media/'));
  const files = await lockFilesById(
    tx,
    [...new Set(paths)].map((path) => path.slice(7).replace(/\.\w+$/, '')),
  );
  const known = new Set([...files.values()].map(({ path }) => path));
  if (paths.some((path) => !known.has(path))) throw new Refusal('INVALID_REQUEST', { field: 'banners' });
}

async function write(
  refuse: Refuse<'ROW_CHANGED'>,
  deps: TermsDeps,
  tx: PoolClient,
  actor: Actor,
  change: Change,
  auditEntry: { action: string; reason: string | null },
): Promise<void> {
  const { terms, columns } = await checked(tx, change.terms);
  const before = await requireUnchanged(refuse, tx, change);
  await requirePictures(tx, terms);
  const now = deps.clock.now();
  const by = { by: actorName(actor), now, reason: auditEntry.reason, reverts: change.reverts };
  const version = await saveBonus(tx, columns, by);
  const subject = entityRef('bonus', terms.code);
  await writeAudit(tx, actor, { ...auditEntry, subject, before, after: { ...terms, version } }, now);
}

/** What pays is published by two. */
export const bonusActions = (deps: TermsDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.money',
    madeWith: ['promotion.manage'],
    async current({ payload }) {
      const { terms } = payload as Change;
      const now = await findBonus(deps.pool, terms.code);
      const changes = await shownChanges(deps.pool, now ? termsOf(now.row) : null, terms);
      return { version: (now?.version ?? 0) + 1, ...changes };
    },
    carryOut: (refuse, request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        const change = request.payload as Change;
        await lockBonus(tx, change.terms.code);
        await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
        const auditEntry = { action: ACTION, reason: request.reason };
        await write(refuse, deps, tx, actor, change, auditEntry);
        return { state: 'DONE' };
      }),
  },
];

/** What differs between two versions of terms, field by field, as a checker reads it. */
function changesOf(before: Terms | null, after: Terms): Record<string, string> {
  const [was, is] = [before && factsOf(before), factsOf(after)];
  const names = Object.keys(is) as (keyof typeof is)[];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(before?.[name], after[name]) && (was || is[name] !== NONE))
      .map((name) => [name, was && was[name] !== is[name] ? `${was[name]} → ${is[name]}` : is[name]]),
  );
}

/**
 * What a checker is shown of new terms: what differs from those in force, and from those that were last on offer. Terms
 * that are not on offer are changed by one operator alone.
 */
async function shownChanges(db: Db, before: Terms | null, terms: Terms): Promise<Record<string, string>> {
  const agreed = await findOpenVersion(db, terms.code);
  return { ...changesOf(before, terms), ...changesOf(agreed ? termsOf(agreed.row) : null, terms) };
}

async function publish(
  refuse: Refuse<'ROW_CHANGED' | 'APPROVAL_PENDING'>,
  deps: TermsDeps,
  tx: PoolClient,
  actor: Actor,
  change: Change,
  reason: string,
): Promise<{ state: string; approval: string | null }> {
  const { terms } = await checked(tx, change.terms);
  const before = await requireUnchanged(refuse, tx, change);
  await requirePictures(tx, terms);
  return decideOrRequest(refuse, deps, tx, actor, {
    action: ACTION,
    subject: entityRef('bonus', terms.code),
    payload: change,
    summary: {
      bonus: terms.title,
      version: change.version + 1,
      ...(await shownChanges(tx, before, terms)),
    },
    reason,
    needsChecker: terms.isOpen,
    state: before ? 'UNCHANGED' : 'NEW',
    perform: async () => {
      await write(refuse, deps, tx, actor, change, { action: ACTION, reason });
      return 'DONE';
    },
  });
}

/** Answers what the list of bonuses is and has given. */
function termsReads(declare: OperatorDeclare, deps: TermsDeps): void {
  const { pool, clock } = deps;
  declare(contract.listBonuses, async ({ query }) => {
    const filter = {
      text: query.q,
      kinds: chosenOf(query.kind, contract.BONUS_KINDS),
      states: chosenOf(query.state, contract.BONUS_STATES),
    };
    const list = { keys: TERMS_KEYS, standard: 'position' };
    const [{ rows, page }, games] = await Promise.all([
      countedPage(query, list, (slice, counted) => listTerms(pool, clock.now(), filter, slice, counted)),
      listOfferedGames(pool),
    ]);
    return {
      bonuses: rows.map(view),
      ...page,
      games: games.map(({ code, name }) => ({ code, name })),
    };
  });
  declare(contract.readBonus, async ({ params, refuse }) => {
    const slice = sliceOf({}, TERMS_KEYS, 'position');
    const [row] = (await listTerms(pool, clock.now(), { code: params.code }, slice, 1)).rows;
    if (!row) throw refuse('NO_DATA');
    const versions = (await listVersions(pool, row.id)).map((one) => ({
      version: one.version,
      changedBy: String(one.row.changed_by),
      changedAt: new Date(String(one.row.changed_at)).toISOString(),
      reason: (one.row.changed_reason as string | null | undefined) ?? null,
      reverts: (one.row.reverts as number | null | undefined) ?? null,
      terms: termsOf(one.row),
    }));
    const now = versions.find(({ version }) => version === row.version);
    if (!now) throw new Error(`version ${row.version} of bonus ${row.code} was not stored`);
    return { bonus: view(row), terms: now.terms, versions };
  });
  declare(contract.estimateBonus, async ({ body }) => {
    const { terms, columns } = await checked(pool, body.terms);
    const since = new Date(clock.now().getTime() - ESTIMATE_DAYS * DAY_MS);
    const would = await estimate(pool, since, columns as unknown as EstimateTerms);
    const each = 'fixed' in terms.award ? terms.award.fixed : terms.award.most;
    return {
      days: ESTIMATE_DAYS,
      receipts: would.receipts,
      members: would.members,
      granted: fromMinor(would.granted, terms.currency),
      most: terms.quota === null || each === null ? null : terms.quota * each,
    };
  });
}

/** Answers the calls by which marketing runs bonuses and promotions. */
export function termsCalls(declare: OperatorDeclare, deps: TermsDeps): void {
  const { pool } = deps;
  termsReads(declare, deps);
  declare(contract.publishBonus, ({ body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const change = { terms: body.terms, version: body.version, reverts: null };
      if (change.version === 0 && (await lockBonus(tx, change.terms.code))) throw refuse('CODE_TAKEN');
      return publish(refuse, deps, tx, actor, change, body.reason);
    }),
  );
  declare(contract.revertBonus, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const before = await findVersion(tx, params.code, body.to);
      if (!before) throw refuse('NO_DATA');
      const change = { terms: termsOf(before.row), version: body.version, reverts: body.to };
      return publish(refuse, deps, tx, actor, change, body.reason);
    }),
  );
  declare(contract.stopBonus, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const now = await lockBonus(tx, params.code);
      if (!now) throw refuse('NO_DATA');
      const terms = { ...termsOf(now.row), isOpen: false };
      const change = { terms, version: body.version, reverts: null };
      await write(refuse, deps, tx, actor, change, { action: 'bonus.stop', reason: body.reason });
      return { state: 'STOPPED', approval: null };
    }),
  );
  declare(contract.orderBonuses, ({ body, actor, refuse }) =>
    reorder(refuse, deps, actor, body.codes, {
      audit: { action: 'bonus.order', subject: entityRef('bonus', 'all') },
      lock: listCodes,
      write: orderCodes,
    }),
  );
}
