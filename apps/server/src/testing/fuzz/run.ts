import { MEMBER_CALLS, OPERATOR_CALLS } from './calls.ts';
import { faultOf, learnable } from './judge.ts';
import { type Random, seededRandom } from './random.ts';
import { type Caller, type FuzzRequest, makeRequest } from './requests.ts';
import { type Origins, type Reply, sender } from './send.ts';
import { Pool } from './values.ts';

export interface FuzzOptions {
  origins: Origins;
  seed: number;
  count: number;
  inFlight: number;
  /** Called before the first request and then every `repairEvery` ones, with nothing under way: puts right what valid requests have changed (settings, roles, sessions) and answers who calls next. */
  repair(): Promise<Caller[]>;
  repairEvery: number;
  /** Called now and then with the number of requests answered. */
  onProgress?(done: number): void;
}

export interface FuzzResult {
  sent: number;
  /** Answers by status. */
  statuses: Map<number, number>;
  /** Calls that succeeded at least once, and those that never did. */
  reached: Set<string>;
  missed: string[];
  /** What each call's answers have taken together, in ms. */
  spentMs: Map<string, number>;
  /** Faults with the first request that showed each. */
  faults: Map<string, { count: number; example: string }>;
}

const nameOf = ({ call }: FuzzRequest): string => `${call.method} ${call.path}`;

function record(result: FuzzResult, pool: Pool, wanted: FuzzRequest, reply: Reply): void {
  result.sent += 1;
  const status = 'status' in reply ? reply.status : 0;
  result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);
  if (status >= 200 && status < 300) {
    result.reached.add(nameOf(wanted));
    pool.learn(learnable(reply));
  }
  const fault = faultOf(wanted, reply);
  if (fault === null) return;
  const key = `${nameOf(wanted)}: ${fault.replace(/"requestId":"[^"]*"/, '')}`;
  const known = result.faults.get(key);
  if (known) known.count += 1;
  else {
    const body = typeof wanted.body === 'string' ? wanted.body.slice(0, 600) : '(form)';
    const example = `${wanted.caller.kind} ${wanted.method} ${wanted.path.slice(0, 400)} ${body}`;
    result.faults.set(key, { count: 1, example });
  }
}

/** Sends a chunk of requests, `inFlight` at once, and waits for every answer. */
async function runChunk(
  options: FuzzOptions,
  { random, pool, result, send }: { random: Random; pool: Pool; result: FuzzResult; send: Send },
  callers: Caller[],
  count: number,
): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const wanted = makeRequest(random, pool, callers);
      const started = performance.now();
      record(result, pool, wanted, await send(wanted));
      const name = nameOf(wanted);
      result.spentMs.set(name, (result.spentMs.get(name) ?? 0) + performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: options.inFlight }, worker));
}

type Send = ReturnType<typeof sender>['send'];

/** Sends generated requests to a server and answers what it said to them. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const random = seededRandom(options.seed);
  const pool = new Pool(random);
  const { send, close } = sender(options.origins, options.inFlight);
  const all = [...MEMBER_CALLS, ...OPERATOR_CALLS].map(({ method, path }) => `${method} ${path}`);
  const result: FuzzResult = {
    sent: 0,
    statuses: new Map(),
    reached: new Set(),
    missed: [],
    spentMs: new Map(),
    faults: new Map(),
  };
  while (result.sent < options.count) {
    const callers = await options.repair();
    const chunk = Math.min(options.repairEvery, options.count - result.sent);
    await runChunk(options, { random, pool, result, send }, callers, chunk);
    options.onProgress?.(result.sent);
  }
  close();
  result.missed = [...new Set(all)].filter((name) => !result.reached.has(name)).sort();
  return result;
}
