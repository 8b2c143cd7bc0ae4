import type { MemberApi } from '@krapao/contract/member';
import { BankInitial } from '@krapao/ui/components/bank-select.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { accountText } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide';
import { useRef, useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { useRun } from '../../platform/member/bonus-stop.tsx';
import { useBankColor, useBankName } from '../../platform/member/names.ts';
import { withdrawQuery } from '../../platform/member/queries.ts';
import { useRefreshOnClose } from '../../platform/member/refresh-on-close.ts';
import { useFreshGames, useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet, pendingBody } from '../../platform/sheet-state.ts';
import { CALL } from './use-withdraw.ts';
import styles from './withdraw.module.css';
import { WithdrawDone } from './withdraw-done.tsx';
import { WithdrawForm } from './withdraw-form.tsx';
import { StopView, withdrawStop } from './withdraw-stop.tsx';

type WithdrawReceipt = MemberApi['POST /api/wallet/withdrawAll']['reply'];

/** Pays out to the registered account. */
export default function WithdrawSheet() {
  const { t } = useText();
  const { data: limits, error, refetch } = useQuery(withdrawQuery);
  const wallet = useKnownWallet();
  const run = useRun();
  const { isRefreshing } = useFreshGames();
  const [receipt, setReceipt] = useState<WithdrawReceipt | null>(null);
  const formOpen = useRef(false);
  const markSaved = useRefreshOnClose();
  const finish = (response: WithdrawReceipt) => {
    markSaved();
    setReceipt(response);
  };
  if (receipt) return <WithdrawDone receipt={receipt} onClose={closeSheet} />;
  // What was sent without an answer is finished first: it may be the very withdrawal that is under way.
  const isUnanswered = pendingBody(CALL) !== null;
  const stop = limits && !isUnanswered ? withdrawStop(wallet, limits, run ?? null) : null;
  const isKnown = run !== undefined && !(isRefreshing && stop === 'little');
  // A form in use retains its input; where the balance shrinks meanwhile, the form reports it.
  const keepsForm = formOpen.current && (!stop || stop === 'little');
  formOpen.current = keepsForm || (!!limits && isKnown && !stop);
  if (limits && isKnown && stop && !keepsForm)
    return (
      <Sheet title={t('withdraw.title')} onClose={closeSheet}>
        <StopView stop={stop} limits={limits} run={run} />
      </Sheet>
    );
  if (limits && formOpen.current)
    return <WithdrawForm limits={limits} onClose={closeSheet} onDone={finish} account={<Account />} />;
  return (
    <Sheet title={t('withdraw.title')} onClose={closeSheet}>
      <Account />
      {error ? (
        <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={[96, 48]} />
      )}
    </Sheet>
  );
}

/** Where the money will go. */
function Account() {
  const { t } = useText();
  const bankName = useBankName();
  const colorOf = useBankColor();
  const { bankAccount } = useKnownWallet();
  return (
    <div className={layout.card}>
      <Item
        lead={<BankInitial code={bankAccount.bankCode} color={colorOf(bankAccount.bankCode)} />}
        over={t('withdraw.toAccount')}
        title={
          <span className={styles.number}>
            {accountText(bankAccount.bankAccountNo, bankAccount.bankCode)}
          </span>
        }
        detail={<Separated parts={[bankName(bankAccount.bank), bankAccount.bankAccountName]} />}
        trail={<Icon className={styles.verified} of={BadgeCheck} />}
      />
    </div>
  );
}
