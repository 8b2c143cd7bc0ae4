import { settings as contract, rewards } from '@krapao/contract/operator';
import type { Pool, PoolClient } from 'pg';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changeSetting, SETTING_DEFAULTS, type SettingKey, type Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrAsk, takeApproval } from '../approvals/read.ts';
import { listChangesOf } from '../audit/read.ts';
import { describeSetting, isSensible, needsChecker, settingKeys } from './describe.ts';
import { listChanged, lockSettings } from './queries.ts';

export interface SettingDeps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
}

const ACTION = 'setting.change';

function requireKey(key: string): SettingKey {
  if (!Object.hasOwn(SETTING_DEFAULTS, key)) throw new Refusal('NO_DATA');
  return key as SettingKey;
}

/** The settings as the database has them, which may be newer than what this server has heard. */
async function readNow(tx: PoolClient) {
  const rows = new Map((await listChanged(tx)).map((row) => [row.key, row]));
  return {
    value: (key: SettingKey): unknown => rows.get(key)?.value ?? SETTING_DEFAULTS[key],
    version: (key: SettingKey): number => rows.get(key)?.version ?? 0,
  };
}

interface Payload {
  key: SettingKey;
  value: unknown;
  version: number;
}

/** Checks against what is set now; throws ROW_CHANGED when that is not what the asker saw. */
async function requireChange(tx: PoolClient, { key, value, version }: Payload): Promise<{ before: unknown }> {
  await lockSettings(tx);
  const now = await readNow(tx);
  if (now.version(key) !== version) throw new Refusal('ROW_CHANGED');
  if (!isSensible(key, value, now.value)) throw new Refusal('INVALID_REQUEST', { field: 'value' });
  return { before: now.value(key) };
}

async function change(
  deps: SettingDeps,
  tx: PoolClient,
  actor: Actor,
  wish: Payload,
  reason: string | null,
): Promise<void> {
  const { before } = await requireChange(tx, wish);
  const now = deps.clock.now();
  await changeSetting(tx, wish.key, wish.value, now);
  const act = { action: ACTION, thing: entityRef('setting', wish.key), before, after: wish.value };
  await writeAudit(tx, actor, { ...act, reason }, now);
}

/** What decides who checks whom, and the end of the service, are changed by two. */
export const settingActions = (deps: SettingDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.access',
    madeWith: ['setting.manage', 'promotion.manage'],
    carryOut: (request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        await takeApproval(tx, request.id, actor, deps.clock.now());
        await change(deps, tx, actor, request.payload as Payload, request.reason);
        return { state: 'DONE' };
      }),
  },
];

/** A value as a checker reads it. */
const valueText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Changes a setting at once, or asks for a second person where one is needed. */
function changeOrAsk(deps: SettingDeps, actor: Actor, { reason, ...wish }: Payload & { reason: string }) {
  const { key, value } = wish;
  return inTransaction(deps.pool, async (tx) => {
    const { before } = await requireChange(tx, wish);
    return decideOrAsk(deps, tx, actor, {
      action: ACTION,
      thing: entityRef('setting', key),
      payload: wish,
      summary: { setting: key, from: valueText(before), to: valueText(value) },
      reason,
      needsChecker: needsChecker(key, value),
      state: 'UNCHANGED',
      act: async () => {
        await change(deps, tx, actor, wish, reason);
        return 'DONE';
      },
    });
  });
}

/** Answers the calls about settings. */
export function settingCalls(declare: OperatorDeclare, deps: SettingDeps): void {
  const { pool } = deps;
  declare(contract.listSettings, async () => {
    const rows = new Map((await listChanged(pool)).map((row) => [row.key, row]));
    return {
      settings: settingKeys().map((key) => ({
        key,
        ...describeSetting(key),
        value: rows.get(key)?.value ?? SETTING_DEFAULTS[key],
        fallback: SETTING_DEFAULTS[key],
        version: rows.get(key)?.version ?? 0,
        changedAt: rows.get(key)?.updated_at.toISOString() ?? null,
      })),
    };
  });
  declare(contract.changeSetting, ({ params, body, actor }) =>
    changeOrAsk(deps, actor, { key: requireKey(params.key), ...body }),
  );
  declare(rewards.changePromotionSetting, ({ params, body, actor }) => {
    const key = requireKey(params.key);
    if (describeSetting(key).group !== 'promotion') throw new Refusal('NO_DATA');
    return changeOrAsk(deps, actor, { key, ...body });
  });
  declare(contract.readSettingHistory, async ({ params }) => ({
    changes: await listChangesOf(pool, entityRef('setting', requireKey(params.key)), ACTION),
  }));
}
