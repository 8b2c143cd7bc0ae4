import { AmountField, QuickAmounts } from '@krapao/ui/components/amount-field.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { amountText, parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import type { FormEvent } from 'react';
import { creditsBought, offeredAmounts, TRANSFER_QUICK } from '../../platform/member/amount-range.ts';
import { useRun } from '../../platform/member/bonus-stop.tsx';
import { playErrorText } from '../../platform/member/error-text.ts';
import { usePlaceName } from '../../platform/member/names.ts';
import { PlayStop, usePlayStop } from '../../platform/member/play-stop.tsx';
import { UnansweredSheet } from '../../platform/member/unanswered-sheet.tsx';
import { rateText, sumText } from '../../platform/sum-text.ts';
import { AccountPair } from './account-pair.tsx';
import { FirstGame } from './first-game.tsx';
import { TransferDone } from './transfer-done.tsx';
import { TransferShortcuts } from './transfer-shortcuts.tsx';
import { type Transfer, useTransfer } from './use-transfer.ts';

/** Moves money between the wallet and the games. `arg` is the game it was opened for. */
export default function TransferSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const run = useRun() ?? null;
  const playStop = usePlayStop();
  const transfer = useTransfer(arg, { run, isPlayStopped: playStop !== null });
  const { accounts, from, to, range, typed, currency, problem, isBusy } = transfer;
  const amount = parseAmount(typed, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    transfer.send(amount);
  };
  if (transfer.receipt) return <TransferDone receipt={transfer.receipt} onClose={transfer.close} />;
  if (transfer.unanswered) return <UnansweredTransfer transfer={transfer} order={transfer.unanswered} />;
  const games = accounts.filter(({ slot }) => slot !== null);
  if (games.length === 0)
    return (
      <Sheet title={t('transfer.between')} onClose={transfer.close}>
        {playStop ? <PlayStop error={playStop} /> : <FirstGame />}
      </Sheet>
    );

  const game = [to, from].find((account) => account?.slot);
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
            game?.slot && (
              <>
                <span>
                  {t('transfer.credits', {
                    credits: amountText(creditsBought(game.slot, amount ?? 0, currency)),
                  })}
                </span>
                <span>{t('transfer.rate', { rate: rateText(t, game.slot.ftWalletSlot, currency) })}</span>
              </>
            )
          }
        />
      </form>
      {problem && <MessageBox tone="bad">{problem.text ?? playErrorText(t, problem.error)}</MessageBox>}
      <QuickAmounts
        label={t('deposit.quick')}
        amounts={offeredAmounts(TRANSFER_QUICK[currency], null, range)}
        chosen={amount}
        onChoose={(quick) => transfer.setTyped(String(quick))}
        {...(range.most > 0 && { all: { label: t('transfer.allShort'), amount: range.most } })}
      />
      <TransferShortcuts transfer={transfer} game={from?.slot ? from : game} />
    </Sheet>
  );
}

/** A transfer without a response, or everything into one place, to be sent again as it was. */
function UnansweredTransfer({
  transfer,
  order,
}: {
  transfer: Transfer;
  order: NonNullable<Transfer['unanswered']>;
}) {
  const { t } = useText();
  const placeName = usePlaceName();
  const { problem, currency, isBusy, repeat } = transfer;
  const text =
    'amount' in order
      ? t('transfer.unanswered', {
          amount: sumText(t, order.amount, currency),
          from: placeName(order.from),
          to: placeName(order.to),
        })
      : t('transfer.unansweredAll', { place: placeName(order.to) });
  return (
    <UnansweredSheet
      title={t('transfer.between')}
      text={text}
      problem={problem && (problem.text ?? playErrorText(t, problem.error))}
      isBusy={isBusy}
      onRepeat={repeat}
    />
  );
}
