import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { Switch } from '@krapao/ui/components/switch.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../platform/error-text.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { type PushState, pushQuery } from './queries.ts';
import { usePush } from './use-push.ts';

const KINDS = [
  ['money', 'push.money'],
  ['chat', 'push.chat'],
  ['bonus', 'push.bonus'],
  ['login', 'push.login'],
] as const;
const OBSTACLES = { blocked: 'push.blocked', install: 'push.install', none: 'push.none' } as const;

/** What is brought to the member while the app is closed: to this device or not, which kinds, with amounts or not. */
export default function PushSheet() {
  const { t } = useText();
  const { data, error, refetch } = useQuery(pushQuery);
  return (
    <Sheet title={t('push.title')} onClose={closeSheet}>
      <p className={layout.caption}>{t('push.lead')}</p>
      {data ? (
        <Choices of={data} />
      ) : error ? (
        <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={[64, 280]} />
      )}
    </Sheet>
  );
}

function Choices({ of: state }: { of: PushState }) {
  const { t } = useText();
  const { ability, isBusy, turnOn, turnOff, preferences } = usePush();
  const { publicKey, isOn, kinds, hidesAmounts } = state;
  const can = publicKey === null ? 'none' : ability;
  return (
    <>
      {can === 'ready' ? (
        <div className={layout.card}>
          <Switch
            title={t('push.here')}
            isOn={isOn}
            isBusy={isBusy}
            onChange={(next) => (next ? turnOn(publicKey ?? '') : turnOff())}
          />
        </div>
      ) : (
        <MessageBox tone="info">{t(OBSTACLES[can])}</MessageBox>
      )}
      <h3 className={layout.groupTitle}>{t('push.kinds')}</h3>
      <div className={`${layout.card} ${layout.list}`}>
        {KINDS.map(([kind, title]) => (
          <Switch
            key={kind}
            title={t(title)}
            isOn={kinds[kind]}
            isBusy={isBusy}
            onChange={(next) => preferences({ kinds: { ...kinds, [kind]: next }, hidesAmounts })}
          />
        ))}
        <Switch
          title={t('push.hides')}
          detail={t('push.hidesLead')}
          isOn={hidesAmounts}
          isBusy={isBusy}
          onChange={(next) => preferences({ kinds, hidesAmounts: next })}
        />
      </div>
    </>
  );
}
