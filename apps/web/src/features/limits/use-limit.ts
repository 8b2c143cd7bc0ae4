import { showToast } from '@krapao/ui/components/toast.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { useOwnSheet } from '../../platform/own-sheet.ts';
import { type Limit, type PlayLimits, takeLimits } from './queries.ts';

/** Changes one limit, closes the sheet, and reports from when the change applies. */
export function useLimit({ kind, period, amount: present }: Limit) {
  const { t } = useText();
  const own = useOwnSheet();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const perform = async (work: () => Promise<PlayLimits>) => {
    setBusy(true);
    setProblem(null);
    try {
      const response = await work();
      takeLimits(response);
      const next = response.limits.find((one) => one.kind === kind && one.period === period)?.next;
      own.close();
      showToast('ok', next ? t('limit.waits', { time: dateTimeText(next.from) }) : t('limit.saved'));
    } catch (error) {
      setProblem(errorText(t, error));
      setBusy(false);
    }
  };
  const send = (amount: number) => perform(() => api('PUT /api/limits', { body: { kind, period, amount } }));
  return {
    isBusy,
    problem,
    send,
    /** Forgets a looser one that waits. */
    keep: () => present !== null && send(present),
    remove: () => perform(() => api('DELETE /api/limits/{kind}/{period}', { params: { kind, period } })),
  };
}
