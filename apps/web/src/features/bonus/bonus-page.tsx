import { EmptyState } from '@krapao/ui/parts/load-state.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { BadgePercent } from 'lucide';
import page from '../../platform/page.module.css';
import { useTitle } from '../../platform/use-title.ts';

/** Bonuses and promotions; none is offered yet. */
export default function BonusPage() {
  const { t } = useText();
  useTitle(t('bonus.page'));
  return (
    <main className={page.page}>
      <h1>{t('bonus.page')}</h1>
      <section className={layout.card}>
        <EmptyState icon={BadgePercent} text={t('bonus.none')} />
      </section>
    </main>
  );
}
