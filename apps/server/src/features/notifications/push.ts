import { HOUR_MS } from '@krapao/contract/durations';
import { notifications } from '@krapao/contract/member';
import { areKeys, newVapidKey, type PushSender } from '../../outside/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import type { Limits } from '../../platform/limits.ts';
import { requireWithinLimit } from '../../platform/limits.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  DEFAULT_PREFERENCES,
  deletePreferences,
  isSubscribed,
  keepKey,
  type Preferences,
  readKey,
  readPreferences,
  subscribe,
  unsubscribe,
  writePreferences,
} from './push-queries.ts';

export interface PushDeps {
  pool: Pool;
  limits: Limits;
  clock: Clock;
  secrets: Secrets;
  settings: Settings;
  /** null: nothing is brought to browsers. */
  push: PushSender | null;
}

/** What is sealed with this purpose, by column. */
export const PURPOSE = { key: 'push-key', endpoint: 'push-endpoint', keys: 'push-keys' } as const;

const MEMBER_MAX = 10;
const HOUR_MAX = 60;

/** Makes our key at the push services at the first start; every later one finds it. */
export async function preparePush({ pool, clock, secrets, push }: PushDeps): Promise<void> {
  if (!push || (await readKey(pool))) return;
  const { publicKey, privateKey } = newVapidKey();
  const privateSealed = secrets.encrypt(PURPOSE.key, privateKey);
  await keepKey(pool, { publicKey, privateSealed }, clock.now());
}

async function stateOf({ pool, push }: PushDeps, member: Member) {
  const [key, isOn, { hidesAmounts, ...kinds }] = await Promise.all([
    push ? readKey(pool) : undefined,
    isSubscribed(pool, member.tokenHash),
    readPreferences(pool, member.id),
  ]);
  return { publicKey: key?.public_key ?? null, isOn, kinds, hidesAmounts };
}

const areDefaults = (preferences: Preferences): boolean =>
  (Object.keys(DEFAULT_PREFERENCES) as (keyof Preferences)[]).every(
    (name) => preferences[name] === DEFAULT_PREFERENCES[name],
  );

/** Answers what is brought to a member's browsers, and to which. */
export function pushCalls(declare: Declare, deps: PushDeps): void {
  const { pool, clock, secrets } = deps;
  declare(notifications.readPush, ({ member }) => stateOf(deps, member));
  declare(notifications.setPush, async ({ member, body: { kinds, hidesAmounts } }) => {
    const preferences = { ...kinds, hidesAmounts };
    if (areDefaults(preferences)) await deletePreferences(pool, member.id);
    else await writePreferences(pool, member.id, preferences, clock.now());
    return stateOf(deps, member);
  });
  declare(notifications.subscribePush, async ({ member, body: { endpoint, keys, language } }) => {
    if (!deps.push?.accepts(endpoint)) throw new Refusal('INVALID_REQUEST', { field: 'endpoint' });
    if (!areKeys(keys)) throw new Refusal('INVALID_REQUEST', { field: 'keys' });
    const window = { key: `push:${member.id}`, max: HOUR_MAX, ms: HOUR_MS };
    await requireWithinLimit(deps.limits, window, clock.now());
    const one = {
      sessionHash: member.tokenHash,
      memberId: member.id,
      endpointSealed: secrets.encrypt(PURPOSE.endpoint, endpoint),
      endpointFingerprint: secrets.fingerprint(PURPOSE.endpoint, endpoint),
      keysSealed: secrets.encrypt(PURPOSE.keys, JSON.stringify(keys)),
      language,
    };
    await inTransaction(pool, (tx) => subscribe(tx, one, { max: MEMBER_MAX, now: clock.now() }));
    return { message: 'OK' };
  });
  declare(notifications.unsubscribePush, async ({ member }) => {
    await unsubscribe(pool, member.tokenHash);
    return { message: 'OK' };
  });
}
