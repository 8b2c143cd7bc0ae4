import { EmptyState } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { Waiting } from '@krapao/ui/components/waiting.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { BannerBody } from '../../platform/banners/banner-card.tsx';
import { BannerLink } from '../../platform/banners/banner-link.tsx';
import { homeBannersQuery } from '../../platform/member/queries.ts';
import { closeSheet } from '../../platform/sheet-state.ts';

/** One banner of the home screen in full. `arg` is its id. */
export default function BannerSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const { data, isPending } = useQuery(homeBannersQuery);
  const banner = data?.banners.find(({ id }) => id === arg);
  if (isPending) return <Waiting />;
  return (
    <Sheet
      title={banner?.title ?? t('banner.banners')}
      onClose={closeSheet}
      footer={banner?.link && <BannerLink link={banner.link} />}
    >
      {banner ? <BannerBody banner={banner} /> : <EmptyState text={t('state.empty')} />}
    </Sheet>
  );
}
