import { ApiError } from '@krapao/ui/api/api-error.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { api, queries, type Reply } from '../platform/api.ts';
import { isFault, type Outcome, sendInCalls } from './bulk.tsx';
import { useNotice } from './notice.tsx';

/** Reads everything again that shows withdrawals. */
export const readWithdrawalsAgain = () =>
  Promise.all(
    ['withdrawals', 'withdrawal', 'approvals', 'today'].map((key) =>
      queries.invalidateQueries({ queryKey: [key] }),
    ),
  );

type Result = Reply<'POST /api/operator/withdrawals/undo'>['results'][number];

/** Undoes the caller's decisions about withdrawals that are not carried out yet, and reports the outcome. */
export function useUndo() {
  const { t } = useText();
  const notice = useNotice();
  const report = ({ results, unknown, untried }: Outcome<Result>) => {
    if (results.some(isFault)) return notice.complain(new ApiError('INTERNAL_SERVER_ERROR'));
    // The failed call was reported.
    if (unknown.length + untried.length > 0) return;
    const failed = results.filter(({ refusal }) => refusal !== null).length;
    const done = results.length - failed;
    if (failed === 0) notice.say(t('withdrawals.undone'));
    else notice.say(done > 0 ? t('withdrawals.tooLateSome', { done, failed }) : t('withdrawals.tooLate'));
  };
  /** Undoes them in this order, so the earliest first; null when the server refused it. */
  const undo = async (ids: readonly string[], onUndone?: () => void): Promise<Outcome<Result> | null> => {
    const send = (some: string[]) => api('POST /api/operator/withdrawals/undo', { body: { ids: some } });
    const outcome = await sendInCalls(ids, send, notice.complain).catch(() => null);
    void readWithdrawalsAgain();
    if (outcome?.results.some(({ refusal }) => refusal === null)) onUndone?.();
    if (outcome) report(outcome);
    return outcome;
  };
  /** Reports a decision, and offers to undo it while possible. */
  const offer = (
    text: string,
    { ids, seconds, onUndone }: { ids: readonly string[]; seconds: number; onUndone?: () => void },
  ) =>
    notice.offerUndo(text, {
      label: t('withdrawals.undo'),
      seconds,
      perform: () => void undo(ids, onUndone),
    });
  return { undo, offer };
}
