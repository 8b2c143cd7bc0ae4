import type { AlertKind } from '@krapao/contract/operator';
import type { Translate } from '@krapao/ui/text/text.tsx';
import { mismatchText } from './mismatch-text.ts';

/** What a rule has noticed; every kind of the contract has its text. */
export const alertText = (t: Translate, kind: AlertKind): string => t(`alert.${kind}`);

/** The details beside the kind of an alert. */
export function alertDetail(t: Translate, { kind, detail }: { kind: AlertKind; detail: string }): string {
  if (kind === 'reconciliation') return t('recon.alert', { count: Number(detail) });
  if (kind === 'risk-score') return t('risk.score', { score: detail });
  if (kind === 'slip-review')
    return detail
      .split(', ')
      .filter(Boolean)
      .map((mismatch) => mismatchText(t, mismatch))
      .join(' · ');
  // The account, before what its service answered.
  return kind === 'feed-silent' ? (detail.split(': ')[0] ?? '') : '';
}
