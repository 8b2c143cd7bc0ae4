import type { Translate } from '@krapao/ui/text/text.tsx';
import { codeText } from './error-text.ts';

/** Why a slip was not credited, in the reader's words. */
export const slipReason = (t: Translate, note: string, windowMinutes: number | undefined): string =>
  codeText(t, note, { minutes: windowMinutes });

/** How soon after the transfer a slip has to be handed in. */
export const slipWindowText = (t: Translate, minutes: number): string =>
  minutes === 60 ? t('slip.oneHour') : t('slip.within', { minutes });
