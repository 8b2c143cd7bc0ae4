import type { Currency } from '@krapao/contract/shared';
import { ChevronRight, Lock, Play, Wrench } from 'lucide';
import { type ReactNode, useRef, useState } from 'react';
import { amountText } from '../text/amount-text.ts';
import { useText } from '../text/text.tsx';
import { cx } from './class-names.ts';
import styles from './game-card.module.css';
import { Icon } from './icon.tsx';
import { Money } from './money.tsx';
import { RailArrows } from './rail-arrows.tsx';

interface GameCardProps {
  name: string;
  isActive: boolean;
  background: string;
  /** Address of a picture; anything else is none. */
  logo: string;
  /** Stand for the picture where there is none. */
  letters: string;
  /** Balance in the game's credits and what that is in the wallet's currency. */
  credits: number;
  worth: number;
  currency: Currency;
  isHidden: boolean;
  /** Closed for now. */
  isInMaintenance?: boolean;
  /** Said instead of the credits, when they are old. */
  note?: string | undefined;
  onPress: () => void;
}

/** A game: its balance when its account is open, and the way to play it, which opens the account where there is none. */
export function GameCard(props: GameCardProps) {
  const { t } = useText();
  const { isActive } = props;
  return (
    <button type="button" className={cx(styles.game, !isActive && styles.off)} onClick={props.onPress}>
      <span className={styles.art}>
        <Picture address={props.background} />
        <span className={styles.glyph}>
          {isAddress(props.logo) ? <Picture address={props.logo} fallback={props.letters} /> : props.letters}
        </span>
        {props.isInMaintenance && (
          <span className={styles.shut}>
            <Icon of={Wrench} size={16} />
            {t('game.maintenance')}
          </span>
        )}
        {!isActive && !props.isInMaintenance && (
          <span className={styles.lock}>
            <Icon of={Lock} size={16} />
          </span>
        )}
      </span>
      <span className={styles.body}>
        <span className={styles.title}>{props.name}</span>
        {isActive ? (
          <>
            <span className={styles.balance}>
              <Money amount={props.worth} currency={props.currency} isHidden={props.isHidden} />
            </span>
            <span className={styles.small}>
              {props.note ?? (props.isHidden ? '' : t('game.credits', { amount: amountText(props.credits) }))}
            </span>
          </>
        ) : (
          <span className={styles.small}>{t('game.notOpen')}</span>
        )}
        <span className={styles.go}>
          {props.isInMaintenance ? t('game.viewData') : t('game.play')}
          <Icon of={props.isInMaintenance ? ChevronRight : Play} size={20} />
        </span>
      </span>
    </button>
  );
}

/** Whether a logo is the address of a picture; else it is the letters that stand for it. */
export const isAddress = (logo: string): boolean => /^(\/|https?:|data:image\/)/.test(logo);

/** A picture by its address; the fallback shows when there is none or it does not load. */
function Picture({ address, fallback = '' }: { address: string; fallback?: string }) {
  const [isBroken, setBroken] = useState(false);
  if (!address || isBroken) return fallback;
  return <img src={address} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />;
}

/** Cards side by side that snap to the left edge: under a finger one more peeks in, a mouse has arrows and whole cards. */
export function SnapCarousel({
  title,
  note,
  children,
}: {
  title: string;
  note?: string;
  children: ReactNode;
}) {
  const rail = useRef<HTMLDivElement>(null);
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {note && <span className={styles.note}>{note}</span>}
        <RailArrows rail={rail} />
      </div>
      <div ref={rail} className={styles.rail}>
        {children}
      </div>
    </section>
  );
}
