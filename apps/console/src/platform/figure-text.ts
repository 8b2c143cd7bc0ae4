import { parseFigure } from '@krapao/ui/text/amount-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';

/** What is wrong with the text of a figure; undefined while it is a figure or empty. */
export function figureProblem(t: Translate, typed: string, decimals: number): string | undefined {
  if (typed.trim() === '' || parseFigure(typed, decimals) !== null) return;
  return decimals === 0 ? t('figure.whole') : t('figure.unreadable', { count: decimals });
}
