import { readFileSync } from 'node:fs';
import { BadTerms, columnsOf, readTerms, requireGames, saveBonus } from '../features/bonuses/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type AdminDeps, actor, audit, type Command, CommandError, command } from './command.ts';

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandError(`${file} is no JSON.`);
    throw new CommandError(`${file} cannot be read.`);
  }
}

/** Writes the terms with their audit row; returns them with their version. */
async function setBonus(deps: AdminDeps, written: unknown) {
  const terms = readTerms(written);
  const columns = columnsOf(terms);
  return inTransaction(deps.pool, async (tx) => {
    if (terms.isOpen) await requireGames(tx, terms.games);
    const version = await saveBonus(tx, columns, { by: actor(), now: deps.clock.now() });
    const after = { ...terms, version };
    await audit(tx, deps, { action: 'bonus.set', subject: entityRef('bonus', terms.code), after });
    return after;
  });
}

export const commands: Record<string, Command> = {
  'bonus set': command({
    usage: '<file>',
    about: 'offer a bonus by the terms in a JSON file, or change the one of its code',
    async run(deps, [file]) {
      const written = readJson(file);
      const { code, isOpen, version } = await setBonus(deps, written).catch((error: unknown) => {
        throw error instanceof BadTerms ? new CommandError(`${file} ${error.message}.`) : error;
      });
      return [`${code} is ${isOpen ? 'on offer' : 'stopped'}, version ${version}.`];
    },
  }),
};
