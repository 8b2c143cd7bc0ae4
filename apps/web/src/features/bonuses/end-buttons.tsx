import { ApiError, codeOf, isDecided } from '@krapao/ui/api/api-error.ts';
import { AlertDialog, Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { codeText, errorText } from '../../platform/error-text.ts';
import { type Figures, isWon, missingOf, type Run, runOf } from '../../platform/member/bonus-run.ts';
import { useRunTexts } from '../../platform/member/bonus-texts.ts';
import { activeBonusQuery, queryClient } from '../../platform/member/queries.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { sumText } from '../../platform/sum-text.ts';
import { refreshBonuses } from './queries.ts';
import { cappedOf, takenOf } from './rules.ts';

type Call = 'GET /api/bonus/clear' | 'POST /api/bonus/forfeit';

/** Ends the run as finished or given up; the obstacle stays for an alert. Calls `onFinish` with one that was won. */
function useEnd(run: Run, onFinish: (run: Run) => void) {
  const { t } = useText();
  const [busy, setBusy] = useState<Call | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const end = async (call: Call) => {
    setBusy(call);
    try {
      const { message } = await api(call);
      if (call === 'GET /api/bonus/clear' && isWon(run)) onFinish(run);
      else showToast('ok', codeText(t, message));
      await refreshBonuses();
    } catch (error) {
      setFailure(error);
      await refreshBonuses();
      // The end that had no answer, or another device's: the alert goes with the run.
      const active = queryClient.getQueryData(activeBonusQuery.queryKey);
      if (active && !runOf(active)) showToast('info', t('bonus.endedUnseen'));
    }
    setBusy(null);
  };
  return { end, busy, failure, forget: () => setFailure(null) };
}

/** The two ways a member ends a run: by its terms, or by giving up what it brought. */
export function EndButtons({ run, onFinish }: { run: Run; onFinish: (run: Run) => void }) {
  const { t } = useText();
  const { end, busy, failure, forget } = useEnd(run, onFinish);
  const [confirming, setConfirming] = useState<Call | null>(null);
  const { isOver } = missingOf(run);
  const label = isOver ? (isWon(run) ? 'bonus.finish' : 'bonus.end') : 'bonus.cancel';
  const cancel = () =>
    cappedOf(run) > 0 ? setConfirming('GET /api/bonus/clear') : end('GET /api/bonus/clear');
  const goOn = (call: Call) => {
    setConfirming(null);
    end(call);
  };
  return (
    <div className={`${layout.stack} ${layout.tight}`}>
      <Button
        isWide
        tone={isOver ? 'primary' : 'line'}
        isBusy={busy === 'GET /api/bonus/clear'}
        disabled={busy !== null}
        onClick={cancel}
      >
        {t(label)}
      </Button>
      {run.mayForfeit && !isOver && (
        <Button
          isWide
          tone="bad"
          isBusy={busy === 'POST /api/bonus/forfeit'}
          onClick={() => setConfirming('POST /api/bonus/forfeit')}
        >
          {t('bonus.giveUp')}
        </Button>
      )}
      {confirming === 'POST /api/bonus/forfeit' && (
        <GiveUp run={run} onConfirm={() => goOn(confirming)} onCancel={() => setConfirming(null)} />
      )}
      {confirming === 'GET /api/bonus/clear' && (
        <EndCapped run={run} onConfirm={() => goOn(confirming)} onCancel={() => setConfirming(null)} />
      )}
      {failure !== null && (
        <AlertDialog
          tone="bad"
          title={isDecided(failure) ? t('bonus.cancelFail') : errorText(t, failure)}
          onClose={forget}
        >
          {isDecided(failure) && <Why error={failure} />}
        </AlertDialog>
      )}
    </div>
  );
}

interface ConfirmEndProps {
  run: Run;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A won run with a maximum below the balance: shows the amount that is taken. */
function EndCapped({ run, onConfirm, onCancel }: ConfirmEndProps) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const most = sumText(t, run.withdrawMost ?? 0, currency);
  return (
    <Confirm
      title={t('bonus.endConfirm')}
      confirmLabel={t('bonus.finish')}
      cancelLabel={t('bonus.keep')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {t('bonus.capTakes', { most, amount: sumText(t, cappedOf(run), currency) })}
    </Confirm>
  );
}

/** Shows the amounts that giving up takes and leaves. */
function GiveUp({ run, onConfirm, onCancel }: ConfirmEndProps) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const sum = (amount: number) => sumText(t, amount, currency);
  return (
    <Confirm
      title={t('bonus.giveUpConfirm')}
      confirmLabel={t('bonus.giveUp')}
      cancelLabel={t('bonus.keep')}
      isDanger
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div className={`${layout.stack} ${layout.close}`}>
        <p>{t('bonus.giveUpTakes', { amount: sum(takenOf(run)) })}</p>
        <p>
          {run.deposit > 0
            ? t('bonus.giveUpKeeps', { amount: sum(Math.min(run.deposit, Math.max(0, run.balance))) })
            : t('bonus.giveUpNothing')}
        </p>
      </div>
    </Confirm>
  );
}

/** The reason in plain words: what is missing where the terms are not met, else the server's reason. */
function Why({ error }: { error: unknown }) {
  const { t } = useText();
  const texts = useRunTexts();
  if (codeOf(error) === 'TRANSFER_FAIL') return <p>{t('transfer.failedStays')}</p>;
  const figures = error instanceof ApiError && codeOf(error) === 'BONUS_CONDITION' ? error.data : null;
  if (!figures || typeof figures.balance !== 'number') return <p>{errorText(t, error)}</p>;
  const missing = texts.missing(figures as unknown as Figures);
  if (!missing) return <p>{t('bonus.stillMoving')}</p>;
  return (
    <>
      <p>{missing}</p>
      <p>{texts.orFloor(figures as unknown as Figures)}</p>
    </>
  );
}
