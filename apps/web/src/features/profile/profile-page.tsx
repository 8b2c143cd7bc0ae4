import type { MemberApi } from '@krapao/contract/member';
import { BankInitial } from '@krapao/ui/components/bank-select.tsx';
import { Button, IconButton } from '@krapao/ui/components/button.tsx';
import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { Item, KeyValue } from '@krapao/ui/components/item.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { accountText, firstLetter, phoneText } from '@krapao/ui/text/account-text.ts';
import { bankNameIn } from '@krapao/ui/text/bank-name.ts';
import { dateText, dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import {
  Bell,
  BellRing,
  FolderDown,
  HeartHandshake,
  IdCard,
  KeyRound,
  LockKeyhole,
  MonitorSmartphone,
} from 'lucide';
import type { ReactNode } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { errorText } from '../../platform/error-text.ts';
import { useBankColor } from '../../platform/member/names.ts';
import { kycQuery, profileQuery, withdrawQuery } from '../../platform/member/queries.ts';
import page from '../../platform/page.module.css';
import { openSheet } from '../../platform/sheet-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import styles from './profile-page.module.css';
import { ThemeSwitch } from './theme-switch.tsx';
import { WithdrawRequest } from './withdraw-request.tsx';

type ProfileReply = MemberApi['GET /api/account/profile']['reply'];

/** Who the member is and where their money is paid to; another account is requested, never overwritten. */
export default function ProfilePage() {
  const { t } = useText();
  const { data, error, refetch } = useQuery(profileQuery);
  useTitle(t('nav.profile'));
  return (
    <main className={page.page}>
      {data ? (
        <>
          <Head profile={data.profile} />
          <AccountGroup profile={data.profile} />
          <BankGroup profile={data} />
          <NotificationGroup />
          <SecurityGroup />
        </>
      ) : error ? (
        <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={[64, 160, 200]} />
      )}
      <ThemeSwitch />
    </main>
  );
}

function Head({ profile }: { profile: ProfileReply['profile'] }) {
  const { t } = useText();
  return (
    <section className={styles.head}>
      <span className={styles.avatar} aria-hidden="true">
        {firstLetter(profile.name).toUpperCase()}
      </span>
      <div className={layout.grow}>
        <h1>{profile.name}</h1>
        <p className={`${layout.caption} ${layout.num}`}>
          {t('profile.since', { date: dateText(profile.createdAt) })}
        </p>
      </div>
      <IconButton
        className={styles.lock}
        icon={LockKeyhole}
        label={t('profile.changePassword')}
        onClick={() => openSheet('password')}
      />
    </section>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`${layout.stack} ${layout.close}`}>
      <h2 className={layout.groupTitle}>{title}</h2>
      <div className={`${layout.card} ${layout.list}`}>{children}</div>
    </section>
  );
}

function AccountGroup({ profile }: { profile: ProfileReply['profile'] }) {
  const { t } = useText();
  const copyId = <CopyButton text={profile._id} label={t('profile.memberId')} />;
  return (
    <Group title={t('profile.account')}>
      <dl className={layout.list}>
        <KeyValue name={t('auth.name')}>{profile.name}</KeyValue>
        <KeyValue name={t('profile.memberId')} trail={copyId}>
          <span className={styles.id}>{profile._id}</span>
        </KeyValue>
        <KeyValue name={t('profile.username')}>{phoneText(profile.username)}</KeyValue>
        <KeyValue name={t('profile.created')}>{dateTimeText(profile.createdAt)}</KeyValue>
      </dl>
    </Group>
  );
}

const go = (path: string) => {
  navigate(path);
  window.scrollTo(0, 0);
};

function NotificationGroup() {
  const { t } = useText();
  return (
    <Group title={t('notify.title')}>
      <Item
        lead={<BadgeIcon icon={Bell} tone="quiet" />}
        title={t('notify.happened')}
        onPress={() => openSheet('notifications')}
      />
      <Item
        lead={<BadgeIcon icon={BellRing} tone="quiet" />}
        title={t('push.title')}
        detail={t('push.profileLead')}
        onPress={() => openSheet('push')}
      />
    </Group>
  );
}

const KYC_ROWS = {
  REQUESTED: 'kyc.rowNeeded',
  REFUSED: 'kyc.rowNeeded',
  SUBMITTED: 'kyc.rowChecked',
  VERIFIED: 'kyc.rowVerified',
} as const;

function SecurityGroup() {
  const { t } = useText();
  const { data: withdraw } = useQuery(withdrawQuery);
  const { state: kyc, wanted = [] } = useQuery(kycQuery).data ?? {};
  const kycRow = kyc ? KYC_ROWS[kyc] : 'kyc.rowOffered';
  return (
    <Group title={t('profile.security')}>
      {(kyc || wanted.length > 0) && (
        <Item
          lead={<BadgeIcon icon={IdCard} tone={kycRow === 'kyc.rowNeeded' ? 'gold' : 'quiet'} />}
          title={t('kyc.title')}
          detail={t(kycRow)}
          onPress={() => openSheet('kyc')}
        />
      )}
      <Item
        lead={<BadgeIcon icon={MonitorSmartphone} tone="quiet" />}
        title={t('device.title')}
        detail={t('device.lead')}
        onPress={() => openSheet('devices')}
      />
      <Item
        lead={<BadgeIcon icon={KeyRound} tone="quiet" />}
        title={t('pin.title')}
        detail={withdraw && t(withdraw.needsPin ? 'pin.on' : 'pin.off')}
        onPress={() => openSheet('pin')}
      />
      <Item
        lead={<BadgeIcon icon={HeartHandshake} tone="quiet" />}
        title={t('limit.page')}
        detail={t('limit.pageLead')}
        onPress={() => go('/user/limits')}
      />
      <Item
        lead={<BadgeIcon icon={FolderDown} tone="quiet" />}
        title={t('data.title')}
        detail={t('data.lead')}
        onPress={() => openSheet('data')}
      />
    </Group>
  );
}

/** What became of a intent for another account, and when a new one is first paid. */
function AccountChange({ of: { bankAccountRequest: request, payoutsFrom } }: { of: ProfileReply }) {
  const { t } = useText();
  const isPending = request?.status === 'PENDING';
  return (
    <div className={`${layout.pad} ${layout.stack}`}>
      {payoutsFrom && (
        <MessageBox tone="info">{t('profile.payoutsFrom', { time: dateTimeText(payoutsFrom) })}</MessageBox>
      )}
      {request && (
        <MessageBox tone={isPending ? 'info' : 'warn'}>
          {t(isPending ? 'profile.accountPending' : 'profile.accountRefused', {
            account: `${request.bankCode} ${request.bankAccountNo}`,
          })}
        </MessageBox>
      )}
      {isPending ? (
        <WithdrawRequest />
      ) : (
        <Button tone="soft" isWide onClick={() => openSheet('account')}>
          {t('profile.changeAccount')}
        </Button>
      )}
    </div>
  );
}

function BankGroup({ profile }: { profile: ProfileReply }) {
  const account = profile.bankAccount;
  const { t, language } = useText();
  const colorOf = useBankColor();
  const copyNumber = <CopyButton text={account.bankAccountNo} label={t('bank.accountNo')} />;
  return (
    <Group title={t('profile.bankAccount')}>
      <Item
        lead={<BankInitial code={account.bankCode} color={colorOf(account.bankCode)} />}
        title={bankNameIn(account.bank, language)}
        detail={t('profile.forWithdrawals')}
      />
      <dl className={layout.list}>
        <KeyValue name={t('bank.accountName')}>{account.bankAccountName}</KeyValue>
        <KeyValue name={t('bank.accountNo')} trail={copyNumber}>
          {accountText(account.bankAccountNo, account.bankCode)}
        </KeyValue>
      </dl>
      <AccountChange of={profile} />
    </Group>
  );
}
