import { CONTENT_KEYS, NewSource } from '@krapao/contract/operator';
import { isLanguage, LANGUAGES, localized } from '@krapao/contract/shared';
import { bodiesOf, changeSource, hasShape, publish, shapeOf, textsOf } from '../features/content/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { inTransaction } from '../platform/transaction.ts';
import {
  actor,
  audit,
  type Command,
  CommandError,
  command,
  parseJson,
  requireShape,
  withCommandError,
} from './command.ts';

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
      const order = { key, bodies, by: actor(), reason: null, now: deps.clock.now() };
      await withCommandError(() =>
        inTransaction(deps.pool, async (tx) => {
          const { before } = await publish(tx, order);
          const subject = entityRef('content', key);
          await audit(tx, deps, { action: 'content.publish', subject, before, after: bodies });
        }),
      );
      return [`${key} (${language}) is changed.`];
    },
  }),
  'source add': command({
    usage: '<code> <Thai text> <Lao text> <English text>',
    about: 'a source from which members know us',
    async run(deps, [code, th, la, en]) {
      const source = requireShape(NewSource, { code, th, la, en, isOpen: true });
      await withCommandError(() =>
        inTransaction(deps.pool, async (tx) => {
          const change = await changeSource(tx, source);
          await audit(tx, deps, { action: 'source.change', subject: entityRef('source', code), ...change });
        }),
      );
      return [`Source ${code} is offered.`];
    },
  }),
};
