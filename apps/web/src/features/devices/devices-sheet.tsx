import { Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useNow } from '@krapao/ui/hooks/use-now.ts';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide';
import { useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { DeviceRow, useDeviceName } from './device-row.tsx';
import { type Session, sessionsQuery } from './queries.ts';
import { useDevices } from './use-devices.ts';

/** Where the member is logged in. Any place but this one can be logged out, one by one or all. */
export default function DevicesSheet() {
  const { t } = useText();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const now = useNow(30_000);
  const devices = useDevices();
  const [question, setQuestion] = useState<Session | 'others' | null>(null);
  const isInQuestion = data?.sessions.some(({ isThis, isNew }) => isThis && isNew) ?? false;
  const foot = data && data.sessions.length > 1 && (
    <Button tone="line" isWide icon={LogOut} isBusy={devices.isBusy} onClick={() => setQuestion('others')}>
      {t('device.endOthers')}
    </Button>
  );
  return (
    <Sheet title={t('device.title')} onClose={closeSheet} footer={foot}>
      {data && (
        <div className={`${layout.card} ${layout.list}`}>
          {data.sessions.map((session) => (
            <DeviceRow
              key={session.id}
              session={session}
              now={now}
              onEnd={() => setQuestion(session)}
              onKnown={isInQuestion ? undefined : () => devices.confirm(session.id)}
            />
          ))}
        </div>
      )}
      {!data &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[72, 72]} />
        ))}
      {question && (
        <ConfirmEnd
          of={question}
          onCancel={() => setQuestion(null)}
          onConfirm={() => {
            setQuestion(null);
            devices.end(question === 'others' ? null : question.id);
          }}
        />
      )}
    </Sheet>
  );
}

interface ConfirmEndProps {
  of: Session | 'others';
  onConfirm: () => void;
  onCancel: () => void;
}

function ConfirmEnd({ of, onConfirm, onCancel }: ConfirmEndProps) {
  const { t } = useText();
  const nameOf = useDeviceName();
  const title = of === 'others' ? t('device.endOthers') : t('device.endConfirm', { device: nameOf(of) });
  return (
    <Confirm title={title} confirmLabel={t('auth.logout')} isDanger onConfirm={onConfirm} onCancel={onCancel}>
      {t(of === 'others' ? 'device.endOthersNote' : 'device.endNote')}
    </Confirm>
  );
}
