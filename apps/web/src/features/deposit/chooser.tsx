import { BankInitial } from '@krapao/ui/components/bank-select.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { EmptyState } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { accountText, phoneText } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Clock, Gift, WalletMinimal } from 'lucide';
import type { ReactNode } from 'react';
import { depositRange, isOpenRange } from '../../platform/member/amount-range.ts';
import { useBankColor, useBankName } from '../../platform/member/names.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet, openSheet, type SheetFill, sheetFill } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import {
  channelGroups,
  channelKey,
  type DepositBank,
  type DepositLookup,
  type DepositWallet,
  GIFT_KEY,
  sendWallets,
  takesGifts,
  takesSlips,
  walletKey,
} from './channels.ts';
import styles from './deposit.module.css';
import { LastChannel } from './last-channel.tsx';
import { PaidBefore, SlipChannel } from './paid-before.tsx';

/** The channels by kind; a kind that is not offered leaves no heading. */
export function Chooser({ lookup }: { lookup: DepositLookup }) {
  const { t } = useText();
  const { qr, account } = channelGroups(lookup);
  const { currency } = useKnownWallet().wallet;
  // The parameters from a bonus or a receipt are passed to the channel.
  const fill = sheetFill() ?? undefined;
  const hasGifts = takesGifts(lookup);
  const wallets = sendWallets(lookup);
  const isClosed = qr.length + account.length + wallets.length === 0 && !hasGifts;
  const foot = !isClosed && (
    <p className={styles.note}>
      <Icon of={Clock} size={20} />
      {t('deposit.oneMinute')}
    </p>
  );
  return (
    <Sheet title={t('deposit.title')} onClose={closeSheet} footer={foot}>
      {isClosed && <EmptyState text={t('deposit.closed')} />}
      {lookup.left != null && (
        <MessageBox tone="info">{t('limit.left', { left: sumText(t, lookup.left, currency) })}</MessageBox>
      )}
      {!fill && <LastChannel lookup={lookup} />}
      <Group title={t('deposit.qr')} banks={qr} lookup={lookup} fill={fill} />
      <WalletChannels wallets={wallets} giftMinimum={hasGifts ? lookup.giftMinimum : null} />
      <Group title={t('deposit.bank')} banks={account} lookup={lookup} fill={fill}>
        {account.some(takesSlips) && <SlipChannel />}
      </Group>
      {account.length === 0 && (
        <PaidBefore hasSlips={lookup.takesSlips === true} isManual={lookup.isManual} />
      )}
    </Sheet>
  );
}

interface WalletChannelsProps {
  wallets: DepositWallet[];
  /** null: gift links are not taken. */
  giftMinimum: number | null;
}

function WalletChannels({ wallets, giftMinimum }: WalletChannelsProps) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  if (wallets.length === 0 && giftMinimum === null) return null;
  return (
    <section className={`${layout.stack} ${layout.close}`}>
      <h3 className={layout.groupTitle}>{t('deposit.mobileWallet')}</h3>
      <div className={`${layout.card} ${layout.list}`}>
        {giftMinimum !== null && (
          <Item
            lead={
              <span className={styles.gift}>
                <Icon of={Gift} size={20} />
              </span>
            }
            title={t('deposit.giftTab')}
            detail={t('money.min', { min: sumText(t, giftMinimum, currency) })}
            onPress={() => openSheet('deposit', GIFT_KEY)}
          />
        )}
        {wallets.map((wallet) => (
          <Item
            key={walletKey(wallet)}
            lead={<BadgeIcon icon={WalletMinimal} tone="quiet" />}
            title={t('deposit.walletSend')}
            detail={t('deposit.walletTo', { number: phoneText(wallet.walletAccountNo) })}
            onPress={() => openSheet('deposit', walletKey(wallet))}
          />
        ))}
      </div>
    </section>
  );
}

interface GroupProps {
  title: string;
  banks: DepositBank[];
  lookup: DepositLookup;
  fill: SheetFill | undefined;
  children?: ReactNode;
}

function Group({ title, banks, lookup, fill, children }: GroupProps) {
  if (banks.length === 0) return null;
  return (
    <section className={`${layout.stack} ${layout.close}`}>
      <h3 className={layout.groupTitle}>{title}</h3>
      <div className={`${layout.card} ${layout.list}`}>
        {banks.map((bank) => (
          <Channel key={channelKey(bank)} bank={bank} lookup={lookup} fill={fill} />
        ))}
        {children}
      </div>
    </section>
  );
}

function Channel({ bank, lookup, fill }: { bank: DepositBank } & Pick<GroupProps, 'lookup' | 'fill'>) {
  const { t } = useText();
  const bankName = useBankName();
  const colorOf = useBankColor();
  const { currency } = useKnownWallet().wallet;
  const detail =
    bank.mode === 'AUTO' ? (
      t('deposit.accountNo', { number: accountText(bank.bankAccountNo, bank.bankCode) })
    ) : (
      <Separated
        parts={[
          bank.bankType === 'BANK' && bank.currency === 'BAHT' && t('deposit.anyBankApp'),
          bank.minimum !== null && t('money.min', { min: sumText(t, bank.minimum, currency) }),
        ]}
      />
    );
  return (
    <Item
      lead={<BankInitial code={bank.bankCode} color={colorOf(bank.bankCode)} />}
      title={bankName(bank.bank)}
      detail={detail}
      isDisabled={
        bank.mode === 'QR' && lookup.openQr !== bank.bankCode && !isOpenRange(depositRange(bank, lookup))
      }
      onPress={() => openSheet('deposit', channelKey(bank), fill)}
    />
  );
}
