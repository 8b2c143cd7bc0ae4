import { useText } from '@krapao/ui/text/text.tsx';
import { useNotice } from '../../components/notice.tsx';
import { queries } from '../../platform/api.ts';

/** Requests a change that a second person decides, and reports the outcome. Throws what the call threw. */
export function useRequest() {
  const { t } = useText();
  const notice = useNotice();
  return async (work: () => Promise<{ approval: string | null }>): Promise<void> => {
    try {
      const { approval } = await work();
      notice.say(approval ? t('approval.requested') : t('team.done'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['team'] });
    }
  };
}
