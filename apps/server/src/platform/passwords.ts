import { hash, verify } from '@node-rs/argon2';
import { networkOf } from './http/caller.ts';

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane (ASVS 11.4.2). */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const WAIT_MS_MAX = 10_000;

/** Members and operators hash apart from each other: a flood of one never takes the other's turn. */
export type PasswordLane = 'member' | 'operator';

/** A caller that waits for a hash. */
export interface PasswordTurn {
  lane: PasswordLane;
  /** The caller's address; null for what no caller started, which is not counted. */
  address: string | null;
}

/** Why a password was not hashed: the lane is full, this caller has too many in it, or the wait was too long. */
type Refused = 'full' | 'caller' | 'late';

/** Thrown when too many passwords wait for hashing; the HTTP layer responds with 503. */
export class PasswordsBusy extends Error {
  constructor(reason: Refused) {
    super(`passwords: ${reason}`);
  }
}

/** What a lane does now, and what it has done since the process started. */
export interface LaneState {
  running: number;
  waiting: number;
  done: number;
  waitedMs: number;
  refused: Record<Refused, number>;
}

interface Waiter {
  start(): void;
}

interface Lane {
  runningMax: number;
  waitingMax: number;
  /** How many of the lane's places one caller may hold, running or waiting. */
  callerMax: number;
  waiting: Waiter[];
  callers: Map<string, number>;
  state: LaneState;
}

const lane = (limits: Pick<Lane, 'runningMax' | 'waitingMax' | 'callerMax'>): Lane => ({
  ...limits,
  waiting: [],
  callers: new Map(),
  state: { running: 0, waiting: 0, done: 0, waitedMs: 0, refused: { full: 0, caller: 0, late: 0 } },
});

/** Three of the four threads Node has for this: the fourth stays for files and names. */
const LANES: Record<PasswordLane, Lane> = {
  member: lane({ runningMax: 2, waitingMax: 200, callerMax: 50 }),
  operator: lane({ runningMax: 1, waitingMax: 30, callerMax: 20 }),
};

/** Every lane as it is now. */
export const passwordLanes = (): Record<PasswordLane, LaneState> => ({
  member: LANES.member.state,
  operator: LANES.operator.state,
});

function refuse({ state }: Lane, reason: Refused): never {
  state.refused[reason]++;
  throw new PasswordsBusy(reason);
}

/** Waits for a place in the lane; throws PasswordsBusy when none is to be had in time. */
async function enter(lane: Lane): Promise<void> {
  const { state } = lane;
  if (state.running >= lane.runningMax) {
    if (lane.waiting.length >= lane.waitingMax) refuse(lane, 'full');
    const since = performance.now();
    state.waiting++;
    const isInTime = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
        resolve(false);
      }, WAIT_MS_MAX);
      const waiter: Waiter = {
        start() {
          clearTimeout(timer);
          resolve(true);
        },
      };
      lane.waiting.push(waiter);
    });
    state.waiting--;
    state.waitedMs += performance.now() - since;
    if (!isInTime) refuse(lane, 'late');
    // The place was handed over and is counted already.
    return;
  }
  state.running++;
}

function leave(lane: Lane): void {
  lane.state.done++;
  const next = lane.waiting.shift();
  if (next) next.start();
  else lane.state.running--;
}

/** Hashing is slow on purpose; bounded lanes keep a flood of logins from taking every core and all memory. */
async function inTurn<T>(turn: PasswordTurn, work: () => Promise<T>): Promise<T> {
  const lane = LANES[turn.lane];
  const caller = turn.address === null ? null : networkOf(turn.address);
  const held = caller === null ? 0 : (lane.callers.get(caller) ?? 0);
  if (held >= lane.callerMax) refuse(lane, 'caller');
  if (caller !== null) lane.callers.set(caller, held + 1);
  try {
    await enter(lane);
    try {
      return await work();
    } finally {
      leave(lane);
    }
  } finally {
    if (caller !== null) {
      const left = lane.callers.get(caller)! - 1;
      if (left === 0) lane.callers.delete(caller);
      else lane.callers.set(caller, left);
    }
  }
}

/** Hashes a password for storage. Throws PasswordsBusy. */
export const hashPassword = (password: string, turn: PasswordTurn): Promise<string> =>
  inTurn(turn, () => hash(password, OPTIONS));

let decoy: Promise<string> | null = null;

/**
 * Whether the password is right. Without a stored hash it costs the same and is false, so that time tells nothing.
 * Throws PasswordsBusy.
 */
export async function checkPassword(
  stored: string | null,
  password: string,
  turn: PasswordTurn,
): Promise<boolean> {
  decoy ??= hash('no member has this password', OPTIONS);
  const against = stored ?? (await decoy);
  const right = await inTurn(turn, () => verify(against, password));
  return stored !== null && right;
}
