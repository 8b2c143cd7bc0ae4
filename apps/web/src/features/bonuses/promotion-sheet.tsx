import { codeOf } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { EmptyState, ErrorState } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Search, SearchX } from 'lucide';
import { playErrorText } from '../../platform/member/error-text.ts';
import { isPlayStop, PlayStop } from '../../platform/member/play-stop.tsx';
import { closeSheet } from '../../platform/sheet-state.ts';
import { OfferSheet } from './offer-sheet.tsx';
import { promotionQuery } from './queries.ts';

/** A promotion looked up by its code, which is `arg`: being searched, found, or not found. */
export default function PromotionSheet({ arg = '' }: { arg: string | undefined }) {
  const { t } = useText();
  const { data, error, refetch, isFetching } = useQuery(promotionQuery(arg));
  if (data && !isPlayStop(error))
    return <OfferSheet offer={data} call="GET /api/promotion/activate/{code}" />;
  return (
    <Sheet title={t('promo.title', { code: arg })} onClose={closeSheet}>
      <div role="status">
        {error && !isFetching ? (
          <Failed error={error} onRetry={() => refetch()} />
        ) : (
          <EmptyState icon={Search} text={t('promo.searching')} />
        )}
      </div>
    </Sheet>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useText();
  if (isPlayStop(error)) return <PlayStop error={error} />;
  if (codeOf(error) === 'NO_PROMOTION')
    return (
      <EmptyState icon={SearchX} text={t('promo.notFound')}>
        <Button tone="soft" isSmall onClick={closeSheet}>
          {t('promo.seeAll')}
        </Button>
      </EmptyState>
    );
  return <ErrorState text={playErrorText(t, error)} onRetry={onRetry} />;
}
