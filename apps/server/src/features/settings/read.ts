import type { Db } from '../../platform/database/db.ts';
import { SETTING_DEFAULTS, type SettingKey } from '../../platform/settings.ts';
import { listChanged } from './queries.ts';

/** The interface of settings for other features. */
export { isSensible, settingProblem } from './describe.ts';
export { lockSettings } from './queries.ts';

/** The settings as the database has them, which may be newer than what this server has received. */
export async function readNow(tx: Db) {
  const rows = new Map((await listChanged(tx)).map((row) => [row.key, row]));
  return {
    value: (key: SettingKey): unknown => rows.get(key)?.value ?? SETTING_DEFAULTS[key],
    version: (key: SettingKey): number => rows.get(key)?.version ?? 0,
  };
}
