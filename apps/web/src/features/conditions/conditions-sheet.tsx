import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../platform/error-text.ts';
import { conditionsQuery } from '../../platform/member/queries.ts';
import { closeSheet } from '../../platform/sheet-state.ts';

/** The conditions as the operators wrote them, one card each. */
export default function ConditionsSheet() {
  const { t } = useText();
  const { data, error, refetch } = useQuery(conditionsQuery);
  const list = data?.conditions;
  return (
    <Sheet title={t('nav.conditions')} onClose={closeSheet}>
      {list?.length === 0 && <EmptyState text={t('state.empty')} />}
      {list?.map((markup) => (
        <section key={markup} className={`${layout.card} ${layout.pad}`}>
          <CleanHtml markup={markup} />
        </section>
      ))}
      {!list &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[72, 72, 72]} />
        ))}
    </Sheet>
  );
}
