import type { Currency } from '@krapao/contract/shared';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { ArrowDownUp, ChevronDown, CircleQuestionMark, Gamepad2, Wallet } from 'lucide';
import styles from './account-pair.module.css';
import type { Account } from './accounts.ts';

interface AccountPairProps {
  accounts: Account[];
  from: Account | undefined;
  to: Account | undefined;
  currency: Currency;
  onFrom: (code: string) => void;
  onTo: (code: string) => void;
  onSwap: () => void;
}

/** Source above, destination below, and a button between them that swaps the two. */
export function AccountPair({ accounts, from, to, currency, onFrom, onTo, onSwap }: AccountPairProps) {
  const { t } = useText();
  return (
    <div className={styles.pair}>
      <Picker
        label={t('transfer.source')}
        accounts={accounts}
        chosen={from}
        currency={currency}
        onChoose={onFrom}
      />
      <Picker
        label={t('transfer.destination')}
        accounts={accounts}
        chosen={to}
        currency={currency}
        isInto
        onChoose={onTo}
      />
      <button type="button" className={styles.swap} aria-label={t('transfer.swap')} onClick={onSwap}>
        <Icon of={ArrowDownUp} size={20} />
      </button>
    </div>
  );
}

interface PickerProps {
  label: string;
  accounts: Account[];
  chosen: Account | undefined;
  currency: Currency;
  /** Money goes into what is chosen. */
  isInto?: boolean;
  onChoose: (code: string) => void;
}

/** Why no money goes into a game now, in a word. */
const SHUT = {
  maintenance: 'game.maintenance',
  bonus: 'transfer.shutByBonus',
  time: 'transfer.shutByTime',
  limits: 'limit.page',
} as const;

/** A card that opens the platform's own picker: the select covers it, invisible. */
function Picker({ label, accounts, chosen, currency, isInto, onChoose }: PickerProps) {
  const { t } = useText();
  const nameOf = (account: Account) => account.name || t('wallet.main');
  return (
    <label className={`${layout.card} ${styles.picker}`}>
      <AccountSign account={chosen} />
      <span className={styles.texts}>
        <span className={layout.caption}>{label}</span>
        <span className={styles.name}>
          {chosen ? nameOf(chosen) : t('transfer.choose')}
          <Icon of={ChevronDown} size={16} />
        </span>
        {chosen && (
          <span className={layout.caption}>
            <Money amount={chosen.balance} currency={currency} />
          </span>
        )}
      </span>
      <select value={chosen?.code ?? ''} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{t('transfer.choose')}</option>
        {accounts.map((account) => (
          <option key={account.code} value={account.code} disabled={isInto && account.shut !== null}>
            {nameOf(account)}
            {isInto && account.shut && ` · ${t(SHUT[account.shut])}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function AccountSign({ account }: { account: Account | undefined }) {
  if (!account) return <BadgeIcon icon={CircleQuestionMark} tone="quiet" />;
  if (account.picture) return <img className={styles.thumb} src={account.picture} alt="" />;
  return <BadgeIcon icon={account.slot === null ? Wallet : Gamepad2} />;
}
