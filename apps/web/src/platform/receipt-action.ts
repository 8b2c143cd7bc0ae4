import type { Translate } from '@krapao/ui/text/text.tsx';
import { swapSheet } from './sheet-state.ts';

/** The way from an alert to the receipt of what it tells, in place of the sheet it stands on; none without a row. */
export const receiptAction = (t: Translate, statementId: string | undefined) =>
  statementId ? { label: t('receipt.view'), onPress: () => swapSheet('receipt', statementId) } : undefined;
