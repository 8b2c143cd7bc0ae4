import { CONTENT_KEYS } from '@krapao/contract/operator';
import { bodiesOf, publish, saveSource, wordsOf } from '../features/content/read.ts';
import { changeSetting, SETTING_DEFAULTS, type SettingKey } from '../platform/settings.ts';
import { inTransaction } from '../platform/transaction.ts';
import { actor, audit, type Command, CommandError, need } from './command.ts';

const LANGUAGES = ['th', 'la', 'en'];
const isContentKey = (key: string): key is (typeof CONTENT_KEYS)[number] =>
  (CONTENT_KEYS as readonly string[]).includes(key);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${text} is no JSON value.`);
  }
}

export const settingCommands: Record<string, Command> = {
  'setting list': {
    usage: '',
    about: 'every setting with its value',
    run: async (deps) =>
      (Object.keys(SETTING_DEFAULTS) as SettingKey[]).map(
        (key) => `${key} = ${JSON.stringify(deps.settings.get(key))}`,
      ),
  },
  'setting set': {
    usage: '<key> <JSON value>',
    about: 'change a setting in all running servers',
    async run(deps, words) {
      const key = need(words, 0, 'The key') as SettingKey;
      const value = parse(need(words, 1, 'The value'));
      if (!Object.hasOwn(SETTING_DEFAULTS, key)) throw new CommandError(`There is no setting ${key}.`);
      const before = deps.settings.get(key);
      await inTransaction(deps.pool, async (tx) => {
        await changeSetting(tx, key, value, deps.clock.now()).catch((error: Error) => {
          throw error instanceof TypeError ? new CommandError(`${error.message}.`) : error;
        });
        await audit(tx, deps, {
          action: 'setting.change',
          thing: `setting:${key}`,
          before,
          after: value,
        });
      });
      return [`${key} = ${JSON.stringify(value)}`];
    },
  },
  'content set': {
    usage: '<info|contact|conditions|agreements|notice> <th|la|en> <JSON>',
    about: 'change words that operators write',
    async run(deps, words) {
      const [key, language] = [need(words, 0, 'The key'), need(words, 1, 'The language')];
      const body = parse(need(words, 2, 'The text'));
      if (!isContentKey(key) || !LANGUAGES.includes(language))
        throw new CommandError('Usage: content set <key> <th|la|en> <JSON>.');
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
