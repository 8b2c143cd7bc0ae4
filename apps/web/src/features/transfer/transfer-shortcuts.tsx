import { Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { ListChecks, Undo2 } from 'lucide';
import { useState } from 'react';
import { movableOut } from '../../platform/member/amount-range.ts';
import { sumText } from '../../platform/sum-text.ts';
import type { Account } from './accounts.ts';
import type { Transfer } from './use-transfer.ts';

/** Everything into the destination, or one game's money back into the wallet. */
export function TransferShortcuts({ transfer, game }: { transfer: Transfer; game: Account | undefined }) {
  const { t, hold } = useText();
  const [isConfirming, setConfirming] = useState(false);
  const { to, currency, accounts } = transfer;
  // A provider moves whole steps of credits: a fraction left in a game stays there.
  const movable = ({ slot, balance }: Account) => (slot ? movableOut(slot, currency) : balance);
  const hasMoney = accounts.some((account) => account.code !== to?.code && movable(account) > 0);
  if (!to && !game) return null;
  const destination = to && (to.name || t('wallet.main'));
  return (
    <div className={`${layout.card} ${layout.list}`}>
      {to && !to.shut && (
        <Item
          lead={<BadgeIcon icon={ListChecks} tone="quiet" />}
          title={t('transfer.allTo', { place: destination })}
          isDisabled={transfer.isBusy || !hasMoney}
          onPress={() => setConfirming(true)}
        />
      )}
      {game && (
        <Item
          lead={<BadgeIcon icon={Undo2} tone="quiet" />}
          title={t('transfer.only')}
          detail={<Separated parts={[hold(game.name), sumText(t, game.balance, currency)]} />}
          isDisabled={transfer.isBusy || movable(game) <= 0}
          onPress={() => transfer.sendGameHome(game.code, game.balance)}
        />
      )}
      {isConfirming && to && (
        <Confirm
          title={t('transfer.allTo', { place: destination })}
          confirmLabel={t('transfer.all')}
          onCancel={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            transfer.sendAll(to.code);
          }}
        >
          {t('transfer.allConfirm')}
        </Confirm>
      )}
    </div>
  );
}
