import { type ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';
import type { MessageId } from '@lingui/core';
import { i18n } from './i18n.ts';

/** Figures a text may name; the caller fills them from lookups where the server did not send them. */
export type Figures = Partial<Record<'min' | 'max' | 'limit' | 'minutes', string | number>>;

/** Texts that name a figure, and the replacement text when the figure is unknown. */
const NEEDS: Record<string, { figures: (keyof Figures)[]; instead: MessageId }> = {
  OTP_BLOCK: { figures: ['minutes'], instead: 'error.REQUEST_LIMIT' },
  SLIP_INVALID_FILE: { figures: ['limit'], instead: 'error.generic' },
  SLIP_EXPIRED: { figures: ['minutes'], instead: 'error.generic' },
  WITHDRAW_MINIMUM: { figures: ['min'], instead: 'error.TRANSFER_MINIMUM' },
  WITHDRAW_MAXIMUM: { figures: ['max'], instead: 'error.generic' },
  TRANSFER_MAXIMUM: { figures: ['max'], instead: 'error.generic' },
  BONUS_DEPOSIT_REQUIRED: { figures: ['min', 'max'], instead: 'error.generic' },
};

/**
 * The reader's text for anything a call threw, or the server's own words where no text is known, with the reference that
 * support can look up where the server gave one. `figures` fill placeholders and win over what the server sent, because
 * they are already written with their currency.
 */
export function errorText(t: Translate, error: unknown, figures: Figures = {}): string {
  const data = (error as Partial<ApiError>)?.data ?? {};
  if (codeOf(error) === 'network') return noResponseText(t, data.isOffline === true);
  const text =
    codeOf(error) === 'REQUEST_LIMIT' && data.minutes
      ? waitText(t, Number(data.minutes))
      : codeText(t, codeOf(error), { ...data, ...figures });
  const { reference } = data;
  return typeof reference === 'string' ? t('error.withReference', { text, reference }) : text;
}

/** When something may be tried again. */
const waitText = (t: Translate, minutes: number): string =>
  minutes > 90
    ? t('error.waitHours', { hours: Math.ceil(minutes / 60) })
    : t('error.waitMinutes', { minutes });

/** Why nothing answered: the device is offline, or the service cannot be reached. */
export const noResponseText = (t: Translate, isOffline: boolean): string =>
  t(isOffline ? 'error.network' : 'error.unreachable');

/** The reader's text for a code; a code without one is shown unchanged. */
export function codeText(t: Translate, code: string, figures: Record<string, unknown> = {}): string {
  const need = NEEDS[code];
  if (need?.figures.some((name) => figures[name] === undefined)) return t(need.instead);
  const id = `error.${code}`;
  return i18n.has(id) ? t(id as MessageId, figures) : code;
}
