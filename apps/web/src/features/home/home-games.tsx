import { GameCard, isAddress, SnapCarousel } from '@krapao/ui/components/game-card.tsx';
import { badgeLetters } from '@krapao/ui/text/account-text.ts';
import { timeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { type Slot, slotWorth, type WalletReply } from '../../platform/member/wallet-merge.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './home-page.module.css';
import { useBalanceHidden } from './use-balance-hidden.ts';

const CATEGORIES = [
  { category: 'slot', title: 'game.slot' },
  { category: 'sport', title: 'game.sport' },
  { category: 'lotto', title: 'game.lotto' },
] as const;

/** The three carousels; a category without games leaves its place out. */
export function HomeGames({ wallet }: { wallet: WalletReply }) {
  const { t } = useText();
  const letters = badgeLetters(
    wallet.slots.map(({ name, logo }) => ({ name, letters: isAddress(logo) ? '' : logo })),
  );
  const lettersOf = (slot: Slot) => letters[wallet.slots.indexOf(slot)] ?? '';
  return (
    <div className={styles.games}>
      {CATEGORIES.map(({ category, title }) => {
        const slots = wallet.slots.filter((slot) => slot.category === category);
        const open = slots.filter(({ isActive }) => isActive).length;
        if (slots.length === 0) return null;
        return (
          <SnapCarousel
            key={category}
            title={t(title)}
            note={t('game.openedOf', { open, total: slots.length })}
          >
            {slots.map((slot) => (
              <SlotCard key={slot.code} slot={slot} wallet={wallet} letters={lettersOf(slot)} />
            ))}
          </SnapCarousel>
        );
      })}
    </div>
  );
}

function SlotCard({ slot, wallet, letters }: { slot: Slot; wallet: WalletReply; letters: string }) {
  const { t, hold } = useText();
  const isHidden = useBalanceHidden();
  const { currency } = wallet.wallet;
  return (
    <GameCard
      name={hold(slot.name)}
      isActive={slot.isActive}
      isInMaintenance={slot.isInMaintenance}
      background={slot.background}
      logo={slot.logo}
      letters={letters}
      credits={slot.amount}
      worth={slotWorth(slot, currency)}
      currency={currency}
      isHidden={isHidden}
      note={slot.staleSince ? t('game.asOf', { time: timeText(slot.staleSince) }) : undefined}
      onPress={() => openSheet('slot', slot.code)}
    />
  );
}
