import { Button } from '@krapao/ui/components/button.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Monitor, Smartphone } from 'lucide';
import { agoText } from '../../platform/ago-text.ts';
import type { Session } from './queries.ts';

const HANDHELD = ['Android', 'iPhone', 'iPad'];

/** The description of a device. */
export function useDeviceName(): (session: Session) => string {
  const { t } = useText();
  return ({ browser, system }) => [browser, system].filter(Boolean).join(' · ') || t('device.unknown');
}

interface DeviceRowProps {
  session: Session;
  now: number;
  onEnd: () => void;
  /** Without it nothing can be confirmed from here. */
  onKnown: (() => void) | undefined;
}

/** One session of the member; a new one requests a confirmation. */
export function DeviceRow({ session, now, onEnd, onKnown }: DeviceRowProps) {
  const { t } = useText();
  const nameOf = useDeviceName();
  const { isThis, isNew, address, createdAt, lastSeenAt } = session;
  const needsConfirmation = isNew && !isThis;
  const end = (
    <Button isSmall tone="text" onClick={onEnd}>
      {t('auth.logout')}
    </Button>
  );
  const used = isThis ? t('device.this') : t('device.used', { ago: agoText(t, lastSeenAt, now) });
  return (
    <div>
      <Item
        lead={
          <BadgeIcon
            icon={HANDHELD.includes(session.system ?? '') ? Smartphone : Monitor}
            tone={isThis ? 'brand' : needsConfirmation ? 'warn' : 'quiet'}
          />
        }
        title={nameOf(session)}
        detail={
          <>
            <Separated parts={[used, address]} />
            {t('device.since', { time: dateTimeText(createdAt) })}
          </>
        }
        trail={isThis || needsConfirmation ? <span /> : end}
      />
      {needsConfirmation && (
        <div className={`${layout.pad} ${layout.stack}`} style={{ paddingTop: 0 }}>
          <MessageBox tone="warn" title={t('device.new')}>
            {t('device.newNote')}
          </MessageBox>
          <div className={layout.row}>
            <Button isSmall isWide tone="danger" onClick={onEnd}>
              {t('auth.logout')}
            </Button>
            {onKnown && (
              <Button isSmall isWide tone="line" onClick={onKnown}>
                {t('device.itWasMe')}
              </Button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
