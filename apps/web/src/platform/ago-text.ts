import { timeAgo } from '@krapao/ui/text/date-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';

/** "2 minutes ago" in the reader's language. */
export function agoText(t: Translate, when: string, now: number): string {
  const ago = timeAgo(when, now);
  return ago ? t(`time.${ago.unit}`, { count: ago.count }) : t('time.justNow');
}
