import { settings as contract, risk } from '@krapao/contract/operator';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { changeSetting, SETTING_DEFAULTS, type SettingKey, type Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, takeApproval } from '../approvals/read.ts';
import { listChangesOf } from '../audit/read.ts';
import { describeSetting, isSensible, needsChecker, settingKeys } from './describe.ts';
import { listChanged, lockSettings } from './queries.ts';
import { readNow } from './read.ts';

export interface SettingDeps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
}

const ACTION = 'setting.change';

/** A setting that there is; of a group, where only that may be changed. */
function requireKey(refuse: Refuse<'NO_DATA'>, key: string, group?: 'promotion' | 'risk'): SettingKey {
  if (!Object.hasOwn(SETTING_DEFAULTS, key)) throw refuse('NO_DATA');
  if (group && describeSetting(key as SettingKey).group !== group) throw refuse('NO_DATA');
  return key as SettingKey;
}

interface Payload {
  key: SettingKey;
  value: unknown;
  version: number;
}

/** Checks against what is set now; throws ROW_CHANGED when that is not what the asker saw. */
async function requireChange(
  refuse: Refuse<'ROW_CHANGED'>,
  tx: PoolClient,
  { key, value, version }: Payload,
): Promise<{ before: unknown }> {
  await lockSettings(tx);
  const now = await readNow(tx);
  if (now.version(key) !== version) throw refuse('ROW_CHANGED');
  if (!isSensible(key, value, now.value)) throw new Refusal('INVALID_REQUEST', { field: 'value' });
  return { before: now.value(key) };
}

async function change(
  refuse: Refuse<'ROW_CHANGED'>,
  deps: SettingDeps,
  tx: PoolClient,
  actor: Actor,
  intent: Payload,
  reason: string | null,
): Promise<void> {
  const { before } = await requireChange(refuse, tx, intent);
  const now = deps.clock.now();
  await changeSetting(tx, intent.key, intent.value, now);
  const auditEntry = {
    action: ACTION,
    subject: entityRef('setting', intent.key),
    before,
    after: intent.value,
  };
  await writeAudit(tx, actor, { ...auditEntry, reason }, now);
}

/** The settings of a group, as subjects of requests. */
const settingsOf = (group: 'promotion' | 'risk') =>
  settingKeys()
    .filter((key) => describeSetting(key).group === group)
    .map((key) => entityRef('setting', key));

/** Settings of second approvals and the end of the service need two operators. */
export const settingActions = (deps: SettingDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.access',
    madeWith: ['setting.manage', 'promotion.manage', 'risk.manage'],
    onlyFor: { 'promotion.manage': settingsOf('promotion'), 'risk.manage': settingsOf('risk') },
    current: async ({ payload }) => {
      const now = await readNow(deps.pool);
      return { from: valueText(now.value((payload as Payload).key)) };
    },
    carryOut: (refuse, request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        await lockSettings(tx);
        await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
        await change(refuse, deps, tx, actor, request.payload as Payload, request.reason);
        return { state: 'DONE' };
      }),
  },
];

/** A value as a checker reads it. */
const valueText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Changes a setting at once, or requests a second approval where one is needed. */
function changeOrRequest(
  refuse: Refuse<'ROW_CHANGED' | 'APPROVAL_PENDING'>,
  deps: SettingDeps,
  actor: Actor,
  { reason, ...intent }: Payload & { reason: string },
) {
  const { key, value } = intent;
  return inTransaction(deps.pool, async (tx) => {
    const { before } = await requireChange(refuse, tx, intent);
    return decideOrRequest(refuse, deps, tx, actor, {
      action: ACTION,
      subject: entityRef('setting', key),
      payload: intent,
      summary: { setting: key, from: valueText(before), to: valueText(value) },
      reason,
      needsChecker: needsChecker(key, value),
      state: 'UNCHANGED',
      perform: async () => {
        await change(refuse, deps, tx, actor, intent, reason);
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
  declare(contract.changeSetting, ({ params, body, actor, refuse }) =>
    changeOrRequest(refuse, deps, actor, { key: requireKey(refuse, params.key), ...body }),
  );
  declare(contract.changePromotionSetting, ({ params, body, actor, refuse }) =>
    changeOrRequest(refuse, deps, actor, { key: requireKey(refuse, params.key, 'promotion'), ...body }),
  );
  declare(risk.changeRiskSetting, ({ params, body, actor, refuse }) =>
    changeOrRequest(refuse, deps, actor, { key: requireKey(refuse, params.key, 'risk'), ...body }),
  );
  declare(contract.readSettingHistory, async ({ params, refuse }) => ({
    changes: await listChangesOf(pool, entityRef('setting', requireKey(refuse, params.key)), ACTION),
  }));
}
