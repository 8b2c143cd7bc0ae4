import type { Pool } from 'pg';
import type { createHouseAccounts, Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/connect.ts';
import type { Db } from '../platform/database/db.ts';
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
  house: ReturnType<typeof createHouseAccounts>;
  settings: Settings;
  secrets: Secrets;
}

/** What a command found; failed: it was done, but not all is as it should be, and the exit code is 1. */
export interface Findings {
  lines: string[];
  failed: boolean;
}

interface Described {
  /** Words after the command's name, for the help text. */
  usage: string;
  about: string;
}

/** A command that works on the product's database. */
export interface DatabaseCommand extends Described {
  /** Runs on an empty database; no settings and no tables yet. */
  beforeMigration?: true;
  /** Does it and answers the lines to print; throws CommandError with one sentence when it cannot. */
  run(deps: AdminDeps, words: string[]): Promise<string[] | Findings>;
}

/** A command that needs nothing but the environment, such as the one that makes the database. */
interface LoneCommand extends Described {
  /** As {@link DatabaseCommand.run}. */
  runAlone(environment: Environment, words: string[]): Promise<string[]>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type Command = DatabaseCommand | LoneCommand;

/** What the person at the keyboard did wrong, in one sentence. */
export class CommandError extends Error {}

/** The operator on whose word this is done: the account of the shell, which the audit trail names. */
export const actor = (): string => `cli:${process.env.SUDO_USER ?? process.env.USER ?? 'unknown'}`;

/** The named word, or a CommandError that says which is missing. */
export function need(words: string[], index: number, name: string): string {
  const word = words[index];
  if (!word) throw new CommandError(`${name} is missing.`);
  return word;
}

/** The value a word writes as JSON, or a CommandError. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${text} is no JSON value.`);
  }
}

/** One act of an operator. */
interface Act {
  action: string;
  thing: string;
  before?: unknown;
  after?: unknown;
  reason?: string;
}

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Writes an act into the audit trail; `db` is the act's own transaction where it changes rows. */
export async function audit(db: Db, deps: AdminDeps, act: Act): Promise<void> {
  await db.query(
    'insert into audit (at, actor, action, thing, before, after, reason) values ($1, $2, $3, $4, $5, $6, $7)',
    [
      deps.clock.now(),
      actor(),
      act.action,
      act.thing,
      asJson(act.before),
      asJson(act.after),
      act.reason ?? null,
    ],
  );
}
