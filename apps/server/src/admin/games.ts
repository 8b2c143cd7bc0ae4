import { games } from '@krapao/contract/operator';
import { type Static, Type } from 'typebox';
import {
  addGame,
  changeGame,
  listOfferedGames,
  removeGame,
  stateOfGame,
  testGame,
} from '../features/games/read.ts';
import { partners } from '../partners.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import { inTransaction } from '../platform/transaction.ts';
import {
  type AdminDeps,
  audit,
  type Command,
  CommandError,
  command,
  readJsonFile,
  withCommandError,
} from './command.ts';

/** The fields of a game in a file: those of the console except the reason, and the target state. */
const { reason: _reason, ...TERMS } = games.addGame.body.properties;
const Written = Type.Object(
  { ...TERMS, state: games.changeGame.body.properties.state },
  { additionalProperties: false },
);

async function getGameOrThrow({ pool }: AdminDeps, code: string) {
  const row = (await listOfferedGames(pool)).find((game) => game.code === code);
  if (!row) throw new CommandError(`There is no game ${code}.`);
  return row;
}

/** Adds or changes a game and writes what was done into the audit trail, in one transaction. */
function setGame(deps: AdminDeps, { state, ...game }: Static<typeof Written>): Promise<void> {
  const { code, category, provider, ...terms } = game;
  return inTransaction(deps.pool, async (tx) => {
    const subject = entityRef('game', code);
    const find = async () => (await listOfferedGames(tx)).find((row) => row.code === code);
    const known = await find();
    if (known && (known.category !== category || known.adapter !== provider))
      throw new CommandError(`${code} is ${known.category} at ${known.adapter}; another needs another code.`);
    if (!known) {
      await addGame(refuseAny, tx, game);
      await audit(tx, deps, { action: 'game.add', subject, after: game });
    }
    const { version } = known ?? (await find())!;
    const changed = await changeGame(refuseAny, tx, code, { ...terms, state, version });
    await audit(tx, deps, { action: 'game.change', subject, ...changed });
  });
}

export const commands: Record<string, Command> = {
  'game list': command({
    usage: '',
    about: 'games in the order members see, with provider, state and rate',
    async run(deps) {
      return (await listOfferedGames(deps.pool)).map((row) =>
        [
          row.code,
          row.name,
          row.category,
          `${row.adapter}/${row.agent}`,
          row.archived_at ? 'ARCHIVED' : stateOfGame(row),
          `${Number(row.rate_micro) / 1_000_000} baht a credit`,
        ].join('  '),
      );
    },
  }),
  'game set': command({
    usage: '<file>',
    about: 'add a game by the terms in a JSON file, or change the one of its code',
    async run(deps, [file]) {
      const game = readJsonFile(Written, file);
      await withCommandError(() => setGame(deps, game));
      return [`${game.code} is ${game.state}.`];
    },
  }),
  'game test': command({
    usage: '<code>',
    about: "query a game's provider for a player who does not exist; exit code 1 unless it is reached",
    async run(deps, [code]) {
      const { adapter: provider, agent } = await getGameOrThrow(deps, code);
      const { providerOf } = partners(deps.config, deps.settings);
      const result = await testGame(refuseAny, { config: deps.config, providerOf }, { provider, agent });
      const { outcome, detail, milliseconds } = result;
      await audit(deps.pool, deps, {
        action: 'game.test',
        subject: entityRef('provider', provider),
        after: { agent, ...result },
      });
      const lines = [`${provider}/${agent}  ${outcome}  ${detail}  ${milliseconds} ms`];
      return { lines, failed: outcome !== 'REACHED' };
    },
  }),
  'game remove': command({
    usage: '<code>',
    about: 'delete a game that is off and was never opened; archive one that was',
    async run(deps, [code]) {
      const { version } = await getGameOrThrow(deps, code);
      const outcome = await withCommandError(() =>
        inTransaction(deps.pool, async (tx) => {
          const removed = await removeGame(refuseAny, tx, code, { version, now: deps.clock.now() });
          const after = { state: removed.outcome };
          const subject = entityRef('game', code);
          await audit(tx, deps, { action: 'game.remove', subject, before: removed.before, after });
          return removed.outcome;
        }),
      );
      return [`${code} is ${outcome}.`];
    },
  }),
};
