import { SUPPORT_SLIP_REASONS } from '@krapao/contract/support';
import type { Translate } from '@krapao/ui/text/text.tsx';
import { codeText } from './error-text.ts';

const SUPPORT: readonly string[] = SUPPORT_SLIP_REASONS;

/** Why a slip was not credited, in the reader's words; with what support looks it up by where they are sent there. */
export function slipReason(
  t: Translate,
  { note, id }: { note: string; id: string | undefined },
  windowMinutes: number | undefined,
): string {
  const text = codeText(t, note, { minutes: windowMinutes });
  return id !== undefined && SUPPORT.includes(note)
    ? t('error.withReference', { text, reference: id })
    : text;
}

/** How soon after the transfer a slip has to be handed in. */
export const slipWindowText = (t: Translate, minutes: number): string =>
  minutes === 60 ? t('slip.oneHour') : t('slip.within', { minutes });
