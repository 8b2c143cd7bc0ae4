import type { MemberApi } from '@krapao/contract/member';
import { PRIZES } from '@krapao/contract/prizes';
import { AlertDialog, Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Item, KeyValue } from '@krapao/ui/components/item.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Pager } from '@krapao/ui/components/pager.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { CURRENCY_SYMBOL, shortAmount } from '@krapao/ui/text/amount-text.ts';
import { dateText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Coins, Package, TicketPercent } from 'lucide';
import { useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { BonusStop, useRun } from '../../platform/member/bonus-stop.tsx';
import { playErrorText } from '../../platform/member/error-text.ts';
import { gamesToEmpty, MoveOutFirst } from '../../platform/member/move-out.tsx';
import { refreshPlayStop, usePlayStop } from '../../platform/member/play-stop.tsx';
import { queryClient } from '../../platform/member/queries.ts';
import { useGameNames } from '../../platform/member/use-game-names.ts';
import { refreshWallet, useKnownWallet } from '../../platform/member/wallet.ts';
import { sendOnce } from '../../platform/once-only.ts';
import { receiptAction } from '../../platform/receipt-action.ts';
import { type Coupon, couponsQuery, reloadWheel, resultOf } from './queries.ts';
import styles from './wheel.module.css';

const ROWS = 3;

type Redemption = NonNullable<MemberApi['POST /api/spinwheel/coupon/claim']['reply']['result']>;

/** Redeems a coupon and shows the result. */
function useRedeem() {
  const [isBusy, setBusy] = useState(false);
  const [redemption, setRedemption] = useState<Redemption | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const redeem = async ({ _id }: Coupon) => {
    setBusy(true);
    try {
      setRedemption(resultOf(await sendOnce('POST /api/spinwheel/coupon/claim', { coupon: _id })));
    } catch (error) {
      setFailure(error);
      refreshPlayStop(error);
    }
    setBusy(false);
    reloadWheel();
    refreshWallet();
    queryClient.invalidateQueries({ queryKey: ['bonus'] });
  };
  const forget = () => {
    setRedemption(null);
    setFailure(null);
  };
  return { redeem, isBusy, redemption, failure, forget };
}

/**
 * The coupons that can be redeemed, three a page; without a heading where the sheet is called the same. While `isHeld`
 * they stay as they were: the wheel has not shown yet what was won.
 */
export function Coupons({ isTitled = true, isHeld = false }: { isTitled?: boolean; isHeld?: boolean }) {
  const { t, hold } = useText();
  const { data, error, refetch } = useQuery({ ...couponsQuery, enabled: !isHeld });
  const [wanted, setPage] = useState(1);
  const [question, setQuestion] = useState<Coupon | null>(null);
  const { redeem, isBusy, redemption, failure, forget } = useRedeem();
  const run = useRun();
  const isStopped = usePlayStop() !== null;
  const pageCount = Math.max(1, Math.ceil((data?.length ?? 0) / ROWS));
  const page = Math.min(wanted, pageCount);
  return (
    <section className={`${layout.stack} ${layout.close}`} aria-label={t('coupon.mine')}>
      <div className={`${layout.row} ${layout.between}`}>
        {isTitled && <h3 className={layout.groupTitle}>{t('coupon.mine')}</h3>}
        {pageCount > 1 && (
          <span className={`${layout.groupTitle} ${layout.num}`}>{`${page} / ${pageCount}`}</span>
        )}
      </div>
      {run && data && data.length > 0 && <BonusStop run={run} then={t('bonus.thenClaim')} />}
      <div className={`${layout.card} ${layout.list}`}>
        {data?.slice((page - 1) * ROWS, page * ROWS).map((coupon) => (
          <Row
            key={coupon._id}
            coupon={coupon}
            canRedeem={run === null && !(isStopped && PRIZES[coupon.kind].hasTerms)}
            onRedeem={() => setQuestion(coupon)}
          />
        ))}
        {data?.length === 0 && <EmptyState icon={TicketPercent} text={t('coupon.none')} />}
        {!data &&
          (error ? (
            <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
          ) : (
            <Skeleton heights={[60]} />
          ))}
      </div>
      <Pager page={page} pageCount={pageCount} onGo={setPage} />
      {question && (
        <Confirm
          title={t('coupon.redeemConfirm', { prize: hold(question.prize.name) })}
          confirmLabel={t('coupon.redeem')}
          isBusy={isBusy}
          onConfirm={() => redeem(question).finally(() => setQuestion(null))}
          onCancel={() => setQuestion(null)}
        >
          <Terms coupon={question} />
        </Confirm>
      )}
      {redemption && (
        <AlertDialog
          tone="won"
          title={t('coupon.redeemed', { prize: hold(redemption.label) })}
          action={receiptAction(t, redemption.statementId)}
          onClose={forget}
        >
          {PRIZES[redemption.kind].redeemedTo === 'delivery' && t(`coupon.of${redemption.kind}`)}
        </AlertDialog>
      )}
      {failure !== null &&
        (gamesToEmpty(failure).length > 0 ? (
          <MoveOutFirst games={gamesToEmpty(failure)} onClose={forget} />
        ) : (
          <AlertDialog tone="bad" title={playErrorText(t, failure)} onClose={forget} />
        ))}
    </section>
  );
}

function Row({ coupon, canRedeem, onRedeem }: { coupon: Coupon; canRedeem: boolean; onRedeem: () => void }) {
  const { t, hold } = useText();
  return (
    <Item
      lead={<Worth coupon={coupon} />}
      title={
        <>
          {hold(coupon.prize.name)} <span className={styles.count}>{`× ${coupon.amount}`}</span>
        </>
      }
      detail={t('coupon.expires', { date: dateText(coupon.expireAt) })}
      trail={
        <Button
          tone="text"
          isSmall
          disabled={!canRedeem}
          aria-label={`${t('coupon.redeem')} ${coupon.prize.name}`}
          onClick={onRedeem}
        >
          {t('coupon.redeem')}
        </Button>
      }
    />
  );
}

/** What one is worth, as short as a square has room for. */
function Worth({ coupon: { kind, value } }: { coupon: Coupon }) {
  const { currency } = useKnownWallet().wallet;
  const { redeemedTo } = PRIZES[kind];
  return (
    <span className={styles.worth}>
      {redeemedTo === 'wallet' ? (
        `${CURRENCY_SYMBOL[currency]}${shortWorth(value)}`
      ) : (
        <Icon of={redeemedTo === 'coins' ? Coins : Package} />
      )}
    </span>
  );
}

const shortWorth = (value: number): string =>
  value >= 10_000 ? `${shortAmount(Math.floor(value / 1000))}K` : shortAmount(Math.floor(value));

/** What redeeming it brings with it. */
function Terms({ coupon: { kind, terms } }: { coupon: Coupon }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const games = useGameNames(terms?.games ?? null);
  // A server of the version before sends none.
  const most = terms?.withdrawMost ?? null;
  if (!PRIZES[kind].hasTerms || !terms) return t(`coupon.of${kind}`);
  return (
    <div className={`${layout.stack} ${layout.close}`}>
      <p>{t(`coupon.of${kind}`)}</p>
      {terms.percentSuccess > 0 && (
        <p>{t('coupon.until', { percent: terms.percentSuccess, percentFail: terms.percentFail })}</p>
      )}
      {terms.turnoverTimes > 0 && <p>{t('coupon.turnover', { count: terms.turnoverTimes })}</p>}
      <dl className={layout.list}>
        {most !== null && (
          <KeyValue name={t('bonus.withdrawMost')}>
            <Money amount={most} currency={currency} />
          </KeyValue>
        )}
        {games && <KeyValue name={t('bonus.games')}>{games}</KeyValue>}
        <KeyValue name={t('bonus.lasts')}>{t('bonus.days', { count: terms.days })}</KeyValue>
      </dl>
    </div>
  );
}
