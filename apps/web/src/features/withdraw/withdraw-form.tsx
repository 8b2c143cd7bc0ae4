import type { MemberApi } from '@krapao/contract/member';
import { AmountField, QuickAmounts } from '@krapao/ui/components/amount-field.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { amountText, parseAmount } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Clock, IdCard, Wallet } from 'lucide';
import type { FormEvent, ReactNode } from 'react';
import { offeredAmounts } from '../../platform/member/amount-range.ts';
import { UnansweredSheet } from '../../platform/member/unanswered-sheet.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { PinStep } from './pin-step.tsx';
import { useWithdraw, type WithdrawProblem } from './use-withdraw.ts';
import styles from './withdraw.module.css';

type Limits = MemberApi['GET /api/lookup/withdraw']['reply'];

const QUICK = { BAHT: [100, 500, 1000, 5000], LAK: [100_000, 500_000, 1_000_000, 5_000_000] };

interface WithdrawFormProps {
  limits: Limits;
  account: ReactNode;
  onClose: () => void;
  onDone: (receipt: MemberApi['POST /api/wallet/withdrawAll']['reply']) => void;
}

/** One amount between the limits. */
export function WithdrawForm({ limits, account, onClose, onDone }: WithdrawFormProps) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const form = useWithdraw(limits, onDone);
  const { range, typed, setTyped, problem, isBusy, send, isPinRequired, setPinRequired, unanswered } = form;
  const amount = unanswered ?? parseAmount(typed, currency);
  const verifyFrom = limits.verifyFrom ?? null;
  const isAutomatic = limits.automaticMax > 0 && (verifyFrom === null || verifyFrom > limits.automaticMax);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(amount);
  };
  if (isPinRequired)
    return (
      <PinStep
        lead={t('pin.enterLead', { amount: sumText(t, amount ?? 0, currency) })}
        onClose={onClose}
        onBack={() => setPinRequired(false)}
        onProven={() => {
          setPinRequired(false);
          send(amount);
        }}
      />
    );
  if (unanswered !== null)
    return (
      <UnansweredSheet
        title={t('withdraw.title')}
        text={t('withdraw.unanswered', { amount: sumText(t, unanswered, currency) })}
        problem={problem?.text ?? null}
        isBusy={isBusy}
        onRepeat={() => send(unanswered)}
      >
        {account}
      </UnansweredSheet>
    );
  const foot = (
    <Button type="submit" form="withdraw-form" isWide isBusy={isBusy} disabled={!amount}>
      {amount ? t('withdraw.now', { amount: sumText(t, amount, currency) }) : t('withdraw.title')}
    </Button>
  );
  return (
    <Sheet title={t('withdraw.title')} onClose={onClose} footer={foot}>
      {account}
      {limits.payoutsFrom && (
        <MessageBox tone="info">
          {t('profile.payoutsFrom', { time: dateTimeText(limits.payoutsFrom) })}
        </MessageBox>
      )}
      <form id="withdraw-form" onSubmit={submit}>
        <AmountField
          label={t('withdraw.amount')}
          currency={currency}
          value={typed}
          onChange={setTyped}
          isWrong={problem?.isAmount}
          hint={
            <>
              <span>{t('withdraw.available', { total: amountText(range.available) })}</span>
              <span>
                {t('withdraw.range', {
                  min: amountText(limits.withdrawMin),
                  max: sumText(t, limits.withdrawMax, currency),
                })}
              </span>
            </>
          }
        />
      </form>
      {problem && <Problem problem={problem} />}
      {amount !== null && verifyFrom !== null && amount >= verifyFrom && <Verify />}
      <QuickAmounts
        label={t('deposit.quick')}
        amounts={offeredAmounts(QUICK[currency], limits.last, range)}
        last={limits.last}
        chosen={amount}
        onChoose={(quick) => setTyped(String(quick))}
        all={{ label: t('transfer.allShort'), amount: range.most }}
      />
      <ul className={styles.notes}>
        <Note icon={Wallet} text={t('withdraw.fromGames')} />
        {isAutomatic && (
          <Note
            icon={Clock}
            text={t(limits.owesBets ? 'withdraw.automaticPlayed' : 'withdraw.automatic', {
              max: sumText(t, limits.automaticMax, currency),
              times: limits.playedTimes ?? 1,
            })}
          />
        )}
      </ul>
    </Sheet>
  );
}

/** An amount that waits for staff unless the member's identity is verified. */
function Verify() {
  const { t } = useText();
  return (
    <MessageBox tone="info" icon={IdCard} title={t('withdraw.verify')}>
      <div className={`${layout.stack} ${layout.close}`}>
        <p>{t('withdraw.verifyLead')}</p>
        <div>
          <Button tone="soft" isSmall onClick={() => openSheet('kyc')}>
            {t('withdraw.verifyNow')}
          </Button>
        </div>
      </div>
    </MessageBox>
  );
}

function Problem({ problem }: { problem: WithdrawProblem }) {
  return (
    <MessageBox tone="bad" title={problem.wayOut ? problem.text : undefined}>
      {problem.wayOut ?? problem.text}
    </MessageBox>
  );
}

function Note({ icon, text }: { icon: typeof Clock; text: string }) {
  return (
    <li className={styles.note}>
      <Icon of={icon} size={20} />
      {text}
    </li>
  );
}
