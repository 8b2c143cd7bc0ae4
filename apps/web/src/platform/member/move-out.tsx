import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { openSheet } from '../sheet-state.ts';
import { transferRange } from './amount-range.ts';
import { useGameNames } from './use-game-names.ts';
import { useKnownWallet } from './wallet.ts';

/** The games that a refusal says must be emptied first; empty when it is about something else. */
export function gamesToEmpty(error: unknown): string[] {
  const games = error instanceof ApiError && codeOf(error) === 'BONUS_REMAINING' ? error.data.games : null;
  return Array.isArray(games) ? games.filter((game) => typeof game === 'string') : [];
}

/** Says out of which games money must be moved before terms without them begin, and opens the transfer out of the first. */
export function useMoveOut(games: readonly string[]) {
  const { t } = useText();
  const wallet = useKnownWallet();
  const names = useGameNames(games);
  return {
    text: t('bonus.moveOut', { games: names ?? '' }),
    open: () => {
      const slot = wallet.slots.find(({ code }) => code === games[0]) ?? null;
      const amount = transferRange(wallet, slot, null).most;
      openSheet('transfer', games[0], { amount, from: games[0], to: 'wallet' });
    },
  };
}

/** The same after a refusal. */
export function MoveOutFirst({ games, onClose }: { games: readonly string[]; onClose: () => void }) {
  const { t } = useText();
  const moveOut = useMoveOut(games);
  return (
    <Confirm
      title={moveOut.text}
      confirmLabel={t('transfer.title')}
      cancelLabel={t('btn.close')}
      onConfirm={moveOut.open}
      onCancel={onClose}
    />
  );
}
