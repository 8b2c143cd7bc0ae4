import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { AmountField } from '@krapao/ui/components/amount-field.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { EmptyState } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Clock } from 'lucide';
import { type FormEvent, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { playErrorText } from '../../platform/member/error-text.ts';
import { depositQuery, queryClient } from '../../platform/member/queries.ts';
import { sendMoney, useKnownWallet } from '../../platform/member/wallet.ts';
import { receiptAction } from '../../platform/receipt-action.ts';
import { backSheet, closeSheet, pendingBody } from '../../platform/sheet-state.ts';
import { AccountCard } from './account-card.tsx';
import type { DepositBank } from './channels.ts';
import styles from './deposit.module.css';

const CALL = 'POST /api/wallet/add';

/** 'I have transferred this much': staff look for the money; nothing is credited by saying so. */
export function ReportStep({ bank, hasOpen }: { bank: DepositBank | undefined; hasOpen: boolean }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const [pending] = useState(() => pendingBody<{ amount: number }>(CALL));
  const [typed, setTyped] = useState(pending ? String(pending.amount) : '');
  const [problem, setProblem] = useState<unknown>(pending ? new ApiError('unknownResult') : null);
  const [isBusy, setBusy] = useState(false);
  const [reported, setReported] = useState<{ id: string; amount: number } | null>(null);
  const amount = parseAmount(typed, currency);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!amount || isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      setReported(await sendMoney(CALL, { amount }));
    } catch (error) {
      setProblem(error);
      if (codeOf(error) === 'REQUEST_LIMIT')
        queryClient.invalidateQueries({ queryKey: depositQuery.queryKey });
    }
    setBusy(false);
  };
  if (reported !== null)
    return (
      <AlertDialog
        tone="wait"
        title={t('report.sent')}
        action={receiptAction(t, reported.id)}
        onClose={closeSheet}
      >
        <p className={styles.sum}>
          <Money amount={reported.amount} currency={currency} />
        </p>
        <p>{t('report.wait')}</p>
      </AlertDialog>
    );
  if (hasOpen && !pending)
    return (
      <Sheet title={t('deposit.iPaid')} onClose={closeSheet} onBack={backSheet}>
        <EmptyState icon={Clock} text={t('report.oneOpen')}>
          <Button tone="soft" isSmall onClick={() => navigate('/user/statement')}>
            {t('statement.title')}
          </Button>
        </EmptyState>
      </Sheet>
    );
  const foot = (
    <Button type="submit" form="report-form" isWide isBusy={isBusy} disabled={!amount}>
      {t('deposit.iPaid')}
    </Button>
  );
  return (
    <Sheet title={t('deposit.iPaid')} onClose={closeSheet} onBack={backSheet} footer={foot}>
      {bank && <AccountCard bank={bank} />}
      <form id="report-form" onSubmit={submit}>
        <AmountField
          label={t('report.amount')}
          currency={currency}
          value={typed}
          onChange={(text) => {
            setProblem(null);
            setTyped(text);
          }}
        />
      </form>
      {problem !== null && (
        <MessageBox tone="bad">
          {codeOf(problem) === 'REQUEST_LIMIT' ? t('report.oneOpen') : playErrorText(t, problem)}
        </MessageBox>
      )}
      <MessageBox tone="info">{t('report.how')}</MessageBox>
    </Sheet>
  );
}
