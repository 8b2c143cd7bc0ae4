import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { LoaderPinwheel } from 'lucide';
import { useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { playErrorText } from '../../platform/member/error-text.ts';
import { PlayStop, usePlayStop } from '../../platform/member/play-stop.tsx';
import { closeSheet } from '../../platform/sheet-state.ts';
import { Coupons } from './coupons.tsx';
import { couponsQuery, setupQuery } from './queries.ts';
import { SpinPart } from './spin-part.tsx';
import { useSpin } from './use-spin.ts';

/** The lucky wheel while one turns, the coins it takes, and the coupons that were won or given. */
export default function WheelSheet() {
  const { t, hold } = useText();
  const [failure, setFailure] = useState<unknown>(null);
  const spinning = useSpin(setFailure);
  const { state, result } = spinning;
  // While it turns the wheel stays as it was drawn, whatever operators or the notice of the spin change.
  const isHeld = state === 'drawing' || state === 'turning';
  const { data, error, refetch } = useQuery({ ...setupQuery, enabled: !isHeld });
  const stop = usePlayStop();
  const wheel = data?.activeSpinwheel;
  const hasCoupons = (useQuery({ ...couponsQuery, enabled: !isHeld }).data?.length ?? 0) > 0;
  const hasOnlyCoupons = data !== undefined && !wheel && hasCoupons;
  const title = wheel ? hold(wheel.name) : t(hasOnlyCoupons ? 'coupon.mine' : 'wheel.title');
  const slice = wheel?.slices.find(({ code }) => code === result?.code);
  return (
    <Sheet title={title} onClose={closeSheet}>
      {stop && state === 'still' && <PlayStop error={stop} />}
      {data && wheel && !(stop && state === 'still') && (
        <SpinPart setup={data} wheel={wheel} spinning={spinning} />
      )}
      {data && !wheel && !hasOnlyCoupons && (
        <EmptyState icon={LoaderPinwheel} text={t('error.SPINWHEEL_INACTIVE')} />
      )}
      {!data &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[32, 306, 44]} />
        ))}
      <Coupons isTitled={!hasOnlyCoupons} isHeld={isHeld} />
      {state === 'shown' && result && (
        <AlertDialog
          tone={result.prize ? 'won' : 'none'}
          title={result.prize ? t('wheel.won', { prize: hold(result.prize.name) }) : t('wheel.blank')}
          onClose={spinning.close}
        >
          {slice?.htmlDescription && <CleanHtml markup={slice.htmlDescription} />}
        </AlertDialog>
      )}
      {failure !== null && (
        <AlertDialog tone="bad" title={playErrorText(t, failure)} onClose={() => setFailure(null)} />
      )}
    </Sheet>
  );
}
