import { readFileSync } from 'node:fs';
import { BANGKOK_OFFSET_MS } from '@krapao/contract/durations';
import { CURRENCY_DECIMALS, minorToDecimal } from '@krapao/contract/shared';
import type { Static, TSchema } from 'typebox';
import { Errors } from 'typebox/schema';
import type { Asset, createSystemAccounts, Ledger } from '../ledger/index.ts';
import { auditJson } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/connect.ts';
import type { Db, Pool } from '../platform/database/db.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';

/** What every command may use. */
export interface AdminDeps {
  config: Config;
  database: Database;
  /** The application role's connections. */
  pool: Pool;
  clock: Clock;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  settings: Settings;
  secrets: Secrets;
  /** Prints how far a long command has come, apart from what it answers. */
  progress(line: string): void;
}

/** What a command found; failed: it was done, but not all is as it should be, and the exit code is 1. */
export interface Findings {
  lines: string[];
  failed: boolean;
}

/** One string for each `<argument>` of a usage text, and one or none for a last `[argument]`. */
type Arguments<Usage extends string> = Usage extends `${string}<${string}>${infer Rest}`
  ? [string, ...Arguments<Rest>]
  : Usage extends `[${string}]`
    ? [string?]
    : [];

interface Described<Usage extends string> {
  /** Arguments after the command's name: `<required> [optional]`. */
  usage: Usage;
  about: string;
}

/** A command that works on the product's database. */
interface DatabaseCommand<Usage extends string> extends Described<Usage> {
  /** Runs on an empty database; no settings and no tables yet. */
  beforeMigration?: true;
  /** Does it and returns the lines to print; throws CommandError with one sentence when it cannot. */
  run(deps: AdminDeps, given: Arguments<Usage>): Promise<string[] | Findings>;
}

/** A command that needs nothing but the environment, such as the one that makes the database. */
interface LoneCommand<Usage extends string> extends Described<Usage> {
  /** As {@link DatabaseCommand.run}. */
  runAlone(environment: Environment, given: Arguments<Usage>): Promise<string[]>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Command extends Described<string> {
  beforeMigration?: true;
  run?(deps: AdminDeps, given: readonly string[]): Promise<string[] | Findings>;
  runAlone?(environment: Environment, given: readonly string[]): Promise<string[]>;
}

/** Declares a command, whose arguments are as many as its usage names; the runner has checked them. */
export const command = <const Usage extends string>(
  declared: DatabaseCommand<Usage> | LoneCommand<Usage>,
): Command => declared as Command;

/** What the person at the keyboard did wrong, in one sentence. */
export class CommandError extends Error {}

/** The operator on whose word this is done: the account of the shell, which the audit trail names. */
export const actor = (): string => `cli:${process.env.SUDO_USER ?? process.env.USER ?? 'unknown'}`;

/** An amount as it is typed: `2500.00 BAHT`, `12 COIN`. */
export const amountText = (minor: bigint, asset: Asset): string =>
  `${minorToDecimal(minor, asset === 'COIN' ? 0 : CURRENCY_DECIMALS[asset])} ${asset}`;

/** A time in Bangkok with its offset: `2026-11-23T14:09:54+07:00`. */
export const timeText = (at: Date): string =>
  `${new Date(at.getTime() + BANGKOK_OFFSET_MS).toISOString().slice(0, 19)}+07:00`;

/** The value a word writes as JSON, or a CommandError. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${text} is no JSON value.`);
  }
}

/** A value in the shape of a schema; throws CommandError with the place of the field that does not fit. */
export function requireShape<S extends TSchema>(
  schema: S,
  value: unknown,
  named = (place: string) => place.slice(1),
): Static<S> {
  const [, [wrong] = []] = Errors(schema, value);
  if (!wrong) return value as Static<S>;
  throw new CommandError(`${named(wrong.instancePath)}: ${wrong.message}.`);
}

/** The JSON of a file, in the shape of a schema; throws CommandError with the field that does not fit. */
export function readJsonFile<S extends TSchema>(schema: S, file: string): Static<S> {
  let written: unknown;
  try {
    written = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} ${error instanceof SyntaxError ? 'is no JSON' : 'cannot be read'}.`);
  }
  return requireShape(schema, written, (place) => `${file} at ${place || 'its top'}`);
}

/** Does work that may be refused; throws CommandError with the code and the field in one sentence. */
export async function withCommandError<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    const { field, state } = error.data ?? {};
    throw new CommandError(`${[error.code, field, state].filter(Boolean).join(' ')}: nothing was changed.`);
  });
}

/** One action of an operator. */
interface AuditEntry {
  action: string;
  subject: string;
  before?: unknown;
  after?: unknown;
  reason?: string;
}

/** Writes an action into the audit trail; `db` is the action's own transaction where it changes rows. */
export async function audit(db: Db, deps: AdminDeps, auditEntry: AuditEntry): Promise<void> {
  await db.query(
    'insert into audit (at, actor, action, subject, before, after, reason) values ($1, $2, $3, $4, $5, $6, $7)',
    [
      deps.clock.now(),
      actor(),
      auditEntry.action,
      auditEntry.subject,
      auditJson(auditEntry.before),
      auditJson(auditEntry.after),
      auditEntry.reason ?? null,
    ],
  );
}
