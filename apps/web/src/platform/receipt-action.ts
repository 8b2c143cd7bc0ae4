import type { Translate } from '@krapao/ui/text/text.tsx';
import { swapSheet } from './sheet-state.ts';

/** The action from an alert to its receipt, in place of the sheet below; none without a row. */
export const receiptAction = (t: Translate, statementId: string | undefined) =>
  statementId ? { label: t('receipt.view'), onPress: () => swapSheet('receipt', statementId) } : undefined;
