import { CONTENT_KEYS } from '@krapao/contract/operator';
import { isLanguage, LANGUAGES } from '@krapao/contract/shared';
import { bodiesOf, publish, saveSource, wordsOf } from '../features/content/read.ts';
import { inTransaction } from '../platform/transaction.ts';
import { actor, audit, type Command, CommandError, need, parseJson } from './command.ts';

const isContentKey = (key: string): key is (typeof CONTENT_KEYS)[number] =>
  (CONTENT_KEYS as readonly string[]).includes(key);

export const commands: Record<string, Command> = {
  'content set': {
    usage: `<info|contact|conditions|agreements|notice> <${LANGUAGES.join('|')}> <JSON>`,
    about: 'change words that operators write',
    async run(deps, words) {
      const [key, language] = [need(words, 0, 'The key'), need(words, 1, 'The language')];
      const body = parseJson(need(words, 2, 'The text'));
      if (!isContentKey(key) || !isLanguage(language))
        throw new CommandError(`Usage: content set <key> <${LANGUAGES.join('|')}> <JSON>.`);
      const written = bodiesOf(key, wordsOf(key, { th: body, la: body, en: body }));
      const bodies = { [language]: written.th };
      await inTransaction(deps.pool, async (tx) => {
        const { before } = await publish(tx, {
          key,
          bodies,
          by: actor(),
          reason: null,
          now: deps.clock.now(),
        });
        const thing = `content:${key}`;
        await audit(tx, deps, { action: 'content.publish', thing, before, after: bodies });
      });
      return [`${key} (${language}) is changed.`];
    },
  },
  'source add': {
    usage: '<code> <Thai> <Lao> <English>',
    about: 'a way in which members hear of us',
    async run(deps, words) {
      const code = need(words, 0, 'The code');
      const after = {
        th: need(words, 1, 'The Thai text'),
        la: need(words, 2, 'The Lao text'),
        en: need(words, 3, 'The English text'),
        isOpen: true,
      };
      await inTransaction(deps.pool, async (tx) => {
        await saveSource(tx, { code, ...after });
        await audit(tx, deps, { action: 'source.change', thing: `source:${code}`, after });
      });
      return [`Source ${words[0]} is offered.`];
    },
  },
};
