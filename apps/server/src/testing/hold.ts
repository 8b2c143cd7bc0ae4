import { onTestFinished, vi } from 'vitest';
import type { Ledger } from '../ledger/index.ts';
import type { Pool } from '../platform/database/db.ts';

/** Something held back: `held` resolves once it has come so far, `release` lets it go on. */
export interface Held<T = void> {
  held: Promise<void>;
  release(value: T): void;
}

function holding<T>(): Held<T> & { wait(): Promise<T> } {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<T>()];
  return {
    held: held.promise,
    release: released.resolve,
    wait() {
      held.resolve();
      return released.promise;
    },
  };
}

/** Holds the next query back whose text contains `text`. */
export function holdQuery(pool: Pool, text: string): Held {
  const { wait, ...hold } = holding<void>();
  const query = pool.query.bind(pool) as (...values: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(pool, 'query').mockImplementation((async (...values: unknown[]) => {
    if (typeof values[0] === 'string' && values[0].includes(text)) {
      spy.mockRestore();
      await wait();
    }
    return query(...values);
  }) as never);
  onTestFinished(() => spy.mockRestore());
  return hold;
}

/** Holds the next ledger item of a kind back before it is posted. */
export function holdItem(ledger: Ledger, kind: string): Held {
  const { wait, ...hold } = holding<void>();
  const post = ledger.post.bind(ledger);
  const spy = vi.spyOn(ledger, 'post').mockImplementation(async (item) => {
    if (item.kind === kind) {
      spy.mockRestore();
      await wait();
    }
    return post(item);
  });
  onTestFinished(() => spy.mockRestore());
  return hold;
}

type ReplyOf<Call> = Call extends (request: never) => Promise<infer Reply> ? Reply : never;

/** Holds the next call of a partner back before it is sent; released with a response, it returns that and sends nothing. */
export function holdCall<Partner extends object, Name extends keyof Partner>(
  partner: Partner,
  name: Name,
): Held<ReplyOf<Partner[Name]> | null> {
  type Reply = ReplyOf<Partner[Name]>;
  const { wait, ...hold } = holding<Reply | null>();
  const call = partner[name];
  const restore = () => {
    partner[name] = call;
  };
  const held = async (request: unknown): Promise<Reply> => {
    restore();
    return (await wait()) ?? (call as (request: unknown) => Promise<Reply>).call(partner, request);
  };
  partner[name] = held as Partner[Name];
  onTestFinished(restore);
  return hold;
}
