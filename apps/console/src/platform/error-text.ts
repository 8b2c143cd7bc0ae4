import { type ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { amountText } from '@krapao/ui/text/amount-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';
import type { MessageId } from '@lingui/core';
import { i18n } from './i18n.ts';

/** The text of a code that the server sends, such as a state; the code itself where there is none. */
export function labelOf(t: Translate, family: string, code: string): string {
  const id = `${family}.${code}`;
  return i18n.has(id) ? t(id as MessageId) : code;
}

/** The text of a refusal in the reader's language, with the server's details. */
export function refusalText(t: Translate, code: string, data: Record<string, unknown> = {}): string {
  const id = `error.${code}`;
  if (!i18n.has(id)) return `${t('error.generic')} (${code})`;
  const state = typeof data.state === 'string' ? labelOf(t, 'state', data.state) : '–';
  const there = typeof data.there === 'number' ? amountText(data.there) : '–';
  const { by = '–', withdrawal = '–' } = data;
  return t(id as MessageId, { ...data, by, withdrawal, state, there } as never);
}

/** When something that is limited may be tried again. */
const waitText = (t: Translate, minutes: number): string =>
  minutes > 90
    ? t('error.waitHours', { hours: Math.ceil(minutes / 60) })
    : t('error.waitMinutes', { minutes });

/** The reader's text for anything a call threw. */
export function errorText(t: Translate, error: unknown): string {
  const data = (error as Partial<ApiError>)?.data ?? {};
  if (codeOf(error) === 'REQUEST_LIMIT' && typeof data.minutes === 'number') return waitText(t, data.minutes);
  return refusalText(t, codeOf(error), data);
}
