import { randomInt } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@krapao/contract/durations';
import type { CallDeclaration } from '@krapao/contract/shared';
import { SUPPORT_CODES } from '@krapao/contract/support';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Pool } from './database/db.ts';
import { networksOf } from './http/caller.ts';
import { hashToken } from './secrets.ts';

/** Gives errors short references that support can look up. */
export interface ErrorReferences {
  /**
   * Returns a reference such as "ER-7F3K2QX" for an error whose text refers to support, logs it and stores call and
   * code. Above the hourly limits returns the caller's latest reference for the code, or null without one. Null for
   * other codes.
   */
  give(request: FastifyRequest, code: string): string | null;
  /** Writes pending references and stops. */
  close(): Promise<void>;
}

const SUPPORT: ReadonlySet<string> = new Set(SUPPORT_CODES);
/** References of one session or visitor, of one network, and of all together, in an hour and process. */
const CALLER_HOUR_MAX = 20;
/** A token is not checked here, so that invented ones must not lift the limit of their sender. */
const NETWORK_HOUR_MAX = 100;
const HOUR_MAX = 1_000;
const KEPT_MS = 30 * DAY_MS;
const FLUSH_MS = 500;
/** Without I, L, O and U, so that no letter is mistaken for another when read aloud. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 7;

const newReference = (): string =>
  `ER-${Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;

interface Row {
  reference: string;
  /** Identifies the member, also a suspended one. */
  tokenHash: Buffer | null;
  call: string;
  code: string;
  requestId: string;
  at: Date;
}

/** Returns the token of a request as sessions keep it, or null. */
function tokenHashOf({ headers }: FastifyRequest): Buffer | null {
  const token = /^Bearer ([^\s,]+)$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? null : hashToken(token);
}

/** Returns the declared path, which contains no parameters. */
function callOf({ method, routeOptions }: FastifyRequest): string {
  const { call } = (routeOptions.config ?? {}) as { call?: CallDeclaration };
  return `${method} ${call?.path ?? routeOptions.url ?? 'unknown'}`;
}

/** Counts references by caller and network and knows each caller's latest; all windows restart every hour. */
function createLimit() {
  let opened = Number.NEGATIVE_INFINITY;
  let total = 0;
  const counts = new Map<string, number>();
  const latest = new Map<string, string>();
  const restart = () => {
    const now = performance.now();
    if (now - opened < HOUR_MS) return;
    opened = now;
    total = 0;
    counts.clear();
    latest.clear();
  };
  return {
    take(caller: string, network: string): boolean {
      restart();
      const ofCaller = counts.get(`caller ${caller}`) ?? 0;
      const ofNetwork = counts.get(`network ${network}`) ?? 0;
      if (ofCaller >= CALLER_HOUR_MAX || ofNetwork >= NETWORK_HOUR_MAX || total >= HOUR_MAX) return false;
      counts.set(`caller ${caller}`, ofCaller + 1);
      counts.set(`network ${network}`, ofNetwork + 1);
      total++;
      return true;
    },
    latestOf: (caller: string, code: string) => latest.get(`${code} ${caller}`) ?? null,
    keep: (caller: string, code: string, reference: string) => latest.set(`${code} ${caller}`, reference),
  };
}

async function insert(pool: Pool, rows: readonly Row[]): Promise<void> {
  await pool.query(
    `insert into error_reference (reference, member_id, call, code, request_id, created_at)
     select r.reference, s.member_id, r.call, r.code, r.request_id, r.at
     from unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
       r(reference, token_hash, call, code, request_id, at)
     left join session s on s.token_hash = r.token_hash
     on conflict do nothing`,
    [
      rows.map(({ reference }) => reference),
      rows.map(({ tokenHash }) => tokenHash),
      rows.map(({ call }) => call),
      rows.map(({ code }) => code),
      rows.map(({ requestId }) => requestId),
      rows.map(({ at }) => at),
    ],
  );
}

/**
 * Keeps error references in the database. Rows wait in memory, so that an error neither waits for the database nor is
 * forgotten while it is away: what cannot be written is tried again, at most an hour's references.
 */
export function createErrorReferences(
  pool: Pool,
  now: () => Date,
  log: () => FastifyBaseLogger,
): ErrorReferences {
  const limit = createLimit();
  let waiting: Row[] = [];
  let flushing = Promise.resolve();
  const flush = async () => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    await insert(pool, rows).catch((error: Error) => {
      waiting = [...rows, ...waiting].slice(-HOUR_MAX);
      log().warn({ note: error.message, rows: rows.length }, 'error references not stored');
    });
  };
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, FLUSH_MS);
  timer.unref();
  return {
    give(request, code) {
      if (!SUPPORT.has(code)) return null;
      const tokenHash = tokenHashOf(request);
      const { network } = networksOf(request.ip)[0]!;
      const caller = tokenHash?.toString('base64') ?? network;
      if (!limit.take(caller, network)) return limit.latestOf(caller, code);
      const reference = newReference();
      limit.keep(caller, code, reference);
      const call = callOf(request);
      waiting.push({ reference, tokenHash, call, code, requestId: request.id, at: now() });
      request.log.info({ reference, call, code }, 'error reference');
      return reference;
    },
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}

/** Deletes error references after their retention time, so many at most; returns their number. */
export async function sweepErrorReferences(pool: Pool, now: Date, count: number): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  const result = await pool.query(
    `delete from error_reference where reference = any(array(
       select reference from error_reference where created_at < $1 order by created_at limit $2))`,
    [before, count],
  );
  return result.rowCount ?? 0;
}
