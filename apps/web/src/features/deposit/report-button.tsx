import { Button } from '@krapao/ui/components/button.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { openSheet } from '../../platform/sheet-state.ts';
import { type DepositBank, reportKey } from './channels.ts';

/** Leads to the report of a transfer that has not arrived; with `bank` of one to that account. */
export function ReportButton({ bank }: { bank?: DepositBank }) {
  const { t } = useText();
  return (
    <Button isWide tone="text" onClick={() => openSheet('deposit', reportKey(bank))}>
      {t('deposit.iPaid')}
    </Button>
  );
}
