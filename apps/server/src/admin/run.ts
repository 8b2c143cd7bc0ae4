import { parseArgs } from 'node:util';
import { createLedger, createSystemAccounts } from '../ledger/index.ts';
import { followClock, systemClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config.ts';
import { createPool, databaseFor } from '../platform/database/connect.ts';
import { migrate } from '../platform/database/migrate.ts';
import { requireSameSecret } from '../platform/database/same-secret.ts';
import { createSecrets } from '../platform/secrets.ts';
import { openSettings } from '../platform/settings.ts';
import { type AdminDeps, type Command, CommandError, type Environment, type Findings } from './command.ts';

/**
 * The files that declare the commands of each first word, in the order of the help. Only the file of the given command
 * is loaded, because some of them bring half of the product along.
 */
const FILES: Record<string, () => Promise<{ commands: Record<string, Command> }>> = {
  ledger: () => import('./ledger.ts'),
  credit: () => import('./money.ts'),
  debit: () => import('./money.ts'),
  coins: () => import('./money.ts'),
  withdrawal: () => import('./withdrawals.ts'),
  unmatched: () => import('./money.ts'),
  reconcile: () => import('./reconciliation.ts'),
  statement: () => import('./reconciliation.ts'),
  slip: () => import('./slips.ts'),
  member: () => import('./members.ts'),
  session: () => import('./sessions.ts'),
  operator: () => import('./operators.ts'),
  setting: () => import('./settings.ts'),
  webhook: () => import('./webhooks.ts'),
  content: () => import('./content.ts'),
  source: () => import('./content.ts'),
  game: () => import('./games.ts'),
  'deposit-account': () => import('./deposit-accounts.ts'),
  bonus: () => import('./bonuses.ts'),
  database: () => import('./database.ts'),
  backup: () => import('./data.ts'),
  restore: () => import('./data.ts'),
  export: () => import('./data.ts'),
  files: () => import('./files.ts'),
  demo: () => import('./demo.ts'),
};

const firstArg = (name: string): string => name.split(' ')[0]!;

async function help(): Promise<string> {
  const files = Object.entries(FILES).map(async ([group, load]) =>
    Object.entries((await load()).commands).filter(([name]) => firstArg(name) === group),
  );
  const rows = (await Promise.all(files))
    .flat()
    .map(([name, command]) => [`${name} ${command.usage}`.trim(), command.about] as const);
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    'Usage: npm run admin -- <command>',
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
  ].join('\n');
}

/** Longest name first, so that "withdrawal list" is not read as a command "withdrawal". */
async function findCommand(args: string[]): Promise<{ command: Command; given: string[] } | null> {
  const group = firstArg(args.join(' '));
  if (!Object.hasOwn(FILES, group)) return null;
  const { commands } = await FILES[group]!();
  for (const length of [2, 1]) {
    const command = commands[args.slice(0, length).join(' ')];
    if (command) return { command, given: args.slice(length) };
  }
  return null;
}

/** An argument that a usage names: by position, or behind an option such as `--days <days>`. */
interface Argument {
  option: string | undefined;
  name: string;
  isRequired: boolean;
}

const argumentsOf = (usage: string): Argument[] =>
  [...usage.matchAll(/(?:--([a-z]+) )?(<[^>]+>|\[[^\]]+\])/g)].map(([, option, written = '']) => ({
    option,
    name: written.slice(1, -1),
    isRequired: written.startsWith('<'),
  }));

/**
 * Returns the arguments that a command's usage names, in its order; throws CommandError when one is missing, empty or too
 * many.
 */
function readArguments({ usage }: Command, args: string[]): string[] {
  const declared = argumentsOf(usage);
  const options = declared.flatMap(({ option }) => option ?? []);
  const parsed = parse(args, options);
  const positionals = [...parsed.positionals];
  const given = declared.map(({ option }) => (option ? parsed.values[option] : positionals.shift()));
  const missing = declared.find(({ isRequired }, at) => isRequired && !given[at]);
  if (missing) throw new CommandError(`The ${missing.name} is missing.`);
  if (positionals.length > 0)
    throw new CommandError(`${positionals[0]} is one argument too many; put quotes around a sentence.`);
  return given as string[];
}

/** Reads options and positions; throws CommandError for an option that the command does not have. */
function parse(args: string[], options: readonly string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries(options.map((name) => [name, { type: 'string' as const }])),
    }) as { values: Record<string, string | undefined>; positionals: string[] };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const [option = ''] = /'[^']+'/.exec(message) ?? [];
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      throw new CommandError(`The value of the option ${option} is missing.`);
    // What begins with a dash and is no option of the command is an argument, such as a reason.
    throw new CommandError(`There is no option ${option}; arguments with a leading dash come after --.`);
  }
}

/** Opens what commands use, on the database the settings name. */
async function openDeps(
  command: Command,
  environment: Environment,
  progress: AdminDeps['progress'],
): Promise<AdminDeps> {
  const config = readConfig(environment);
  const database = await databaseFor({
    dataDir: config.dataDir,
    databaseUrl: config.DATABASE_URL || undefined,
    databaseAppUrl: config.DATABASE_APP_URL || undefined,
  });
  const secrets = createSecrets(config.SECRET);
  if (!command.beforeMigration) {
    await migrate(database.owner);
    await requireSameSecret(database.owner, secrets, { stores: false }).catch(async (error: unknown) => {
      await database.stop();
      throw error;
    });
  }
  const pool = createPool(database.direct, {
    max: 4,
    applicationName: 'krapao-admin',
    statementTimeoutMs: 0,
  });
  const clock = config.CLOCK_URL ? await followClock(config.CLOCK_URL) : systemClock;
  const now = () => clock.now();
  const settings = command.beforeMigration ? (null as never) : await openSettings(pool);
  return {
    config,
    database,
    pool,
    clock,
    ledger: createLedger({ pool, now }),
    settings,
    systemAccount: createSystemAccounts(pool, now),
    secrets,
    progress,
  };
}

async function closeDeps({ settings, clock, ledger, pool, database }: AdminDeps): Promise<void> {
  await settings?.stop();
  clock.stop();
  await ledger.close();
  await pool.end();
  await database.stop();
}

/** Where a command writes: answers here, what went wrong there. */
export type Paper = Pick<Console, 'log' | 'error'>;

/** Prints what a command answers; one sentence when it cannot be done. */
async function report(paper: Paper, work: () => Promise<string[] | Findings>): Promise<number> {
  try {
    const output = await work();
    const { lines, failed } = Array.isArray(output) ? { lines: output, failed: false } : output;
    for (const line of lines) paper.log(line);
    return failed ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    paper.error(error.message);
    return 1;
  }
}

/** Runs the command the words name, with the settings of `environment`, and answers its exit code. */
export async function runCommand(
  args: string[],
  environment: Environment = process.env,
  paper: Paper = console,
): Promise<number> {
  const found = await findCommand(args);
  if (!found) {
    paper.log(await help());
    return args.length === 0 || args[0] === 'help' ? 0 : 2;
  }
  const { command } = found;
  return report(paper, async () => {
    const given = readArguments(command, found.given);
    if (command.runAlone) return command.runAlone(environment, given);
    const opened = openDeps(command, environment, (line) => paper.error(line));
    const deps = await opened.catch((error: { message: string; code?: string }) => {
      // Settings and the database say in one sentence what is wrong with them.
      throw new CommandError(error.message || `The database cannot be reached (${error.code}).`);
    });
    try {
      return await command.run!(deps, given);
    } finally {
      await closeDeps(deps);
    }
  });
}
