import { openSheet } from '../../platform/sheet-state.ts';
import type { ReceiptRow } from './receipt-view.ts';

/** Opens the errand of a receipt again, filled in as it was; null where there is nothing to repeat. */
export function repeatOf(row: ReceiptRow): (() => void) | null {
  const { statementType, from, to, amount } = row;
  if (from === 'manual' || to === 'manual') return null;
  switch (statementType) {
    case 'withdraw':
      return () => openSheet('withdraw', undefined, { amount });
    case 'transfer':
      return () => openSheet('transfer', from === 'wallet' ? to : from, { amount, from, to });
    case 'deposit':
      if (from === 'gift') return () => openSheet('deposit', 'gift-LINK');
      return () =>
        openSheet('deposit', `${from}-${row.receipt?.channel === 'QR' ? 'QR' : 'AUTO'}`, { amount });
    default:
      return null;
  }
}
