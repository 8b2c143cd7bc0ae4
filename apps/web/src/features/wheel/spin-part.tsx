import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { KeyValue } from '@krapao/ui/components/item.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Wheel as WheelFace } from '@krapao/ui/components/wheel.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { ArrowDownToLine, ChevronDown, Coins } from 'lucide';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { roundSum } from '../../platform/sum-text.ts';
import type { Setup, Wheel } from './queries.ts';
import type { useSpin } from './use-spin.ts';
import styles from './wheel.module.css';

interface SpinPartProps {
  setup: Setup;
  wheel: Wheel;
  spinning: ReturnType<typeof useSpin>;
}

/** The coins, the wheel with its button, what a spin costs, and how coins are earned. */
export function SpinPart({ setup, wheel, spinning }: SpinPartProps) {
  const { t } = useText();
  const { turned, state, result, spin, rest } = spinning;
  const coins = result?.remainingCoin ?? setup.userCoin;
  const isBusy = state === 'drawing' || state === 'turning';
  const isShort = coins < wheel.costPerSpin;
  return (
    <>
      <p className={styles.coins} aria-live="polite">
        <Icon of={Coins} size={20} />
        {t('wheel.yourCoins', { count: coins })}
      </p>
      <WheelFace
        label={wheel.name}
        slices={wheel.slices}
        turned={turned}
        isTurning={state === 'turning'}
        onRest={rest}
      >
        <button
          type="button"
          className={styles.hub}
          disabled={isBusy || isShort}
          aria-busy={isBusy || undefined}
          onClick={() => spin(wheel)}
        >
          {t('wheel.spin')}
        </button>
      </WheelFace>
      <Earning setup={setup} wheel={wheel} isShort={isShort && state === 'still'} />
      <Odds slices={wheel.slices} />
    </>
  );
}

function Earning({ setup, wheel, isShort }: { setup: Setup; wheel: Wheel; isShort: boolean }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const { earning } = setup;
  const earn = earning && t('wheel.earn', { amount: roundSum(t, earning.deposit, currency) });
  if (!isShort)
    return (
      <p className={`${layout.caption} ${layout.center}`}>
        <span className={styles.phrase}>{t('wheel.cost', { count: wheel.costPerSpin })}</span>
        {earn && (
          <>
            {' · '}
            <span className={styles.phrase}>{earn}</span>
          </>
        )}
      </p>
    );
  return (
    <>
      <MessageBox tone="info" icon={Coins} title={t('error.NOT_ENOUGH_COIN')}>
        {earn}
        {earning && <p>{t('wheel.earnMost', { count: earning.dayMax })}</p>}
      </MessageBox>
      {earn && (
        <Button tone="soft" isWide icon={ArrowDownToLine} onClick={() => openSheet('deposit')}>
          {t('deposit.tile')}
        </Button>
      )}
    </>
  );
}

/** Each slice's chance, while operators publish it. */
function Odds({ slices }: Pick<Wheel, 'slices'>) {
  const { t, hold } = useText();
  if (slices.some(({ odds }) => odds === undefined)) return null;
  return (
    <details className={`${layout.card} ${styles.odds}`}>
      <summary>
        {t('wheel.odds')}
        <Icon of={ChevronDown} size={20} />
      </summary>
      <dl className={layout.list}>
        {slices.map(({ code, label, odds }) => (
          <KeyValue key={code} name={hold(label)}>
            {`${odds}%`}
          </KeyValue>
        ))}
      </dl>
    </details>
  );
}
