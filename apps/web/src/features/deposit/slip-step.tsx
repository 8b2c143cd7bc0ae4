import type { MemberApi } from '@krapao/contract/member';
import { ApiError } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { PictureUpload } from '@krapao/ui/components/picture-upload.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useDelayed } from '@krapao/ui/hooks/use-delayed.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Clock, Moon, ScanLine, Upload } from 'lucide';
import { useState } from 'react';
import { playErrorText } from '../../platform/member/error-text.ts';
import { queryClient, slipLookupQuery } from '../../platform/member/queries.ts';
import { PICTURE_ACCEPT } from '../../platform/picture-file.ts';
import { backSheet, closeSheet } from '../../platform/sheet-state.ts';
import { slipWindowText } from '../../platform/slip-text.ts';
import { AccountCard } from './account-card.tsx';
import type { DepositBank } from './channels.ts';
import styles from './deposit.module.css';
import { SlipDone } from './slip-done.tsx';
import { type SlipReceipt, useSlip } from './use-slip.ts';

type SlipLookup = MemberApi['GET /api/lookup/slip']['reply'];
type Hours = SlipLookup['closedHours'];

/** Handing in the picture of a transfer slip; with `bank` for a transfer to that account. */
export function SlipStep({ bank }: { bank: DepositBank | undefined }) {
  const { t } = useText();
  const { data, error, refetch } = useQuery(slipLookupQuery);
  const [receipt, setReceipt] = useState<SlipReceipt | null>(null);
  if (receipt)
    return (
      <SlipDone receipt={receipt} windowMinutes={data?.windowMinutes} onAgain={() => setReceipt(null)} />
    );
  if (data?.open) return <SlipForm lookup={data} bank={bank} onDone={setReceipt} />;
  return (
    <Sheet title={t('deposit.slip')} onClose={closeSheet} onBack={backSheet}>
      {data && (
        <MessageBox tone="warn" icon={Moon} title={t('slip.closedNow')}>
          {closedText(t, data.closedHours)}
        </MessageBox>
      )}
      {!data &&
        (error ? (
          <ErrorState text={playErrorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[168, 24, 24]} />
        ))}
    </Sheet>
  );
}

const closedText = (t: Translate, hours: Hours): string =>
  hours.map(({ from, to }) => t('slip.closed', { from, to })).join(' ');

/** What went wrong; in closed hours the hours, and from then on the form is closed. */
function problemText(t: Translate, problem: unknown): string {
  const hours = problem instanceof ApiError ? (problem.data.closedHours as Hours | undefined) : undefined;
  if (!hours) return playErrorText(t, problem);
  queryClient.invalidateQueries({ queryKey: slipLookupQuery.queryKey });
  return closedText(t, hours);
}

const STOP_AFTER_MS = 500;

interface SlipFormProps {
  lookup: SlipLookup;
  bank: DepositBank | undefined;
  onDone: (receipt: SlipReceipt) => void;
}

function SlipForm({ lookup, bank, onDone }: SlipFormProps) {
  const { t } = useText();
  const { maxSizeMB } = lookup;
  const slip = useSlip(bank?.bankCode ?? null, maxSizeMB, onDone);
  const isSending = slip.progress !== null;
  const isSent = slip.progress === 1;
  // The second tap of a double tap would cancel what the first has begun.
  const canStop = useDelayed(isSending && !isSent, STOP_AFTER_MS);
  const foot = canStop ? (
    <Button isWide tone="line" onClick={slip.stop}>
      {t('slip.stop')}
    </Button>
  ) : (
    <Button isWide icon={Upload} isBusy={isSending} disabled={slip.chosen === null} onClick={slip.send}>
      {t('slip.send')}
    </Button>
  );
  return (
    <Sheet title={t('deposit.slip')} onClose={closeSheet} onBack={backSheet} footer={foot}>
      {bank && <AccountCard bank={bank} />}
      <PictureUpload
        name={t('slip.slip')}
        prompt={t('slip.choose')}
        accept={PICTURE_ACCEPT}
        hint={t('slip.formats', { limit: maxSizeMB })}
        picture={slip.chosen}
        progress={slip.progress}
        doing={t(isSent ? 'slip.atBank' : 'slip.sending')}
        onChoose={slip.choose}
        onRemove={slip.remove}
      />
      {slip.problem !== null && <MessageBox tone="bad">{problemText(t, slip.problem)}</MessageBox>}
      <SlipNotes lookup={lookup} />
    </Sheet>
  );
}

function SlipNotes({ lookup }: { lookup: SlipLookup }) {
  const { t } = useText();
  const notes = [
    { icon: Clock, text: slipWindowText(t, lookup.windowMinutes) },
    { icon: ScanLine, text: t('slip.whole') },
    ...lookup.closedHours.map(({ from, to }) => ({ icon: Moon, text: t('slip.closed', { from, to }) })),
  ];
  return (
    <ul className={styles.notes}>
      {notes.map(({ icon, text }) => (
        <li key={text} className={styles.note}>
          <Icon of={icon} size={20} />
          {text}
        </li>
      ))}
    </ul>
  );
}
