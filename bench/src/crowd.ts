import type { Pool } from 'pg';
import { pause } from './server.ts';

/** Members who request withdrawals without a pause, each intent until it is acknowledged, as the member's app does. */
export interface Crowd {
  acknowledged: string[];
  /** Times of the acknowledged intents in ms, repeats included. */
  times: number[];
  /** Rejects when a response is neither a success nor a 5xx; the crowd then stops. */
  stop(): Promise<void>;
}

interface Intents {
  /** The address to call; read before every attempt. */
  url: () => string;
  tokens: readonly string[];
  inFlight: number;
  /** Amount in baht. */
  amount: number;
}

let serial = 0;

async function intent(intents: Intents, token: string): Promise<string> {
  const key = `crowd-${++serial}-${process.pid}`;
  for (;;) {
    const reply = await fetch(`${intents.url()}/api/wallet/withdraw`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'wallet-user',
        authorization: `Bearer ${token}`,
        'idempotency-key': key,
      },
      body: JSON.stringify({ amount: intents.amount }),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => null);
    const body = await reply?.json().catch(() => null);
    if (reply?.status === 200 && body) return (body as { id: string }).id;
    if (reply && reply.status < 500) throw new Error(`refused: ${reply.status} ${JSON.stringify(body)}`);
    await pause(20);
  }
}

export function startCrowd(intents: Intents): Crowd {
  let running = true;
  const acknowledged: string[] = [];
  const times: number[] = [];
  const all = Promise.all(
    Array.from({ length: intents.inFlight }, async (_, at) => {
      while (running) {
        const started = performance.now();
        acknowledged.push(await intent(intents, intents.tokens[at % intents.tokens.length]!));
        times.push(performance.now() - started);
      }
    }),
  );
  // A refusal is reported when the crowd is stopped, however early it came.
  all.catch(() => undefined);
  return {
    acknowledged,
    times,
    async stop() {
      running = false;
      await all;
    },
  };
}

/** Withdrawals acknowledged but missing, and existing without an acknowledgement. */
export async function compare(pool: Pool, acknowledged: readonly string[]) {
  const stored = await pool.query(
    "select w.id from withdrawal w join ledger_hold h on h.key = 'withdrawal:' || w.id and h.amount = w.amount",
  );
  const there = new Set(stored.rows.map((row) => row.id));
  const wanted = new Set(acknowledged);
  return {
    lost: [...wanted].filter((id) => !there.has(id)),
    surplus: [...there].filter((id) => !wanted.has(id)),
  };
}
