import { members } from '@krapao/contract/operator';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import { writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { changedTags } from '../../platform/tags.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { addDays, dayAt, spanOf } from '../reconciliation/read.ts';
import { getMemberOrThrow, type MemberOperatorDeps } from './members.ts';
import { findMember, lockMember } from './queries.ts';
import {
  type LifetimeRow,
  listDayBalances,
  listTags,
  listTagsInUse,
  pinNote,
  readLifetime,
  replaceTags,
} from './record-queries.ts';

const BALANCE_DAYS = 30;

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

function lifetimeView(row: LifetimeRow, currency: Currency) {
  const money = (minor: bigint) => fromMinor(minor, currency);
  return {
    deposits: {
      count: row.deposits,
      amount: money(row.deposited),
      first: time(row.first_deposit),
      last: time(row.last_deposit),
    },
    withdrawals: {
      count: row.withdrawals,
      amount: money(row.withdrawn),
      last: time(row.last_withdrawal),
    },
    bonuses: { count: row.bonuses, amount: money(row.granted) },
    net: money(row.deposited - row.withdrawn),
  };
}

/** Serves what operators keep about a member, tags and pinned notes, and what the member did in total. */
export function recordCalls(declare: OperatorDeclare, deps: MemberOperatorDeps): void {
  const { pool, clock } = deps;
  declare(members.listMemberTags, async () => ({ tags: await listTagsInUse(pool) }));
  declare(members.tagMember, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const row = await lockMember(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      const before = await listTags(tx, row.id);
      const tags = changedTags(refuse, before, body).sort();
      await replaceTags(tx, { memberId: row.id, operatorId: actor.id, tags, now: clock.now() });
      const entry = { action: 'member.tags', subject: entityRef('member', row.id) };
      await writeAudit(tx, actor, { ...entry, before: { tags: before }, after: { tags } }, clock.now());
      return { message: 'OK' };
    }),
  );
  declare(members.pinNote, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const member = await findMember(tx, params.id);
      if (!member || !/^\d{1,18}$/.test(params.note)) throw refuse('NO_DATA');
      const note = { id: BigInt(params.note), memberId: member.id };
      const isFound = await pinNote(tx, { ...note, pinnedAt: body.isPinned ? clock.now() : null });
      if (!isFound) throw refuse('NO_DATA');
      const action = body.isPinned ? 'member.note.pin' : 'member.note.unpin';
      const entry = { action, subject: entityRef('member', member.id), after: { note: params.note } };
      await writeAudit(tx, actor, entry, clock.now());
      return { message: 'OK' };
    }),
  );
  declare(members.readLifetime, async ({ params, refuse }) => {
    const member = await getMemberOrThrow(refuse, deps, params.id);
    const first = addDays(dayAt(clock.now()), 1 - BALANCE_DAYS);
    const [row, balances] = await Promise.all([
      readLifetime(pool, member.id),
      listDayBalances(pool, member.wallet_account, spanOf(first)!.from),
    ]);
    const known = new Map(balances.days.map(({ day, balance }) => [day, balance]));
    let balance = balances.before;
    return {
      ...lifetimeView(row, member.currency),
      balances: Array.from({ length: BALANCE_DAYS }, (_, at) => {
        const day = addDays(first, at);
        balance = known.get(day) ?? balance;
        return { day, amount: fromMinor(balance, member.currency) };
      }),
    };
  });
}
