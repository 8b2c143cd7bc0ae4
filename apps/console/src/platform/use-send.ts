import { useText } from '@krapao/ui/text/text.tsx';
import { useNotice } from '../components/notice.tsx';
import { queries } from './api.ts';

/** Runs one change and reports it; the list is read again after any outcome. Rethrows. */
export function useSend(queryKey: readonly string[]) {
  const { t } = useText();
  const notice = useNotice();
  return async (work: () => Promise<unknown>) => {
    try {
      await work();
      notice.say(t('banner.saved'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey });
    }
  };
}
