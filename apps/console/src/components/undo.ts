import { useText } from '@krapao/ui/text/text.tsx';
import { api, queries } from '../platform/api.ts';
import { useNotice } from './notice.tsx';

/** Reads everything again that shows withdrawals. */
export const readWithdrawalsAgain = () =>
  Promise.all(
    ['withdrawals', 'withdrawal', 'approvals', 'today'].map((key) =>
      queries.invalidateQueries({ queryKey: [key] }),
    ),
  );

/** Undoes the caller's decisions about withdrawals that are not carried out yet, and reports the outcome. */
export function useUndo() {
  const { t } = useText();
  const notice = useNotice();
  const undo = async (ids: readonly string[], onUndone?: () => void) => {
    try {
      const { results } = await api('POST /api/operator/withdrawals/undo', { body: { ids: [...ids] } });
      const failed = results.filter(({ refusal }) => refusal !== null).length;
      const done = results.length - failed;
      if (done > 0) onUndone?.();
      if (failed === 0) notice.say(t('withdrawals.undone'));
      else notice.say(done > 0 ? t('withdrawals.tooLateSome', { done, failed }) : t('withdrawals.tooLate'));
    } catch (error) {
      notice.complain(error);
    } finally {
      void readWithdrawalsAgain();
    }
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
