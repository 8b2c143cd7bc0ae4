/**
 * The one object that every part of the sandbox is handed: what is remembered (state), what is only watched
 * (traffic log, happenings) and where the product lives.
 */
import { EventEmitter } from 'node:events';
import { emptyState, type FaultKind, type Party, type State } from './state.ts';

/** Something a test or a page may wait for. `seq` only grows, over resets too. */
export interface Happening {
  seq: number;
  atMs: number;
  kind:
    | 'sms'
    | 'confirmation'
    | 'payout'
    | 'game-transfer'
    | 'payment'
    | 'round'
    | 'bank'
    | 'push'
    | 'log'
    | 'clock';
  phone?: string;
  reference?: string;
  facts: Record<string, unknown>;
}

/** One exchange in the traffic log. */
export interface LogEntry {
  seq: number;
  at: string;
  party: Party;
  call: string;
  /** in: the product called the sandbox; out: the sandbox called the product. */
  direction: 'in' | 'out';
  method: string;
  path: string;
  agent?: string;
  member?: string;
  reference?: string;
  request: unknown;
  /** null when the line was cut or nothing answered. */
  status: number | null;
  reply: unknown;
  fault?: FaultKind;
  durationMs: number;
}

export interface Environment {
  state: State;
  /** Where people and the product reach this sandbox; set once it listens. */
  publicUrl: string;
  /** Where the product listens; confirmations go there. */
  productUrl: string;
  log: LogEntry[];
  happenings: Happening[];
  seq: number;
  /** Emits 'happening' after each happening, 'changed' after each change of state. */
  bus: EventEmitter;
  /** Ends outgoing calls when the sandbox stops. */
  stopping: AbortController;
}

/** Creates an environment with empty state; `populate` adds the first persons. */
export function createEnvironment(productUrl: string): Environment {
  const bus = new EventEmitter();
  bus.setMaxListeners(0);
  return {
    state: emptyState(),
    publicUrl: '',
    productUrl: productUrl.replace(/\/+$/, ''),
    log: [],
    happenings: [],
    seq: 0,
    bus,
    stopping: new AbortController(),
  };
}

/** Notes that state changed, so that it gets saved. */
export const changed = (environment: Environment): void => void environment.bus.emit('changed');

/** The next number of a named series, from 1. */
export function nextNumber(environment: Environment, series: string): number {
  const number = (environment.state.counters.get(series) ?? 0) + 1;
  environment.state.counters.set(series, number);
  return number;
}
