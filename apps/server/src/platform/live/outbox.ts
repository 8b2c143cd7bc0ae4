import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { Pool } from '../database/db.ts';
import { type MemberEvent, memberEventNotices } from './sockets.ts';

/** Sends what committed transactions left in the outbox. */
export interface Relay {
  /** Looks for new rows soon; calls in between are folded into one. */
  wake(): void;
  stop(): Promise<void>;
}

interface Row {
  id: bigint;
  member_id: bigint;
  event: 'wallet' | 'notice';
  payload: {
    balance?: number;
    version?: number;
    currency?: Currency;
    kind?: string;
    minor?: number;
    [field: string]: unknown;
  };
  currency: Currency;
}

const BATCH = 500;
const SWEEP_MS = 1000;

const TAKE = `select o.id, o.member_id, o.event, o.payload, m.currency
  from outbox o join member m on m.id = o.member_id order by o.id limit ${BATCH} for update of o skip locked` as const;

function eventOf(row: Row): MemberEvent {
  const { balance, version, currency: _currency, minor, ...rest } = row.payload;
  const payload =
    row.event === 'wallet'
      ? { amount: fromMinor(BigInt(balance ?? 0), row.currency), version: version ?? 0 }
      : { ...rest, amount: fromMinor(BigInt(minor ?? 0), row.currency) };
  return { memberId: row.member_id, event: row.event, payload };
}

// Notices are delivered by the commit that deletes the rows, to every instance that listens: all of it or nothing.
const SEND = `with sent as (delete from outbox where id = any($1))
  select pg_notify('member_event', notice) from unnest($2::text[]) notice`;

/** After a crash, the next instance that reads the outbox sends the rows. */
export function startRelay(pool: Pool, onError: (error: unknown) => void): Relay {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  async function sendSome(): Promise<number> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query({ name: 'outbox_take', text: TAKE });
      if (rows.length > 0)
        await client.query(SEND, [rows.map((row) => row.id), memberEventNotices(rows.map(eventOf))]);
      await client.query('commit');
      return rows.length;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  async function run(): Promise<void> {
    do {
      again = false;
      while ((await sendSome()) === BATCH);
    } while (again && !stopped);
  }

  const wake = () => {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    running = run()
      .catch(onError)
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(wake, SWEEP_MS);
  timer.unref();
  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
