import { BankInitial } from '@krapao/ui/components/bank-select.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { QrCode, WalletMinimal } from 'lucide';
import { useState } from 'react';
import { codeText } from '../../platform/error-text.ts';
import { playErrorText } from '../../platform/member/error-text.ts';
import { useBankColor, useBankName } from '../../platform/member/names.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { useIsShown } from '../../platform/use-is-shown.ts';
import {
  channelKey,
  type DepositBank,
  type DepositLookup,
  GIFT_KEY,
  keyOfRecent,
  mayRepeat,
} from './channels.ts';
import { createQr } from './use-qr.ts';

/** The channel of the last deposit, above all others: a QR of the same sum is made again at one tap. */
export function LastChannel({ lookup }: { lookup: DepositLookup }) {
  const { t } = useText();
  const last = lookup.recent?.[0];
  const key = last && keyOfRecent(lookup, last);
  // Every gift has a link of its own: there is nothing to repeat.
  if (!last || !key || key === GIFT_KEY) return null;
  const bank = lookup.banks.find((one) => channelKey(one) === key);
  return (
    <section className={`${layout.stack} ${layout.close}`}>
      <h3 className={layout.groupTitle}>{t('money.lastUsed')}</h3>
      <div className={layout.card}>
        {bank && mayRepeat(lookup, bank, last) ? (
          <Repeat bank={bank} amount={last.amount} />
        ) : (
          <Reopen channel={key} bank={bank} />
        )}
      </div>
    </section>
  );
}

function Repeat({ bank, amount }: { bank: DepositBank; amount: number }) {
  const { t } = useText();
  const bankName = useBankName();
  const colorOf = useBankColor();
  const { currency } = useKnownWallet().wallet;
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();
  const repeat = async () => {
    setBusy(true);
    try {
      const state = await createQr(bank.bankCode, amount);
      // The member may have opened something else meanwhile; the QR is found with its bank.
      if (state.hasQrcode) {
        if (isShown()) openSheet('deposit', channelKey(bank));
      } else showToast('bad', codeText(t, state.message ?? 'QR_FAIL'));
    } catch (error) {
      showToast('bad', playErrorText(t, error));
    }
    setBusy(false);
  };
  return (
    <Item
      lead={<BankInitial code={bank.bankCode} color={colorOf(bank.bankCode)} />}
      title={t('deposit.again', { bank: bankName(bank.bank), amount: sumText(t, amount, currency) })}
      detail={t('deposit.againLead')}
      trail={<BadgeIcon icon={QrCode} />}
      isDisabled={isBusy}
      onPress={repeat}
    />
  );
}

function Reopen({ channel, bank }: { channel: string; bank: DepositBank | undefined }) {
  const { t } = useText();
  const bankName = useBankName();
  const colorOf = useBankColor();
  const lead = bank ? (
    <BankInitial code={bank.bankCode} color={colorOf(bank.bankCode)} />
  ) : (
    <BadgeIcon icon={WalletMinimal} tone="quiet" />
  );
  const title = bank ? (
    <Separated parts={[bankName(bank.bank), t(bank.mode === 'QR' ? 'deposit.qr' : 'deposit.bank')]} />
  ) : (
    t('deposit.walletSend')
  );
  return <Item lead={lead} title={title} onPress={() => openSheet('deposit', channel)} />;
}
