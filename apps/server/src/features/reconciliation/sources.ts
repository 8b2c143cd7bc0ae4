import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { type Currency, currenciesOf } from '@krapao/contract/shared';
import type {
  BankFeed,
  GameProvider,
  GiftWallet,
  PayoutBank,
  QrMaker,
  Span,
  Statement,
} from '../../outside/index.ts';
import { NOT_OFFERED } from '../../outside/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import { goneGateways } from '../deposits/read.ts';
import { findGameSlot } from '../games/read.ts';
import { compare, isLineIn, type Verdict } from './compare.ts';
import { dayAt, earliest } from './days.ts';
import { compareGame } from './games.ts';
import { type OurRow, referencesOf } from './pairing.ts';
import {
  findGifts,
  findIncoming,
  findPayouts,
  type GameSourceRow,
  hasGifts,
  listGameSources,
  listGifts,
  listIncoming,
  listManual,
  listOwnAccounts,
  listPayouts,
  type OurRowRow,
  type OwnAccountRow,
} from './queries.ts';
import { listFileLines, listFilesOfDay } from './statement-queries.ts';

export interface SourceDeps {
  pool: Pool;
  config: Pick<Config, 'variant'>;
  clock: Clock;
  payoutBank: PayoutBank;
  /** The provider that watches our accounts; null without one. */
  feed: BankFeed | null;
  qrMakers: readonly QrMaker[];
  gift: GiftWallet | null;
  providerOf(slot: { adapter: string; agent: string }): GameProvider;
}

/** One of the partner's books that ours are held against. */
export interface Source {
  /** "bank:SCB:2223334445", "gateway:WW", "gift", "game:betflix:BAHT". */
  id: string;
  kind: 'bank' | 'gateway' | 'gift' | 'game';
  /** What people call it, within its kind. */
  name: string;
  currency: Currency;
  /** Compares a day, or as much of it as is over. `keep` is called now and then while it lasts. */
  compare(day: Span, keep: () => Promise<void>): Promise<Verdict>;
}

/** So far beyond the day both sides are looked at, for what fell on both sides of midnight. */
const EDGE_MS = 10 * MINUTE_MS;
/** How far before the day a statement is read at most, back to the sending of its oldest payout. */
const BACK_MS = 8 * DAY_MS;
/** A game tells its balances of now only; for older days they mean nothing. */
const GAME_DAYS_MS = 2 * DAY_MS;
/** The note of a day that could be compared and no longer can: what was found then still holds. */
export const ONLY_NOW = 'ONLY_NOW';
/** The note of a day whose partner has no settings here at the moment: it is compared once they are set again. */
export const NOT_CONFIGURED = 'NOT_CONFIGURED';

const widened = ({ from, to }: Span, laterMs = EDGE_MS): Span => ({
  from: new Date(from.getTime() - EDGE_MS),
  to: new Date(to.getTime() + laterMs),
});

const rowOf = (row: OurRowRow): OurRow => ({
  subject: row.subject,
  references: row.refs,
  direction: row.direction,
  amountMinor: row.amount,
  since: row.since,
  until: row.until,
  memberId: row.member_id,
  account: row.account,
  isOpen: row.is_open,
});

interface Books {
  query(span: Span): Promise<Statement>;
  /** Our rows of the day and a little around it. */
  list(span: Span): Promise<OurRowRow[]>;
  /** Our rows of any day by what the partner calls them. */
  find(references: string[]): Promise<OurRowRow[]>;
}

/** Queries the partner and compares its statement lines to our rows. `keep` is called after each slow step. */
async function compareLines(books: Books, day: Span, keep: () => Promise<void>): Promise<Verdict> {
  const listed = await books.list(day);
  const since = earliest(
    listed.map((row) => row.since),
    day.from,
  );
  const from = new Date(Math.max(since.getTime() - EDGE_MS, day.from.getTime() - BACK_MS));
  const response = await books.query({ from, to: new Date(day.to.getTime() + EDGE_MS) });
  await keep();
  if (response.outcome === 'unknown') return { state: 'UNKNOWN', note: response.note };
  if (response.outcome === 'rejected')
    return { state: response.code === NOT_OFFERED ? 'NOT_OFFERED' : 'UNKNOWN', note: response.code };
  const known = new Set(listed.flatMap((row) => row.refs));
  const references = response.value
    .filter((line) => isLineIn(line, day))
    .flatMap(referencesOf)
    .filter((reference) => !known.has(reference));
  const subjects = new Set(listed.map((row) => row.subject));
  const found = references.length === 0 ? [] : await books.find(references);
  await keep();
  const ours = [...listed, ...found.filter((row) => !subjects.has(row.subject))].map(rowOf);
  return { state: 'COMPARED', leftOut: 0, ...(await compare(response.value, ours, day)) };
}

/** How the statement of an account is read on a day: from a file that covers it, else from the partner. */
async function statementReader(
  pool: Pool,
  source: string,
  day: Span,
  query: ((span: Span) => Promise<Statement>) | null,
): Promise<((span: Span) => Promise<Statement>) | null> {
  const files = await listFilesOfDay(pool, dayAt(day.from));
  if (!files.some((file) => file.source === source)) return query;
  return async (span) => ({ outcome: 'ok', value: await listFileLines(pool, source, span) });
}

/** A bank account: a file of its statement, the bank's own call, or that of the provider that watches it. */
function bankSource(deps: SourceDeps, row: OwnAccountRow): Source {
  const { pool, payoutBank, feed } = deps;
  const { bank_code: bankCode, account_no: accountNo, currency } = row;
  const isBanks = bankCode === payoutBank.code && row.has_qr;
  const id = `bank:${bankCode}:${accountNo}`;
  const maker = isBanks && deps.qrMakers.find(({ code }) => code === bankCode);
  const partner = maker
    ? (span: Span) => maker.statement(span)
    : feed && ((span: Span) => feed.statement({ bankCode, accountNo, currency }, span));
  const account = { bankCode, accountNo, currency, ownsUnnamed: row.has_qr || row.is_first };
  return {
    id,
    kind: 'bank',
    name: `${bankCode} ${accountNo}`,
    currency,
    async compare(day, keep) {
      const query = await statementReader(pool, id, day, partner);
      if (!query) return { state: 'NOT_OFFERED', note: NOT_OFFERED };
      // Transactions before an account was watched are not compared.
      const from = row.watched_since && row.watched_since > day.from ? row.watched_since : day.from;
      if (from >= day.to) return { state: 'NOT_OFFERED', note: 'NOT_YET' };
      const list = async (span: Span) => {
        const [incoming, payouts, manual] = await Promise.all([
          listIncoming(pool, account, widened(span)),
          isBanks ? listPayouts(pool, currency, widened(span)) : [],
          // Manual actions are often recorded the day after.
          row.is_first
            ? listManual(pool, { bankCode, currency, payoutBank: payoutBank.code }, widened(span, DAY_MS))
            : [],
        ]);
        return [...incoming, ...payouts, ...manual];
      };
      const find = async (references: string[]) => [
        ...(await findIncoming(pool, bankCode, references)),
        ...(isBanks ? await findPayouts(pool, references) : []),
      ];
      return compareLines({ query, list, find }, { from, to: day.to }, keep);
    },
  };
}

/** A gateway that is not configured any more, while money it took in the last days is in our books. */
const goneGatewaySource = ({ code, currency }: { code: string; currency: Currency }): Source => ({
  id: `gateway:${code}`,
  kind: 'gateway',
  name: code,
  currency,
  compare: async () => ({ state: 'NOT_OFFERED', note: NOT_CONFIGURED }),
});

function gatewaySource({ pool }: SourceDeps, maker: QrMaker): Source {
  const account = { bankCode: maker.code, accountNo: '', currency: maker.currency, ownsUnnamed: true };
  return {
    id: `gateway:${maker.code}`,
    kind: 'gateway',
    name: maker.code,
    currency: maker.currency,
    compare: (day, keep) =>
      compareLines(
        {
          query: (span) => maker.statement(span),
          list: (span) => listIncoming(pool, account, widened(span)),
          find: (references) => findIncoming(pool, maker.code, references),
        },
        day,
        keep,
      ),
  };
}

function giftSource({ pool, gift }: SourceDeps): Source {
  return {
    id: 'gift',
    kind: 'gift',
    name: '',
    currency: 'BAHT',
    compare: async (day, keep) =>
      gift
        ? compareLines(
            {
              query: (span) => gift.statement(span),
              list: (span) => listGifts(pool, widened(span)),
              find: (codes) => findGifts(pool, codes),
            },
            day,
            keep,
          )
        : { state: 'NOT_OFFERED', note: NOT_CONFIGURED },
  };
}

function gameSource(deps: SourceDeps, game: GameSourceRow): Source {
  const { slot_code: slotCode, name, currency } = game;
  return {
    id: `game:${slotCode}:${currency}`,
    kind: 'game',
    name,
    currency,
    async compare(day, keep) {
      if (deps.clock.now().getTime() - day.to.getTime() > GAME_DAYS_MS)
        return { state: 'NOT_OFFERED', note: ONLY_NOW };
      const slot = await findGameSlot(deps.pool, slotCode);
      if (!slot) return { state: 'NOT_OFFERED', note: NOT_OFFERED };
      const toCompare = { slotCode, currency, before: day.to, provider: deps.providerOf(slot) };
      return compareGame(deps, toCompare, keep);
    },
  };
}

/** Everything outside that our books can be held against, in the order operators read it. */
export async function listSources(deps: SourceDeps): Promise<Source[]> {
  const [accounts, gone, games, gifts] = await Promise.all([
    listOwnAccounts(deps.pool),
    goneGateways(deps, deps.qrMakers),
    listGameSources(deps.pool, currenciesOf(deps.config.variant)),
    hasGifts(deps.pool),
  ]);
  return [
    ...accounts.map((row) => bankSource(deps, row)),
    ...deps.qrMakers
      .filter(({ code }) => code !== deps.payoutBank.code)
      .map((maker) => gatewaySource(deps, maker)),
    ...gone.map(goneGatewaySource),
    ...(deps.gift || gifts ? [giftSource(deps)] : []),
    ...games.map((game) => gameSource(deps, game)),
  ];
}
