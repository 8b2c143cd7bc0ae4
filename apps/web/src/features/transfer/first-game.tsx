import { Item } from '@krapao/ui/components/item.tsx';
import { EmptyState } from '@krapao/ui/components/load-state.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { Gamepad2 } from 'lucide';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './account-pair.module.css';

/** As on the home screen. */
const ORDER = ['slot', 'sport', 'lotto'];

/** In place of the form while no game is open: the games, each leading to its account. */
export function FirstGame() {
  const { t } = useText();
  const { slots } = useKnownWallet();
  const games = ORDER.flatMap((kind) =>
    slots.filter(({ category, isInMaintenance }) => category === kind && !isInMaintenance),
  );
  return (
    <>
      <EmptyState icon={Gamepad2} text={t(games.length > 0 ? 'transfer.openFirst' : 'transfer.noGame')} />
      {games.length > 0 && (
        <div className={`${layout.card} ${layout.list}`}>
          {games.map(({ code, name, category, background }) => (
            <Item
              key={code}
              lead={
                background ? (
                  <img className={styles.thumb} src={background} alt="" loading="lazy" />
                ) : (
                  <BadgeIcon icon={Gamepad2} />
                )
              }
              title={name}
              detail={t(`game.${category}`)}
              onPress={() => openSheet('slot', code)}
            />
          ))}
        </div>
      )}
    </>
  );
}
