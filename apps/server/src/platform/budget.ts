import type { ErrorCode } from '@krapao/contract/shared';
import { Refusal } from './refusal.ts';

/** A shared resource is used up; answered 503 with Retry-After. The caller may come back after `retryAfterSeconds`. */
export class Overloaded extends Error {
  readonly resource: string;
  readonly retryAfterSeconds: number;
  readonly code: ErrorCode;
  constructor(resource: string, retryAfterSeconds = 5, code: ErrorCode = 'INTERNAL_SERVER_ERROR') {
    super(`no ${resource} free`);
    this.resource = resource;
    this.retryAfterSeconds = retryAfterSeconds;
    this.code = code;
  }
}

/** A bounded resource of this process, shared fairly: so much in total, and so much for each caller. */
export interface Budget {
  /** The resource's name in metrics. */
  readonly name: string;
  readonly max: number;
  /** The share of one caller. */
  readonly callerMax: number;
  /** The amount currently taken. */
  used(): number;
  /** How often it was refused: the caller had their share, or nothing was left. */
  refused(): { caller: number; total: number };
  /**
   * Takes `amount` for a caller and returns the function that gives it back; a repeat of that changes nothing.
   * Throws REQUEST_LIMIT when the caller has their share, Overloaded when the total is used up.
   */
  take(caller: string, amount?: number): () => void;
  /** Counts a refusal that this budget's amounts do not show, and returns it to be thrown. */
  refuse(retryAfterSeconds?: number, code?: ErrorCode): Overloaded;
}

export interface BudgetOptions {
  name: string;
  max: number;
  /** Default: no limit apart from the total. */
  callerMax?: number;
  /** When a caller may come back after the total was used up. Default: 5. */
  retryAfterSeconds?: number;
}

/** Creates a budget. Amounts are whole units of the caller's choice: connections, files, bytes. */
export function createBudget({ name, max, callerMax = max, retryAfterSeconds }: BudgetOptions): Budget {
  const byCaller = new Map<string, number>();
  const refusals = { caller: 0, total: 0 };
  let used = 0;
  const refuse: Budget['refuse'] = (seconds = retryAfterSeconds, code) => {
    refusals.total++;
    return new Overloaded(name, seconds, code);
  };
  return {
    name,
    max,
    callerMax,
    refuse,
    used: () => used,
    refused: () => ({ ...refusals }),
    take(caller, amount = 1) {
      const own = byCaller.get(caller) ?? 0;
      if (own + amount > callerMax) {
        refusals.caller++;
        throw new Refusal('REQUEST_LIMIT', undefined, `${name}: the caller's share`);
      }
      if (used + amount > max) throw refuse();
      used += amount;
      byCaller.set(caller, own + amount);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        used -= amount;
        const left = byCaller.get(caller)! - amount;
        if (left > 0) byCaller.set(caller, left);
        else byCaller.delete(caller);
      };
    },
  };
}

const MEGABYTE = 1024 * 1024;

/** What the calls of one port share. A caller is a network. */
export interface CallBudgets {
  /** Pending calls. */
  calls: Budget;
  /** Pending calls whose body has not arrived. */
  bodies: Budget;
  /** A reserve for partners' hooks. */
  hooks?: Budget;
}

/** Parts of CALLS_MAX. Members behind one carrier's address share it, so that its parts are large (decision 177). */
const NETWORK_PART = 1 / 3;
const BODIES_PART = 1 / 2;
const NETWORK_BODIES_PART = 1 / 6;
const HOOKS_PART = 1 / 10;
const NETWORK_HOOKS_PART = 1 / 100;

/** Creates the budgets of a port's calls. `prefix` is put before their names. */
export function createCallBudgets(callsMax: number, prefix = ''): Required<CallBudgets> {
  const create = (name: string, part: number, callerPart: number) =>
    createBudget({
      name: prefix + name,
      max: Math.ceil(callsMax * part),
      callerMax: Math.ceil(callsMax * callerPart),
      retryAfterSeconds: 1,
    });
  return {
    calls: create('calls', 1, NETWORK_PART),
    bodies: create('incomplete_bodies', BODIES_PART, NETWORK_BODIES_PART),
    hooks: create('hook_calls', HOOKS_PART, NETWORK_HOOKS_PART),
  };
}

/** The budgets of one server process; each is in the table of docs/operate.md and in the metrics. */
export function createBudgets(
  config: Record<'CALLS_MAX' | 'SOCKETS_MAX' | 'SOCKETS_ADDRESS_MAX' | 'UPLOAD_MEGABYTES_MAX', string>,
) {
  const callsMax = wholeNumber('CALLS_MAX', config.CALLS_MAX, 1);
  const { calls, bodies, hooks } = createCallBudgets(callsMax);
  const operators = createCallBudgets(callsMax, 'operator_');
  const uploadBytes = wholeNumber('UPLOAD_MEGABYTES_MAX', config.UPLOAD_MEGABYTES_MAX, 48) * MEGABYTE;
  return {
    /** Pending calls of the members' port, and of the console's. */
    calls,
    incompleteBodies: bodies,
    hookCalls: hooks,
    operatorCalls: operators.calls,
    operatorIncompleteBodies: operators.bodies,
    /** Event streams of open consoles. A caller is an operator. */
    consoleStreams: createBudget({ name: 'console_streams', max: 500, callerMax: 20 }),
    /** Live connections, from the handshake on. A caller is a network. */
    sockets: createBudget({
      name: 'sockets',
      max: wholeNumber('SOCKETS_MAX', config.SOCKETS_MAX, 1),
      callerMax: wholeNumber('SOCKETS_ADDRESS_MAX', config.SOCKETS_ADDRESS_MAX, 1),
    }),
    /** Exports under way. Members and operators cannot take each other's. */
    memberExports: createBudget({ name: 'member_exports', max: 2, callerMax: 1 }),
    operatorExports: createBudget({ name: 'operator_exports', max: 2, callerMax: 1 }),
    /** Bytes of uploads in memory, in two halves, so that guests cannot use the share of members and operators. */
    uploads: createBudget({ name: 'upload_bytes', max: uploadBytes / 2, callerMax: 24 * MEGABYTE }),
    guestUploads: createBudget({
      name: 'guest_upload_bytes',
      max: uploadBytes / 2,
      callerMax: 24 * MEGABYTE,
    }),
    /** Nothing is taken of it: it counts the files that were refused on a full disk. */
    disk: createBudget({ name: 'disk', max: 0 }),
  };
}

export type Budgets = ReturnType<typeof createBudgets>;

/** A setting of the environment as a whole number. Throws one sentence when it is none, or below `min`. */
export function wholeNumber(name: string, text: string, min: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min)) throw new Error(`${name} must be a whole number of ${min} or more.`);
  return value;
}
