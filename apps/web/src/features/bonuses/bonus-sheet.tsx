import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { BadgePercent } from 'lucide';
import { errorText } from '../../platform/error-text.ts';
import { isPlayStop, PlayStop } from '../../platform/member/play-stop.tsx';
import { closeSheet } from '../../platform/sheet-state.ts';
import { OfferSheet } from './offer-sheet.tsx';
import { bonusesQuery } from './queries.ts';

/** One bonus; `arg` is its code. */
export default function BonusSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const { data, error, refetch } = useQuery(bonusesQuery);
  const isStopped = isPlayStop(error);
  const bonus = isStopped ? undefined : data?.find(({ code }) => code === arg);
  if (bonus) return <OfferSheet offer={bonus} call="GET /api/bonus/activate/{code}" />;
  return (
    <Sheet title={t('bonus.bonus')} onClose={closeSheet}>
      {isStopped && <PlayStop error={error} />}
      {data && !isStopped && <EmptyState icon={BadgePercent} text={t('bonus.gone')} />}
      {!data &&
        !isStopped &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[164, 156]} />
        ))}
    </Sheet>
  );
}
