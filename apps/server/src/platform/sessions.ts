import { DAY_MS } from '@krapao/contract/durations';
import type { ACCESS_CODES, Currency } from '@krapao/contract/shared';
import { batched } from './batched.ts';
import type { Pool, RowOf } from './database/db.ts';
import type { Refuse } from './refusal.ts';
import { hashToken } from './secrets.ts';
import type { Settings } from './settings.ts';

/** The calling member: identity and the fields that most calls need. */
export interface Member {
  id: bigint;
  phone: string;
  name: string;
  currency: Currency;
  walletAccount: bigint;
  holdAccount: bigint;
  coinAccount: bigint;
  bankAccountId: bigint;
  bankCode: string;
  /** Whether they demand a PIN before money leaves. */
  hasPin: boolean;
  /** Whether this session must prove it before it may withdraw. */
  owesPin: boolean;
  tokenHash: Buffer;
}

/** The precision of a session's last use, so that few calls write. */
const SEEN_EVERY_MS = 5 * 60_000;

/** How long a proven PIN counts. */
const PIN_COUNTS_MS = 5 * 60_000;

/** Since when a member's session must have been used to count: for its idle days, or ever. */
export function memberIdleSince(settings: Pick<Settings, 'get'>, now: Date): Date {
  const days = settings.get('session.idleDays');
  return new Date(days === 0 ? 0 : Math.max(0, now.getTime() - days * DAY_MS));
}

/** When a member's session ends unless it is used again: after its idle days, at the latest at its absolute end. */
export function memberSessionEnd(
  settings: Pick<Settings, 'get'>,
  session: { expires_at: Date; seen_at: Date },
): Date {
  const days = settings.get('session.idleDays');
  if (days === 0) return session.expires_at;
  return new Date(Math.min(session.expires_at.getTime(), session.seen_at.getTime() + days * DAY_MS));
}

// The database compares the times: reading them cost more than all the rest of a row.
const SELECT = `select t.place::int, s.expires_at <= $2 or coalesce(s.last_seen_at, s.created_at) <= $5 as is_over, s.ended_at is not null as has_ended, s.ended_by,
    coalesce(s.last_seen_at, s.created_at) <= $3 as is_seen_late, m.id as member_id, m.status, m.phone, m.name, m.currency,
    m.wallet_account, m.hold_account, m.coin_account, b.id as bank_account_id, b.bank_code,
    m.pin_hash is not null as has_pin, m.pin_hash is not null and s.pin_proven_at > $4 is not true as owes_pin
  from unnest($1::bytea[]) with ordinality t(hash, place)
  join session s on s.token_hash = t.hash
  left join member m on m.id = s.member_id
  left join bank_account b on b.member_id = m.id and b.status = 'ACTIVE'`;

/**
 * The session row of a token; `place` is the token's position in the query, from 1. Without a member, the member's
 * fields are null.
 */
type SessionRow = RowOf<typeof SELECT>;

/** Returns the row of each token, in the order of the tokens. */
async function select(
  pool: Pool,
  hashes: readonly Buffer[],
  at: Date,
  idleSince: Date,
): Promise<(SessionRow | undefined)[]> {
  const list = `{${hashes.map((hash) => `"\\\\x${hash.toString('hex')}"`).join(',')}}` as const;
  const ago = (ms: number) => new Date(at.getTime() - ms);
  const values = [list, at, ago(SEEN_EVERY_MS), ago(PIN_COUNTS_MS), idleSince] as const;
  const result = await pool.query({ name: 'sessions', text: SELECT, values });
  const rows = new Array<SessionRow | undefined>(hashes.length).fill(undefined);
  for (const row of result.rows) rows[row.place - 1] = row;
  return rows;
}

/** Why a session does not count, or null when it does. */
function refusalOf(row: SessionRow | undefined): SessionCode | 'gone' | null {
  if (!row || row.is_over) return 'invalid-token';
  if (row.member_id === null) return 'INVALID_USER_1';
  if (row.has_ended) return row.ended_by === 'password' ? 'INVALID_USER_4' : 'INVALID_USER_2';
  if (row.status === 'CLOSED') return 'gone';
  if (row.status === 'SUSPENDED') return 'INACTIVE_USER';
  return null;
}

/** Returns whether a token that is no member's is an operator's. */
async function isOperators(pool: Pool, tokenHash: Buffer): Promise<boolean> {
  const sql = 'select 1 from operator_session where token_hash = $1';
  return (await pool.query(sql, [tokenHash])).rows.length > 0;
}

/** Records when sessions were last used, without waiting; the next call makes up for a lost record. */
function noteSeen(pool: Pool, hashes: readonly Buffer[], now: Date): void {
  if (hashes.length === 0) return;
  const text = 'update session set last_seen_at = $2 where token_hash = any($1)';
  pool.query(text, [hashes, now]).catch(() => undefined);
}

/** Codes with which a member's token is refused. */
export type SessionCode = (typeof ACCESS_CODES)['member'][number];

/** Finds the member behind a bearer token. */
export interface Sessions {
  /** Rejects with the identity refusal that applies. Never cached: an ended session ends with the next call. */
  member: (refuse: Refuse<SessionCode>, token: string) => Promise<Member>;
  /** Why a session no longer counts, by its token's hash; null while it does. */
  refusal(tokenHash: Buffer): Promise<SessionCode | 'gone' | null>;
  /** Returns which of these sessions, by their tokens' hashes, are past their time, or unused for their idle days. */
  expired(tokenHashes: readonly Buffer[]): Promise<Buffer[]>;
}

/** Looks sessions up by token; concurrent look-ups share one statement. */
export function createSessions(pool: Pool, settings: Pick<Settings, 'get'>, now: () => Date): Sessions {
  const lookUp = batched<Buffer, SessionRow | undefined>(async (hashes) => {
    const at = now();
    const rows = await select(pool, hashes, at, memberIdleSince(settings, at));
    const late = hashes.filter((_hash, index) => rows[index]?.is_seen_late && !refusalOf(rows[index]));
    noteSeen(pool, late, at);
    return rows;
  });

  return {
    refusal: async (tokenHash) => refusalOf(await lookUp(tokenHash)),
    async expired(tokenHashes) {
      if (tokenHashes.length === 0) return [];
      const at = now();
      const { rows } = await pool.query(
        `select token_hash from session
         where token_hash = any($1) and (expires_at <= $2 or coalesce(last_seen_at, created_at) <= $3)`,
        [tokenHashes, at, memberIdleSince(settings, at)],
      );
      return rows.map((row) => row.token_hash);
    },
    async member(refuse, token) {
      if (!/^[\w-]{43}$/.test(token)) throw refuse('invalid-token');
      const tokenHash = hashToken(token);
      const row = await lookUp(tokenHash);
      const code = refusalOf(row);
      if (!row && (await isOperators(pool, tokenHash))) throw refuse('INVALID_USER_3');
      if (code || !row) throw refuse(code ?? 'invalid-token');
      // A session that counts has a member, and a member has a bank account.
      return {
        id: row.member_id!,
        phone: row.phone!,
        name: row.name!,
        currency: row.currency!,
        walletAccount: row.wallet_account!,
        holdAccount: row.hold_account!,
        coinAccount: row.coin_account!,
        bankAccountId: row.bank_account_id!,
        bankCode: row.bank_code!,
        hasPin: row.has_pin,
        owesPin: row.owes_pin,
        tokenHash,
      };
    },
  };
}
