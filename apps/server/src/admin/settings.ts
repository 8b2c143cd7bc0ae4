import { lockSettings, readNow, settingProblem } from '../features/settings/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { changeSetting, SETTING_DEFAULTS, type SettingKey } from '../platform/settings.ts';
import { inTransaction } from '../platform/transaction.ts';
import { audit, type Command, CommandError, command, parseJson } from './command.ts';

export const commands: Record<string, Command> = {
  'setting list': command({
    usage: '',
    about: 'every setting with its value',
    run: async (deps) =>
      (Object.keys(SETTING_DEFAULTS) as SettingKey[]).map(
        (key) => `${key} = ${JSON.stringify(deps.settings.get(key))}`,
      ),
  }),
  'setting set': command({
    usage: '<key> <value>',
    about: 'change a setting in all running servers; the value as JSON',
    async run(deps, [name, text]) {
      const key = name as SettingKey;
      const value = parseJson(text);
      if (!Object.hasOwn(SETTING_DEFAULTS, key)) throw new CommandError(`There is no setting ${key}.`);
      await inTransaction(deps.pool, async (tx) => {
        await lockSettings(tx);
        const now = await readNow(tx);
        const before = now.value(key);
        const problem = settingProblem(key, value, now.value);
        if (problem) throw new CommandError(`The setting ${key} ${problem}.`);
        await changeSetting(tx, key, value, deps.clock.now());
        await audit(tx, deps, {
          action: 'setting.change',
          subject: entityRef('setting', key),
          before,
          after: value,
        });
      });
      return [`${key} = ${JSON.stringify(value)}`];
    },
  }),
};
