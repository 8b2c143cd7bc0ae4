import { readFileSync } from 'node:fs';
import { BadTerms, columnsOf, readTerms, saveBonus } from '../features/bonuses/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { inTransaction } from '../platform/transaction.ts';
import { actor, audit, type Command, CommandError, command } from './command.ts';

function read(file: string) {
  try {
    const terms = readTerms(JSON.parse(readFileSync(file, 'utf8')));
    return { terms, columns: columnsOf(terms) };
  } catch (error) {
    if (error instanceof BadTerms) throw new CommandError(`${file} ${error.message}.`);
    if (error instanceof SyntaxError) throw new CommandError(`${file} is no JSON.`);
    throw new CommandError(`${file} cannot be read.`);
  }
}

const save: typeof saveBonus = (...given) =>
  saveBonus(...given).catch((error: unknown) => {
    throw error instanceof BadTerms ? new CommandError(`The file ${error.message}.`) : error;
  });

export const commands: Record<string, Command> = {
  'bonus set': command({
    usage: '<file>',
    about: 'offer a bonus by the terms in a JSON file, or change the one of its code',
    async run(deps, [file]) {
      const { terms, columns } = read(file);
      const version = await inTransaction(deps.pool, async (tx) => {
        const saved = await save(tx, columns, { by: actor(), now: deps.clock.now() });
        const after = { ...terms, version: saved };
        await audit(tx, deps, { action: 'bonus.set', subject: entityRef('bonus', terms.code), after });
        return saved;
      });
      return [`${terms.code} is ${terms.isOpen ? 'on offer' : 'stopped'}, version ${version}.`];
    },
  }),
};
