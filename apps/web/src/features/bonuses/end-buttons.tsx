import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { isDecided } from '@krapao/ui/api/decided.ts';
import { AlertDialog, Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { codeText, errorText } from '../../platform/error-text.ts';
import { type Figures, isLate, isWon, missingOf, type Run, runOf } from '../../platform/member/bonus-run.ts';
import { useRunTexts } from '../../platform/member/bonus-texts.ts';
import { activeBonusQuery, queryClient } from '../../platform/member/queries.ts';
import { readFreshWallet, useKnownWallet } from '../../platform/member/wallet.ts';
import { sumText } from '../../platform/sum-text.ts';
import type { Finished } from './finished-run.tsx';
import { refreshBonuses } from './queries.ts';
import { cappedOf, takenOf } from './rules.ts';

type Call = 'GET /api/bonus/clear' | 'POST /api/bonus/forfeit';

/** An end to be confirmed, by the figures that are shown. */
interface Question {
  call: Call;
  run: Run;
  /** What the end takes. */
  takes: number;
  /** The server refused to take more than was shown before. */
  isRepeated?: boolean;
}

/** What the end takes by these figures. */
const takes = (call: Call, run: Run): number =>
  call === 'POST /api/bonus/forfeit' || isLate(run) ? takenOf(run) : cappedOf(run);

/** The run by figures read now; null when it has ended. Throws when they cannot be read. */
async function readRun(): Promise<Run | null> {
  return runOf(await queryClient.fetchQuery(activeBonusQuery));
}

/**
 * Ends the run as finished or given up. What it takes is confirmed by figures read afresh, and no more is taken; the
 * obstacle stays for an alert. Calls `onFinish` with a run that was won, or was shown as won.
 */
function useEnd(run: Run, onFinish: (finished: Finished) => void) {
  const { t } = useText();
  const wallet = useKnownWallet();
  const [busy, setBusy] = useState<Call | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const end = async ({ call, run: shown, takes: most }: Question) => {
    setBusy(call);
    setQuestion(null);
    try {
      const ended = await api(call, { query: { takenMost: most } });
      const isShown = ended.state === 'SUCCESS' || (ended.state === 'FAILED' && isWon(run));
      if (isShown) onFinish({ run: shown, ended });
      else showToast('ok', codeText(t, ended.message));
      await refreshBonuses();
    } catch (error) {
      const takesMore = error instanceof ApiError && error.code === 'BONUS_TAKES_MORE';
      if (!takesMore) setFailure(error);
      await refreshBonuses();
      const active = queryClient.getQueryData(activeBonusQuery.queryKey);
      const fresh = runOf(active);
      if (takesMore && fresh)
        setQuestion({ call, run: fresh, takes: Number(error.data.takes), isRepeated: true });
      // The end that had no answer, or another device's: the alert goes with the run.
      if (active && !fresh) showToast('info', t('bonus.endedUnseen'));
    }
    setBusy(null);
  };
  const confirm = async (call: Call) => {
    setBusy(call);
    try {
      await readFreshWallet(wallet);
      const fresh = await readRun();
      if (!fresh) showToast('info', t('bonus.endedUnseen'));
      else {
        const next = { call, run: fresh, takes: takes(call, fresh) };
        if (call === 'GET /api/bonus/clear' && next.takes === 0) return end(next);
        setQuestion(next);
      }
    } catch (error) {
      setFailure(error);
    }
    setBusy(null);
  };
  return {
    busy,
    failure,
    question,
    end,
    giveUp: () => confirm('POST /api/bonus/forfeit'),
    finish: () =>
      takes('GET /api/bonus/clear', run) > 0
        ? confirm('GET /api/bonus/clear')
        : end({ call: 'GET /api/bonus/clear', run, takes: 0 }),
    forget: () => setFailure(null),
    cancel: () => setQuestion(null),
  };
}

/** The two ways a member ends a run: by its terms, or by giving up what it brought. */
export function EndButtons({ run, onFinish }: { run: Run; onFinish: (finished: Finished) => void }) {
  const { t } = useText();
  const { busy, failure, question, ...ending } = useEnd(run, onFinish);
  const isOver = isLate(run) || missingOf(run).isOver;
  const label = isOver ? (isWon(run) && !isLate(run) ? 'bonus.finish' : 'bonus.end') : 'bonus.cancel';
  const isCap = question?.call === 'GET /api/bonus/clear' && question.takes === cappedOf(question.run);
  const Dialog = isCap ? EndCapped : EndTaken;
  return (
    <div className={`${layout.stack} ${layout.tight}`}>
      <Button
        isWide
        tone={isOver ? 'primary' : 'line'}
        isBusy={busy === 'GET /api/bonus/clear'}
        disabled={busy !== null}
        onClick={ending.finish}
      >
        {t(label)}
      </Button>
      {run.mayForfeit && !isOver && (
        <Button
          isWide
          tone="bad"
          isBusy={busy === 'POST /api/bonus/forfeit'}
          disabled={busy !== null}
          onClick={ending.giveUp}
        >
          {t('bonus.giveUp')}
        </Button>
      )}
      {question && <Dialog {...question} onConfirm={() => ending.end(question)} onCancel={ending.cancel} />}
      {failure !== null && (
        <AlertDialog
          tone="bad"
          title={isDecided(failure) ? t('bonus.cancelFail') : errorText(t, failure)}
          onClose={ending.forget}
        >
          {isDecided(failure) && <Why error={failure} run={run} />}
        </AlertDialog>
      )}
    </div>
  );
}

interface ConfirmEndProps extends Question {
  onConfirm: () => void;
  onCancel: () => void;
}

/** A won run with a maximum below the balance: shows the amount that is taken. */
function EndCapped({ run, takes: amount, isRepeated, onConfirm, onCancel }: ConfirmEndProps) {
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
      {isRepeated && <p>{t('error.BONUS_TAKES_MORE')}</p>}
      <p>{t('bonus.capTakes', { most, amount: sumText(t, amount, currency) })}</p>
    </Confirm>
  );
}

/** Shows the amounts that giving up, or the end past its time, takes and leaves. */
function EndTaken({ call, run, takes: taken, isRepeated, onConfirm, onCancel }: ConfirmEndProps) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const sum = (amount: number) => sumText(t, amount, currency);
  const isGivenUp = call === 'POST /api/bonus/forfeit';
  return (
    <Confirm
      title={t(isGivenUp ? 'bonus.giveUpConfirm' : 'bonus.endConfirm')}
      confirmLabel={t(isGivenUp ? 'bonus.giveUp' : 'bonus.end')}
      cancelLabel={t(isGivenUp ? 'bonus.keep' : 'btn.cancel')}
      isDanger
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div className={`${layout.stack} ${layout.close}`}>
        {isRepeated && <p>{t('error.BONUS_TAKES_MORE')}</p>}
        <p>{t('bonus.giveUpTakes', { amount: sum(taken) })}</p>
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
function Why({ error, run }: { error: unknown; run: Run }) {
  const { t } = useText();
  const texts = useRunTexts();
  if (codeOf(error) === 'TRANSFER_FAIL') return <p>{t('transfer.failedStays')}</p>;
  const figures = error instanceof ApiError && codeOf(error) === 'BONUS_CONDITION' ? error.data : null;
  if (!figures || typeof figures.balance !== 'number') return <p>{errorText(t, error)}</p>;
  // Past its time nothing that is still missing counts any more.
  const missing = isLate(run) ? null : texts.missing(figures as unknown as Figures);
  if (!missing) return <p>{t('bonus.stillMoving')}</p>;
  return (
    <>
      <p>{missing}</p>
      <p>{texts.orFloor(figures as unknown as Figures)}</p>
    </>
  );
}
