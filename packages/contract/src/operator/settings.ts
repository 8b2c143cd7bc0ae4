/** Settings that operators change while the product runs: switches, limits, times. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { ActionReply, Closed, Nullable, OneOf, Reason, Text, Timestamp } from './schemas.ts';

/** The groups of the settings page, switches that stop a part of the service first. */
export const SETTING_GROUPS = [
  'stop',
  'access',
  'deposit',
  'withdraw',
  'risk',
  'game',
  'promotion',
  'member',
  'operators',
] as const;
const params = Closed({ key: Text(60, 1) });

export const listSettings = operatorCall({
  method: 'GET',
  path: '/api/operator/settings',
  permission: 'setting.read',
  summary: 'Every setting with its value, its default and what it takes',
  reply: Closed({
    settings: Type.Array(
      Closed(
        {
          key: Type.String(),
          group: OneOf(SETTING_GROUPS),
          kind: OneOf(['switch', 'service', 'money', 'number', 'hours'] as const),
          unit: Nullable(
            OneOf([
              'seconds',
              'minutes',
              'hours',
              'days',
              'years',
              'percent',
              'megabytes',
              'points',
              'multiple',
            ] as const),
          ),
          value: Type.Unknown({
            description:
              'switch: true or false; service: false, or "gone" when it has ended; money: {BAHT, LAK}; number; hours: [{from, to}] in Bangkok.',
          }),
          fallback: Type.Unknown(),
          version: Type.Integer({ description: '0 while it was never changed.' }),
          changedAt: Nullable(Timestamp),
          needsChecker: Type.Boolean({ description: 'A second person decides, at least in one direction.' }),
        },
        { $id: 'SettingRow' },
      ),
    ),
  }),
});

export const changeSetting = operatorCall({
  method: 'PUT',
  path: '/api/operator/settings/{key}',
  permission: 'setting.manage',
  summary:
    'Change a setting; every server follows within two seconds. Ending the service, and what decides who checks whom, takes a second person',
  params,
  body: Closed({ value: Type.Unknown(), version: Type.Integer(), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});

export const readSettingHistory = operatorCall({
  method: 'GET',
  path: '/api/operator/settings/{key}/history',
  permission: 'setting.read',
  summary: 'What a setting was before, who changed it and why; newest first',
  params,
  reply: Closed({
    changes: Type.Array(
      Closed({
        at: Timestamp,
        actor: Type.String(),
        before: Type.Unknown(),
        after: Type.Unknown(),
        reason: Nullable(Type.String()),
      }),
    ),
  }),
  refusals: ['NO_DATA'],
});

export const changePromotionSetting = operatorCall({
  method: 'PUT',
  path: '/api/operator/promotion-settings/{key}',
  permission: 'promotion.manage',
  summary:
    'Change a setting of bonuses, invites, refunds or the wheel, as changing a setting does; NO_DATA for any other',
  params,
  body: Closed({ value: Type.Unknown(), version: Type.Integer(), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});
