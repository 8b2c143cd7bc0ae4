import type { Currency } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';
import type { MessageId } from '@lingui/core';
import type { Reply } from '../../platform/api.ts';
import { type Me, may } from '../../platform/me.ts';

export type Setting = Reply<'GET /api/operator/settings'>['settings'][number];
export interface Hours {
  from: string;
  to: string;
}
export type PerCurrency = Record<Currency, number>;

/** A value as a person reads it. */
export function valueText(
  t: Translate,
  { kind, unit }: Pick<Setting, 'kind' | 'unit'>,
  value: unknown,
): string {
  switch (kind) {
    case 'switch':
      return value === true ? t('settings.on') : t('settings.off');
    case 'service':
      return value === false ? t('settings.running') : t('settings.ended');
    case 'money': {
      const { BAHT, LAK } = value as PerCurrency;
      return `${CURRENCY_SYMBOL.BAHT}${amountText(BAHT)} · ${CURRENCY_SYMBOL.LAK}${amountText(LAK)}`;
    }
    case 'hours': {
      const windows = value as Hours[];
      return windows.map(({ from, to }) => `${from}–${to}`).join(', ') || t('settings.noHours');
    }
    default:
      if (unit === null) return Number(value).toLocaleString('en');
      return t(`settings.in-${unit}` as MessageId, { count: Number(value) } as never);
  }
}

/** Whether an operator may change a setting; those of promotions and of the risk score are also others' to change. */
export const mayChange = (me: Me, { group }: Setting): boolean =>
  may(me, 'setting.manage') ||
  (group === 'promotion' && may(me, 'promotion.manage')) ||
  (group === 'risk' && may(me, 'risk.manage'));
