import { CONTENT_KEYS } from '@krapao/contract/operator';
import { isLanguage, LANGUAGES, localized } from '@krapao/contract/shared';
import { bodiesOf, hasShape, publish, saveSource, shapeOf, textsOf } from '../features/content/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { inTransaction } from '../platform/transaction.ts';
import { actor, audit, type Command, CommandError, command, parseJson, withCommandError } from './command.ts';

const isContentKey = (key: string): key is (typeof CONTENT_KEYS)[number] =>
  (CONTENT_KEYS as readonly string[]).includes(key);

export const commands: Record<string, Command> = {
  'content set': command({
    usage: '<key> <language> <text>',
    about: `change words that operators write: ${CONTENT_KEYS.join(', ')}; the text as JSON`,
    async run(deps, [key, language, text]) {
      const body = parseJson(text);
      if (!isContentKey(key) || !isLanguage(language))
        throw new CommandError(`Usage: content set <key> <${LANGUAGES.join('|')}> <JSON>.`);
      if (!hasShape(key, body)) throw new CommandError(`${key} takes ${shapeOf(key)}: nothing was changed.`);
      const everywhere = localized(() => body);
      const written = await withCommandError(async () => bodiesOf(key, textsOf(key, everywhere)));
      const bodies = { [language]: written.th };
      await inTransaction(deps.pool, async (tx) => {
        const { before } = await publish(tx, {
          key,
          bodies,
          by: actor(),
          reason: null,
          now: deps.clock.now(),
        });
        const subject = entityRef('content', key);
        await audit(tx, deps, { action: 'content.publish', subject, before, after: bodies });
      });
      return [`${key} (${language}) is changed.`];
    },
  }),
  'source add': command({
    usage: '<code> <Thai text> <Lao text> <English text>',
    about: 'a source from which members know us',
    async run(deps, [code, th, la, en]) {
      const after = { th, la, en, isOpen: true };
      await inTransaction(deps.pool, async (tx) => {
        await saveSource(tx, { code, ...after });
        await audit(tx, deps, { action: 'source.change', subject: entityRef('source', code), after });
      });
      return [`Source ${code} is offered.`];
    },
  }),
};
