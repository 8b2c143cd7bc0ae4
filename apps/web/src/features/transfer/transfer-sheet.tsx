import { AmountField, QuickAmounts } from '@krapao/ui/components/amount-field.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { amountText, parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import type { FormEvent } from 'react';
import { playErrorText } from '../../platform/member/error-text.ts';
import { sumText } from '../../platform/sum-text.ts';
import { AccountPair } from './account-pair.tsx';
import { creditsFor } from './accounts.ts';
import { TransferDone } from './transfer-done.tsx';
import { TransferShortcuts } from './transfer-shortcuts.tsx';
import { useTransfer } from './use-transfer.ts';

const QUICK = { BAHT: [100, 500, 1000, 2000], LAK: [50_000, 100_000, 500_000, 1_000_000] };

/** Moves money between the wallet and the games. `arg` is the game it was opened for. */
export default function TransferSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const transfer = useTransfer(arg);
  const { accounts, from, to, typed, currency, problem, isBusy } = transfer;
  const amount = parseAmount(typed, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    transfer.send(amount);
  };
  if (transfer.receipt) return <TransferDone receipt={transfer.receipt} onClose={transfer.close} />;

  const game = [to, from].find((account) => account?.rate != null);
  const foot = (
    <Button type="submit" form="transfer-form" isWide isBusy={isBusy}>
      {amount ? t('transfer.now', { amount: sumText(t, amount, currency) }) : t('transfer.title')}
    </Button>
  );
  return (
    <Sheet title={t('transfer.between')} onClose={transfer.close} footer={foot}>
      <AccountPair
        accounts={accounts}
        from={from}
        to={to}
        currency={currency}
        onFrom={transfer.setFrom}
        onTo={transfer.setTo}
        onSwap={transfer.swap}
      />
      <form id="transfer-form" onSubmit={submit}>
        <AmountField
          label={t('money.amount')}
          currency={currency}
          value={typed}
          onChange={transfer.setTyped}
          isWrong={problem?.field === 'amount'}
          hint={
            game?.rate &&
            t('transfer.rate', {
              credits: amountText(creditsFor(amount ?? 0, game.rate)),
              rate: sumText(t, game.rate, currency),
            })
          }
        />
      </form>
      {problem && <MessageBox tone="bad">{problem.text ?? playErrorText(t, problem.error)}</MessageBox>}
      <QuickAmounts
        label={t('deposit.quick')}
        amounts={QUICK[currency]}
        chosen={amount}
        onChoose={(quick) => transfer.setTyped(String(quick))}
        all={{ label: t('transfer.allShort'), amount: from?.balance ?? 0 }}
      />
      <TransferShortcuts transfer={transfer} game={from?.rate != null ? from : game} />
    </Sheet>
  );
}
