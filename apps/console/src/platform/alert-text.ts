import type { AlertKind } from '@krapao/contract/operator';
import { amountText } from '@krapao/ui/text/amount-text.ts';
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
  if (kind === 'credit-low') return t('partner.left', { credit: amountText(Number(detail)) });
  // The account, before what its service answered.
  return kind === 'feed-silent' ? (detail.split(': ')[0] ?? '') : '';
}
