import { Button } from '@krapao/ui/components/button.tsx';
import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../platform/error-text.ts';
import { agreementsQuery } from '../../platform/member/queries.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { useSite } from '../../platform/site-info.ts';
import { writeStored } from '../../platform/storage.ts';

/** The agreement; only its button records acceptance, so that closing it shows it again next time. */
export default function AgreementSheet() {
  const { t } = useText();
  const { agreement } = useSite();
  const { data, error, refetch } = useQuery(agreementsQuery(agreement));
  const accept = () => {
    writeStored('remember-agreement', String(agreement ?? true));
    closeSheet();
  };
  return (
    <Sheet
      title={t('agree.title')}
      onClose={closeSheet}
      footer={
        <Button isWide disabled={!data} onClick={accept}>
          {t('agree.accept')}
        </Button>
      }
    >
      {data?.map((markup) => (
        <CleanHtml key={markup} markup={markup} />
      ))}
      {!data &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[24, 72, 72]} />
        ))}
    </Sheet>
  );
}
