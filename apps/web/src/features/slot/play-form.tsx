import { QuickAmounts } from '@krapao/ui/components/amount-field.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { ArrowDownToLine, Play as PlayIcon } from 'lucide';
import {
  isOpenRange,
  offeredAmounts,
  TRANSFER_QUICK,
  transferRange,
} from '../../platform/member/amount-range.ts';
import { isLate, takesGame } from '../../platform/member/bonus-run.ts';
import { useRun } from '../../platform/member/bonus-stop.tsx';
import { playErrorText } from '../../platform/member/error-text.ts';
import { openDeposit } from '../../platform/member/open-deposit.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import type { Slot } from '../../platform/member/wallet-merge.ts';
import { sumText } from '../../platform/sum-text.ts';
import type { Play, PlayProblem } from './use-play.ts';

/** The button of all steps; it shows what it will transfer. */
export function PlayButton({ play }: { play: Play }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const label =
    play.amount > 0 ? t('game.playWith', { amount: sumText(t, play.amount, currency) }) : t('game.play');
  return (
    <Button isWide icon={PlayIcon} isBusy={play.step !== null} onClick={play.play}>
      {label}
    </Button>
  );
}

/** How much to take along, as far as the wallet, the game and a bonus allow, and how the last try ended. */
export function PlayMoney({ slot, play }: { slot: Slot; play: Play }) {
  const { t } = useText();
  const wallet = useKnownWallet();
  const { currency, amount: balance } = wallet.wallet;
  const run = useRun();
  const range = transferRange(wallet, null, slot);
  const isInBonus = !run || takesGame(run, slot.code);
  const hasMoney = isOpenRange(range);
  // A transfer without a response is settled by the button before another amount is offered.
  const isOffered = isInBonus && !play.isUnanswered;
  return (
    <section className={`${layout.stack} ${layout.close}`} aria-label={t('game.bring')}>
      {play.problem && <Problem slot={slot} problem={play.problem} />}
      {run && !isInBonus && (
        <MessageBox tone="info">{t(isLate(run) ? 'bonus.timeOver' : 'transfer.notInBonus')}</MessageBox>
      )}
      {isOffered && hasMoney && (
        <>
          <div className={`${layout.row} ${layout.between}`}>
            <h3 className={layout.groupTitle}>{t('game.bring')}</h3>
            <span className={layout.caption}>
              {t('game.inWallet', { amount: sumText(t, balance, currency) })}
            </span>
          </div>
          <QuickAmounts
            label={t('game.bring')}
            none={t('game.bringNone')}
            amounts={offeredAmounts(TRANSFER_QUICK[currency], null, range)}
            chosen={play.amount}
            onChoose={play.choose}
            all={{ label: t('transfer.allShort'), amount: range.most }}
          />
        </>
      )}
      {isOffered && !hasMoney && slot.amount === 0 && (
        <>
          <p className={`${layout.label} ${layout.muted}`}>{t('game.noMoney')}</p>
          <Button tone="soft" isWide icon={ArrowDownToLine} onClick={() => openDeposit()}>
            {t('deposit.title')}
          </Button>
        </>
      )}
    </section>
  );
}

/** Reports the progress and where the money is. */
function Problem({ slot, problem: { step, error, amount } }: { slot: Slot; problem: PlayProblem }) {
  const { t, hold } = useText();
  const { currency } = useKnownWallet().wallet;
  const figures = { amount: sumText(t, amount, currency), game: hold(slot.name) };
  if (error === null)
    return (
      <MessageBox tone="warn" title={t('game.moneyMoving', figures)}>
        {t('game.moneyMovingLead')}
      </MessageBox>
    );
  const isIn = step === 'entering' && amount > 0;
  return (
    <MessageBox tone="bad" title={isIn ? t('game.moneyIn', figures) : undefined}>
      <p>{playErrorText(t, error)}</p>
      {step === 'opening' && amount > 0 && <p>{t('game.moneyStays')}</p>}
    </MessageBox>
  );
}
