import type { Translate } from '@krapao/ui/text/text.tsx';
import { labelOf } from './error-text.ts';

const INQUIRY = 'inquiry: ';

/** Why a slip needs review, in the reader's language; a checker's own message stays unchanged. */
export const mismatchText = (t: Translate, code: string): string =>
  code.startsWith(INQUIRY)
    ? t('mismatch.inquiry', { why: labelOf(t, 'note', code.slice(INQUIRY.length)) })
    : labelOf(t, 'mismatch', code.replace(' ', '-'));
