import type { Currency, ErrorCode } from '@krapao/contract/shared';
import type { Pool } from 'pg';
import { Refusal } from './refusal.ts';
import { hashToken } from './secrets.ts';

/** Who is calling: the member behind a session, with what nearly every call needs of him. */
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
  /** Whether he demands a PIN before money leaves. */
  hasPin: boolean;
  /** Whether this session must prove it before it may withdraw. */
  owesPin: boolean;
  tokenHash: Buffer;
}

interface SessionRow {
  token_hash: Buffer;
  expires_at: Date;
  ended_at: Date | null;
  ended_by: 'logout' | 'operator' | 'password' | 'member' | null;
  seen_at: Date;
  member_id: bigint | null;
  status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  phone: string;
  name: string;
  currency: Currency;
  wallet_account: bigint;
  hold_account: bigint;
  coin_account: bigint;
  bank_account_id: bigint;
  bank_code: string;
  has_pin: boolean;
  pin_proven_at: Date | null;
}

const SELECT = `select s.token_hash, s.expires_at, s.ended_at, s.ended_by,
    coalesce(s.last_seen_at, s.created_at) as seen_at, m.id as member_id, m.status, m.phone, m.name, m.currency,
    m.wallet_account, m.hold_account, m.coin_account, b.id as bank_account_id, b.bank_code,
    m.pin_hash is not null as has_pin, s.pin_proven_at
  from unnest($1::bytea[]) t(hash)
  join session s on s.token_hash = t.hash
  left join member m on m.id = s.member_id
  left join bank_account b on b.member_id = m.id and b.status = 'ACTIVE'`;

/** Why a session does not count, or null when it does. */
function refusalOf(row: SessionRow | undefined, now: Date): ErrorCode | null {
  if (!row || row.expires_at <= now) return 'invalid-token';
  if (row.member_id === null) return 'INVALID_USER_1';
  if (row.ended_at) return row.ended_by === 'password' ? 'INVALID_USER_4' : 'INVALID_USER_2';
  if (row.status === 'CLOSED') return 'gone';
  if (row.status === 'SUSPENDED') return 'INACTIVE_USER';
  return null;
}

/** Whether a token that is no member's opens the console: whoever sends it is another kind of user. */
async function isOperators(pool: Pool, tokenHash: Buffer): Promise<boolean> {
  const sql = 'select 1 from operator_session where token_hash = $1';
  return (await pool.query(sql, [tokenHash])).rows.length > 0;
}

/** A session's last use is kept this roughly, so that hardly any call writes. */
const SEEN_EVERY_MS = 5 * 60_000;

/** Notes when sessions were last used. Nobody waits for it: a note that is lost is made by the next call. */
function noteSeen(pool: Pool, rows: readonly SessionRow[], now: Date): void {
  const since = now.getTime() - SEEN_EVERY_MS;
  const used = rows.filter((row) => row.seen_at.getTime() <= since && refusalOf(row, now) === null);
  if (used.length === 0) return;
  const hashes = used.map((row) => row.token_hash);
  const text = 'update session set last_seen_at = $2 where token_hash = any($1)';
  pool.query(text, [hashes, now]).catch(() => undefined);
}

/** How long a proven PIN counts. */
const PIN_COUNTS_MS = 5 * 60_000;

const owesPin = (row: SessionRow, now: Date): boolean =>
  row.has_pin && !(row.pin_proven_at && now.getTime() - row.pin_proven_at.getTime() < PIN_COUNTS_MS);

/** Finds the member behind a bearer token. */
export interface Sessions {
  /** Rejects with the identity refusal that applies. Never cached: an ended session ends with the next call. */
  member(token: string): Promise<Member>;
  /** Why a session no longer counts, by its token's hash; null while it does. */
  refusal(tokenHash: Buffer): Promise<ErrorCode | null>;
}

/**
 * Tokens that arrive together are looked up together: one statement a turn of the loop, so that checking every call
 * against the database costs little even under load.
 */
export function createSessions(pool: Pool, now: () => Date): Sessions {
  const waiting: {
    hash: Buffer;
    resolve: (row: SessionRow | undefined) => void;
    reject: (error: unknown) => void;
  }[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    await new Promise((resume) => setImmediate(resume));
    while (waiting.length > 0) {
      const batch = waiting.splice(0, 200);
      try {
        const hashes = `{${batch.map((one) => `"\\\\x${one.hash.toString('hex')}"`).join(',')}}`;
        const result = await pool.query<SessionRow>({ name: 'sessions', text: SELECT, values: [hashes] });
        const rows = new Map(result.rows.map((row) => [row.token_hash.toString('hex'), row]));
        noteSeen(pool, result.rows, now());
        for (const one of batch) one.resolve(rows.get(one.hash.toString('hex')));
      } catch (error) {
        // The database is away: those who came meanwhile hear it now instead of waiting for the same.
        for (const one of [...batch, ...waiting.splice(0)]) one.reject(error);
      }
    }
    running = false;
  }

  const lookUp = (hash: Buffer) =>
    new Promise<SessionRow | undefined>((resolve, reject) => {
      waiting.push({ hash, resolve, reject });
      if (!running) void run();
    });

  return {
    refusal: async (tokenHash) => refusalOf(await lookUp(tokenHash), now()),
    async member(token) {
      if (!/^[\w-]{43}$/.test(token)) throw new Refusal('invalid-token');
      const row = await lookUp(hashToken(token));
      const code = refusalOf(row, now());
      if (!row && (await isOperators(pool, hashToken(token)))) throw new Refusal('INVALID_USER_3');
      if (code || !row) throw new Refusal(code ?? 'invalid-token');
      return {
        id: row.member_id!,
        phone: row.phone,
        name: row.name,
        currency: row.currency,
        walletAccount: row.wallet_account,
        holdAccount: row.hold_account,
        coinAccount: row.coin_account,
        bankAccountId: row.bank_account_id,
        bankCode: row.bank_code,
        hasPin: row.has_pin,
        owesPin: owesPin(row, now()),
        tokenHash: row.token_hash,
      };
    },
  };
}
