import { buttonClass } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Globe, Smartphone } from 'lucide';
import type { Slot } from '../../platform/member/wallet-merge.ts';
import styles from './slot.module.css';

const isWebAddress = (address: string | null): address is string => /^https?:\/\//i.test(address ?? '');

/** The provider's own pages, where it has them. */
export function SlotLinks({ slot }: { slot: Slot }) {
  const { t } = useText();
  const links = [
    { address: slot.web, icon: Globe, label: t('game.web') },
    { address: slot.android, icon: Smartphone, label: t('game.android') },
    { address: slot.ios, icon: Smartphone, label: t('game.ios') },
  ].filter(({ address }) => isWebAddress(address));
  if (links.length === 0) return null;
  return (
    <div className={styles.links}>
      {links.map(({ address, icon, label }) => (
        <a
          key={label}
          className={buttonClass('line')}
          href={address as string}
          target="_blank"
          rel="noopener noreferrer"
        >
          <Icon of={icon} size={20} />
          {label}
        </a>
      ))}
    </div>
  );
}
