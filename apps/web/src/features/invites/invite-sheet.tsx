import type { MemberApi } from '@krapao/contract/member';
import { Button } from '@krapao/ui/components/button.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Gift } from 'lucide';
import { useState } from 'react';
import { BannersFirst } from '../../platform/banners/banners-first.tsx';
import { errorText } from '../../platform/error-text.ts';
import { BonusStop, useRun } from '../../platform/member/bonus-stop.tsx';
import { PlayStop, usePlayStop } from '../../platform/member/play-stop.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { useOwnSheet } from '../../platform/own-sheet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import styles from './invite.module.css';
import { InviteList } from './invite-list.tsx';
import { LinkCard } from './link-card.tsx';
import { invitesQuery } from './queries.ts';
import { ReceiveConfirm } from './receive-confirm.tsx';

/** The member's link and what it has earned them; with `arg` "receive" only the question before receiving it. */
export default function InviteSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const own = useOwnSheet();
  if (arg === 'receive') return <ReceiveConfirm onClose={own.close} />;
  return (
    <BannersFirst place="invite" title={t('invite.title')}>
      <Invite />
    </BannersFirst>
  );
}

function Invite() {
  const { t } = useText();
  const { profile, invite, wallet } = useKnownWallet();
  const [page, setPage] = useState(1);
  const [isConfirming, setConfirming] = useState(false);
  const run = useRun();
  const stop = usePlayStop();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...invitesQuery(page),
    placeholderData: keepPreviousData,
  });
  return (
    <Sheet title={t('invite.title')} onClose={closeSheet}>
      {data && <Terms terms={data.terms} currency={wallet.currency} />}
      {invite.amount > 0 && run && <BonusStop run={run} then={t('bonus.thenClaim')} />}
      {invite.amount > 0 && stop && <PlayStop error={stop} />}
      {invite.amount > 0 && (
        <Reward
          amount={invite.amount}
          ready={data?.ready ?? 0}
          canReceive={data?.terms.isOpen === true && run === null && !stop}
          currency={wallet.currency}
          onReceive={() => setConfirming(true)}
        />
      )}
      <LinkCard memberId={profile._id} />
      {data ? (
        <InviteList
          reply={data}
          currency={wallet.currency}
          page={page}
          isOld={isPlaceholderData}
          onGo={setPage}
        />
      ) : error ? (
        <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={[24, 64, 64]} />
      )}
      {isConfirming && <ReceiveConfirm onClose={() => setConfirming(false)} />}
    </Sheet>
  );
}

type Currency = ReturnType<typeof useKnownWallet>['wallet']['currency'];

function Terms({
  terms: { isOpen, percent, most, betTimes },
  currency,
}: {
  terms: MemberApi['POST /api/invite']['reply']['terms'];
  currency: Currency;
}) {
  const { t } = useText();
  if (!isOpen) return <MessageBox tone="info">{t('error.INVITE_INACTIVE')}</MessageBox>;
  return (
    <p className={layout.label}>
      {t('invite.lead', { percent, most: sumText(t, most, currency), times: betTimes })}
    </p>
  );
}

interface RewardProps {
  amount: number;
  ready: number;
  canReceive: boolean;
  currency: Currency;
  onReceive: () => void;
}

/** What has accrued, how much of it is ready, and the way to receive it. */
function Reward({ amount, ready, canReceive, currency, onReceive }: RewardProps) {
  const { t } = useText();
  return (
    <section className={styles.reward}>
      <BadgeIcon icon={Gift} tone="gold" />
      <div className={styles.texts}>
        <p className={layout.caption}>{t('invite.accrued')}</p>
        <p className={styles.amount}>
          <Money amount={amount} currency={currency} />
        </p>
        {ready > 0 && (
          <p className={layout.caption}>{t('invite.ready', { amount: sumText(t, ready, currency) })}</p>
        )}
      </div>
      <Button tone="gold" isSmall disabled={!canReceive} onClick={onReceive}>
        {t('bonus.receive')}
      </Button>
    </section>
  );
}
