import { KYC_MEGABYTES_MAX, type KycDocument } from '@krapao/contract/shared';
import { Button } from '@krapao/ui/components/button.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { PictureUpload } from '@krapao/ui/components/picture-upload.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Check, Clock, IdCard, LockKeyhole, Upload } from 'lucide';
import { errorText } from '../../platform/error-text.ts';
import { kycQuery } from '../../platform/member/queries.ts';
import { PICTURE_ACCEPT } from '../../platform/picture-file.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { type Kyc, useDocuments } from './use-documents.ts';

const NOTHING: Kyc = { state: null, wanted: [], received: [], refusal: null };

/** The identity check: what is to be sent, then how it went on. */
export default function KycSheet() {
  const { t } = useText();
  const { data, error, refetch } = useQuery(kycQuery);
  const documents = useDocuments(data ?? NOTHING);
  const isOpen = data !== undefined && data.wanted.length > 0;
  const foot = isOpen && (
    <Button
      isWide
      icon={Upload}
      isBusy={documents.sending !== null}
      disabled={!documents.isComplete}
      onClick={documents.send}
    >
      {t('kyc.send')}
    </Button>
  );
  return (
    <Sheet title={t('kyc.title')} onClose={closeSheet} footer={foot}>
      {!data &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[48, 168, 168]} />
        ))}
      {data && (isOpen ? <Form of={data} documents={documents} /> : <State of={data} />)}
    </Sheet>
  );
}

function State({ of: { state } }: { of: Kyc }) {
  const { t } = useText();
  if (state === 'VERIFIED') return <MessageBox tone="ok" title={t('kyc.verified')} />;
  if (state === null) return <EmptyState icon={IdCard} text={t('kyc.none')} />;
  return (
    <MessageBox tone="info" icon={Clock} title={t('kyc.submitted')}>
      {t('kyc.submittedLead')}
    </MessageBox>
  );
}

type Documents = ReturnType<typeof useDocuments>;

function Form({ of: kyc, documents }: { of: Kyc; documents: Documents }) {
  const { t } = useText();
  return (
    <>
      {kyc.refusal && (
        <MessageBox tone="warn" title={t('kyc.refused')}>
          {t(`kycRefusal.${kyc.refusal}`)}
        </MessageBox>
      )}
      <p className={layout.caption}>{t('kyc.lead')}</p>
      {kyc.wanted.map((kind) => (
        <section key={kind} className={`${layout.stack} ${layout.close}`}>
          <h3 className={layout.groupTitle}>{t(`kycDocument.${kind}`)}</h3>
          {kyc.received.includes(kind) ? <Received /> : <Choice kind={kind} documents={documents} />}
        </section>
      ))}
      {documents.problem && <MessageBox tone="bad">{errorText(t, documents.problem)}</MessageBox>}
      <MessageBox tone="info" icon={LockKeyhole}>
        {t('kyc.private')}
      </MessageBox>
    </>
  );
}

function Received() {
  const { t } = useText();
  return (
    <div className={layout.card}>
      <Item lead={<BadgeIcon icon={Check} tone="brand" />} title={t('kyc.received')} />
    </div>
  );
}

function Choice({ kind, documents }: { kind: KycDocument; documents: Documents }) {
  const { t } = useText();
  const { sending } = documents;
  return (
    <PictureUpload
      name={t(`kycDocument.${kind}`)}
      prompt={t('kyc.choose')}
      accept={PICTURE_ACCEPT}
      hint={t('slip.formats', { limit: KYC_MEGABYTES_MAX })}
      picture={documents.chosen[kind] ?? null}
      progress={sending?.kind === kind ? sending.progress : null}
      doing={t('slip.sending')}
      onChoose={(file) => documents.choose(kind, file)}
      onRemove={() => documents.remove(kind)}
    />
  );
}
