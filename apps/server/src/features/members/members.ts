import { exports, members } from '@krapao/contract/operator';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { choicesOf } from '../../platform/http/choices.ts';
import {
  boundedTotals,
  countedOf,
  countedPage,
  type PagingName,
  pageOf,
  sliceOf,
} from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { timesOf } from '../../platform/http/list.ts';
import { maskedAccountNo, maskedPhone } from '../../platform/masks.ts';
import { searchOf } from '../../platform/member-search.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { memberSessionEnd } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type GameDeps, listMemberGames, refreshAll } from '../games/read.ts';
import { findExclusion, listLimits } from '../limits/read.ts';
import { recordMentions } from '../mentions/read.ts';
import { readMemberRisk, riskView } from '../risk/read.ts';
import { endAllSessions } from '../sessions/read.ts';
import { accountFingerprints, visibleDigits } from './account-clues.ts';
import { listMemberFlags } from './flags.ts';
import {
  exportMembers,
  findCurrency,
  findMember,
  insertNote,
  listMembers,
  listNotes,
  listOpenItems,
  listPostings,
  listSessions,
  listStatement,
  lockMember,
  MEMBER_KEYS,
  type MemberDetailRow,
  type MemberFilter,
  type MemberRow,
  POSTING_KEYS,
  STATEMENT_KEYS,
  writeStatus,
} from './queries.ts';

export interface MemberOperatorDeps {
  pool: Pool;
  config: Config;
  clock: Clock;
  secrets: Secrets;
  settings: Settings;
}

const CREDIT_HUNDREDTHS = 100;
const NOTES_MAX = 100;

type ListQuery = Omit<Static<typeof members.listMembers.query>, PagingName>;

async function filterOf(deps: MemberOperatorDeps, query: ListQuery): Promise<MemberFilter> {
  const search = searchOf(deps, query.q);
  const { text } = search;
  return {
    ...timesOf(query),
    ...search,
    fingerprints: text ? await accountFingerprints(deps, text) : [],
    digits: text ? await visibleDigits(deps, text) : [],
    status: choicesOf(query.status),
    source: choicesOf(query.source),
    bank: choicesOf(query.bank),
    tag: choicesOf(query.tag),
    kyc: choicesOf(query.kyc),
  };
}

function rowView(deps: MemberOperatorDeps, row: MemberRow) {
  return {
    id: String(row.id),
    name: row.name,
    phone: maskedPhone(row.phone),
    status: row.status,
    currency: row.currency,
    source: row.source_code,
    createdAt: row.created_at.toISOString(),
    wallet: fromMinor(row.wallet, row.currency),
    tags: row.tags,
    account:
      row.bank_code === null
        ? null
        : {
            bankCode: row.bank_code,
            bankName: row.bank_name ?? row.bank_code,
            bankNameEn: row.bank_name_en ?? row.bank_code,
            bankColor: row.bank_color,
            accountNo: maskedAccountNo(deps.secrets.decrypt('bank-account', row.account_no_sealed!)),
            accountName: row.account_name ?? '',
          },
  };
}

async function detailView(deps: MemberOperatorDeps, row: MemberDetailRow) {
  const now = deps.clock.now();
  const [games, sessions, notes, exclusion, limits, scored] = await Promise.all([
    listMemberGames(deps.pool, row.id),
    listSessions(deps.pool, row.id),
    listNotes(deps.pool, row.id, NOTES_MAX),
    findExclusion(deps.pool, row.id, now),
    listLimits(deps.pool, row.id, now),
    readMemberRisk(deps, row),
  ]);
  const money = (minor: bigint) => fromMinor(minor, row.currency);
  return {
    ...rowView(deps, row),
    sourceNames: row.source_names,
    coins: Number(row.coins),
    held: money(row.held),
    inGames: money(row.in_games),
    total: money(row.wallet + row.held + row.in_games),
    inviter: row.inviter_id === null ? null : { id: String(row.inviter_id), name: row.inviter_name ?? '' },
    invited: row.invited,
    unknownInviteCode: row.unknown_invite_code,
    exclusion: exclusion ? { until: exclusion.until?.toISOString() ?? null } : null,
    limits: limits.flatMap(({ kind, period, amount }) =>
      kind === 'reminder' || period === 'session' || amount === null
        ? []
        : [{ kind, period, amount: money(amount) }],
    ),
    flags: await listMemberFlags(deps.pool, row.id, now),
    risk: await riskView(deps.pool, scored, row.currency),
    hasPin: row.has_pin,
    ageConfirmed: row.age_confirmed_at && {
      age: row.age_confirmed!,
      at: row.age_confirmed_at.toISOString(),
    },
    games: games.map((game) => ({
      code: game.code,
      name: game.name,
      username: game.username,
      credits: Number(game.credits) / CREDIT_HUNDREDTHS,
      worth: money(game.worth),
      askedAt: game.asked_at?.toISOString() ?? null,
    })),
    sessions: sessions.map((session) => ({
      createdAt: session.created_at.toISOString(),
      expiresAt: memberSessionEnd(deps.settings, session).toISOString(),
      endedAt: session.ended_at?.toISOString() ?? null,
      address: session.address,
      device: session.user_agent,
    })),
    notes: notes.map((note) => ({
      id: String(note.id),
      at: note.written_at.toISOString(),
      by: note.by,
      text: note.text,
      isPinned: note.pinned_at !== null,
    })),
  };
}

export async function getMemberOrThrow(
  refuse: Refuse<'NO_DATA'>,
  deps: Pick<MemberOperatorDeps, 'pool'>,
  id: string,
): Promise<MemberDetailRow> {
  const row = await findMember(deps.pool, id);
  if (!row) throw refuse('NO_DATA');
  return row;
}

/** The member's id and currency, without the figures of their page. */
async function getCurrencyOrThrow(
  refuse: Refuse<'NO_DATA'>,
  { pool }: Pick<MemberOperatorDeps, 'pool'>,
  text: string,
): Promise<{ id: bigint; currency: Currency }> {
  if (!/^\d{1,18}$/.test(text)) throw refuse('NO_DATA');
  const id = BigInt(text);
  const currency = await findCurrency(pool, id);
  if (!currency) throw refuse('NO_DATA');
  return { id, currency };
}

function readCalls(declare: OperatorDeclare, deps: MemberOperatorDeps & ExportDeps): void {
  declare(exports.exportMembers, async ({ params, query, actor, reply }) => {
    const source = exportMembers(await filterOf(deps, query), query.sort ?? '-createdAt');
    return sendExport(deps, { actor, reply, name: 'members', ...params, filters: query }, source);
  });
  declare(members.listMembers, async ({ query }) => {
    const filter = await filterOf(deps, query);
    const counted = countedOf(query);
    const slice = sliceOf(query, MEMBER_KEYS, '-createdAt');
    const { rows: found, sums } = await listMembers(deps.reads, filter, slice, counted);
    const { rows, turns } = pageOf(found, slice);
    return { members: rows.map((row) => rowView(deps, row)), ...boundedTotals(sums, counted), ...turns };
  });
  declare(members.readMember, async ({ params, refuse }) =>
    detailView(deps, await getMemberOrThrow(refuse, deps, params.id)),
  );
  declare(members.listMemberStatement, async ({ params, query, refuse }) => {
    const { id, currency } = await getCurrencyOrThrow(refuse, deps, params.id);
    const list = { keys: STATEMENT_KEYS, standard: '-number' };
    const { rows, page } = await countedPage({ ...query, countAll: true }, list, (slice) =>
      listStatement(deps.reads, id, slice),
    );
    return {
      rows: rows.map((row) => ({
        id: row.id,
        type: row.type,
        status: row.status,
        from: row.source,
        to: row.target,
        amount: fromMinor(row.amount, currency),
        createdAt: row.created_at.toISOString(),
      })),
      ...page,
    };
  });
  declare(members.listMemberPostings, async ({ params, query, refuse }) => {
    const { id } = await getCurrencyOrThrow(refuse, deps, params.id);
    const { rows, page } = await countedPage(
      query,
      { keys: POSTING_KEYS, standard: '-entry' },
      (slice, counted) => listPostings(deps.reads, id, slice, counted),
    );
    // Coins have no decimals, as kip on the wire.
    const money = (minor: bigint, asset: Currency | 'COIN') =>
      fromMinor(minor, asset === 'BAHT' ? 'BAHT' : 'LAK');
    return {
      postings: rows.map((row) => ({
        entry: String(row.entry),
        at: row.at.toISOString(),
        kind: row.kind,
        reference: row.reference,
        account: row.account,
        amount: money(row.amount, row.asset),
        balanceAfter: money(row.balance_after, row.asset),
      })),
      ...page,
    };
  });
}

/** Reads the games of a member, so that what is in them is known. Throws PROVIDER_UNAVAILABLE when one is silent. */
async function readGames(refuse: Refuse<'PROVIDER_UNAVAILABLE'>, deps: GameDeps, id: string): Promise<void> {
  const currency = /^\d{1,18}$/.test(id) ? await findCurrency(deps.pool, BigInt(id)) : undefined;
  if (!currency) return;
  const readings = await refreshAll(deps, { id: BigInt(id), currency });
  if (readings.some(({ silent }) => silent)) throw refuse('PROVIDER_UNAVAILABLE');
}

function statusCalls(declare: OperatorDeclare, deps: MemberOperatorDeps & GameDeps): void {
  const { pool, clock } = deps;
  declare(members.setMemberStatus, async ({ params, body, actor, refuse }) => {
    if (body.status === 'CLOSED') await readGames(refuse, deps, params.id);
    return inTransaction(pool, async (tx) => {
      const row = await lockMember(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      const isChanged = row.status !== body.seen || row.status === 'CLOSED';
      if (isChanged || (body.status === 'CLOSED' && (await listOpenItems(tx, row.id)).length > 0))
        throw refuse('ROW_CHANGED', { state: row.status });
      await writeStatus(tx, row.id, body.status);
      const auditEntry = {
        action: 'member.status',
        subject: entityRef('member', row.id),
        before: { status: row.status },
      };
      await writeAudit(
        tx,
        actor,
        { ...auditEntry, after: { status: body.status }, reason: body.reason },
        clock.now(),
      );
      return { message: 'OK' };
    });
  });
  declare(members.endMemberSessions, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const row = await lockMember(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      const ended = await endAllSessions(tx, row.id, clock.now());
      const auditEntry = {
        action: 'session.end',
        subject: entityRef('member', row.id),
        after: { ended },
        reason: body.reason,
      };
      await writeAudit(tx, actor, auditEntry, clock.now());
      return { ended };
    }),
  );
}

function noteCalls(declare: OperatorDeclare, deps: MemberOperatorDeps): void {
  const { pool, clock } = deps;
  declare(members.revealMember, async ({ params, body, actor, refuse }) => {
    const row = await getMemberOrThrow(refuse, deps, params.id);
    // Shown only after its audit row is written.
    const auditEntry = {
      action: 'member.reveal',
      subject: entityRef('member', row.id),
      reason: body.reason ?? null,
    };
    await writeAudit(pool, actor, auditEntry, clock.now());
    return {
      phone: row.phone,
      accountNo: row.account_no_sealed && deps.secrets.decrypt('bank-account', row.account_no_sealed),
    };
  });
  declare(members.addNote, async ({ params, body, actor, refuse }) => {
    const { id } = await getMemberOrThrow(refuse, deps, params.id);
    await inTransaction(pool, async (tx) => {
      const now = clock.now();
      const subject = entityRef('member', id);
      await insertNote(tx, { memberId: id, operatorId: actor.id, text: body.text, now });
      const note = { text: body.text, authorId: actor.id, subject, now };
      await recordMentions(tx, { ...note, permission: 'member.read' });
      const auditEntry = { action: 'member.note', subject, after: { text: body.text } };
      await writeAudit(tx, actor, auditEntry, clock.now());
    });
    return { message: 'OK' };
  });
}

/** Answers members as operators see them. */
export function memberOperatorCalls(
  declare: OperatorDeclare,
  deps: MemberOperatorDeps & GameDeps & ExportDeps,
): void {
  readCalls(declare, deps);
  statusCalls(declare, deps);
  noteCalls(declare, deps);
}
