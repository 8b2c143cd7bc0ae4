import { cleanContent } from '../platform/html.ts';
import { changeSetting, SETTING_DEFAULTS, type SettingKey } from '../platform/settings.ts';
import { inTransaction } from '../platform/transaction.ts';
import { audit, type Command, CommandError, need } from './command.ts';

const LANGUAGES = ['th', 'la', 'en'];
/** What is shown as HTML; the rest is shown as plain text. */
const HTML_KEYS = ['conditions', 'agreements', 'notice'];
const CONTENT_KEYS = ['info', 'contact', 'conditions', 'agreements', 'notice'];

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
      const written = parse(need(words, 2, 'The text'));
      const body = HTML_KEYS.includes(key) ? cleanContent(written) : written;
      if (!CONTENT_KEYS.includes(key) || !LANGUAGES.includes(language))
        throw new CommandError('Usage: content set <key> <th|la|en> <JSON>.');
      await inTransaction(deps.pool, async (tx) => {
        const before = await tx.query('select body from content where key = $1 and language = $2', [
          key,
          language,
        ]);
        await tx.query(
          `insert into content (key, language, body, updated_at) values ($1, $2, $3::jsonb, $4)
           on conflict (key, language) do update set body = excluded.body, updated_at = excluded.updated_at`,
          [key, language, JSON.stringify(body), deps.clock.now()],
        );
        await audit(tx, deps, {
          action: 'content.change',
          thing: `content:${key}:${language}`,
          before: before.rows[0]?.body,
          after: body,
        });
      });
      return [`${key} (${language}) is changed.`];
    },
  },
  'source add': {
    usage: '<code> <Thai> <Lao> <English>',
    about: 'a way in which members hear of us',
    async run(deps, words) {
      const row = [
        need(words, 0, 'The code'),
        need(words, 1, 'The Thai text'),
        need(words, 2, 'The Lao text'),
        need(words, 3, 'The English text'),
      ];
      await inTransaction(deps.pool, async (tx) => {
        await tx.query(
          `insert into source (code, description_th, description_la, description_en, position)
           values ($1, $2, $3, $4, (select coalesce(max(position), 0) + 1 from source))
           on conflict (code) do update set description_th = excluded.description_th, description_la = excluded.description_la, description_en = excluded.description_en`,
          row,
        );
        await audit(tx, deps, { action: 'source.add', thing: `source:${row[0]}`, after: row.slice(1) });
      });
      return [`Source ${words[0]} is offered.`];
    },
  },
};
