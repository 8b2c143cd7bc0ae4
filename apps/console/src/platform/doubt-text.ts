import type { Translate } from '@krapao/ui/text/text.tsx';
import { labelOf } from './error-text.ts';

const INQUIRY = 'inquiry: ';

/** Why a slip needs a person's eyes, in the reader's words; what a checker said of itself stays as it said it. */
export const doubtText = (t: Translate, code: string): string =>
  code.startsWith(INQUIRY)
    ? t('doubt.inquiry', { why: labelOf(t, 'note', code.slice(INQUIRY.length)) })
    : labelOf(t, 'doubt', code.replace(' ', '-'));
