import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { KeyValue } from '@krapao/ui/components/item.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide';
import { useGameNames } from '../../platform/member/use-game-names.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import styles from './bonus.module.css';
import { OfferBanners } from './offer-banners.tsx';
import { useOfferTexts } from './offer-texts.ts';
import { noticeQuery, type Offer } from './queries.ts';

/** All that is to be known of an offer before it is received. */
export function OfferView({ offer, isFound }: { offer: Offer; isFound?: boolean }) {
  const { t } = useText();
  const hasRun = offer.percentSuccess > 0 || offer.terms.turnoverTimes > 0;
  return (
    <>
      <OfferBanners banners={offer.banners} />
      <dl className={`${layout.card} ${layout.list}`}>
        <Figures offer={offer} />
        {isFound && hasRun && <Percent offer={offer} />}
        {hasRun && (
          <KeyValue name={t('bonus.lasts')}>{t('bonus.days', { count: offer.terms.days })}</KeyValue>
        )}
        <Limits offer={offer} />
      </dl>
      {offer.description && (
        <div className={styles.description}>
          <CleanHtml markup={offer.description} />
        </div>
      )}
      {hasRun && <Notice percentFail={offer.percentFail} />}
    </>
  );
}

/** The grant for this member now, or its general conditions and amount. */
function Figures({ offer }: { offer: Offer }) {
  const { t } = useText();
  const texts = useOfferTexts();
  const { currency } = useKnownWallet().wallet;
  const { now, terms } = offer;
  const deposit = texts.deposit(offer);
  if (!now)
    return (
      <>
        {deposit && <KeyValue name={t('bonus.depositNeeded')}>{deposit}</KeyValue>}
        <KeyValue name={t('bonus.gives')}>
          <span className={styles.gold}>{texts.award(offer)}</span>
        </KeyValue>
        {offer.percentSuccess > 0 && (
          <KeyValue name={t('bonus.wonAt')}>{t('bonus.ofBase', { percent: offer.percentSuccess })}</KeyValue>
        )}
        {terms.turnoverTimes > 0 && (
          <KeyValue name={t('bonus.turnoverNeeded')}>
            {t('bonus.times', { count: terms.turnoverTimes })}
          </KeyValue>
        )}
      </>
    );
  return (
    <>
      {now.deposit > 0 && (
        <KeyValue name={t('bonus.depositUsed')}>
          <Money amount={now.deposit} currency={currency} />
        </KeyValue>
      )}
      <KeyValue name={t('bonus.gives')}>
        <span className={styles.gold}>
          <Money amount={now.amount} currency={currency} sign="+" />
        </span>
      </KeyValue>
      {now.target > 0 && (
        <KeyValue name={t('bonus.wonAt')}>
          <Money amount={now.target} currency={currency} />
        </KeyValue>
      )}
      {now.turnoverNeeded > 0 && (
        <KeyValue name={t('bonus.turnoverNeeded')}>
          <Money amount={now.turnoverNeeded} currency={currency} />
        </KeyValue>
      )}
      {now.target === 0 && now.turnoverNeeded === 0 && (
        <KeyValue name={t('bonus.conditions')}>{t('bonus.plain')}</KeyValue>
      )}
    </>
  );
}

function Percent({ offer }: { offer: Offer }) {
  const { t } = useText();
  return <KeyValue name={t('bonus.lostAt')}>{t('bonus.ofBase', { percent: offer.percentFail })}</KeyValue>;
}

function Limits({ offer: { terms } }: { offer: Offer }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const games = useGameNames(terms.games);
  return (
    <>
      {terms.withdrawMost !== null && (
        <KeyValue name={t('bonus.withdrawMost')}>
          <Money amount={terms.withdrawMost} currency={currency} />
        </KeyValue>
      )}
      {games && <KeyValue name={t('bonus.games')}>{games}</KeyValue>}
      {terms.endsAt && <KeyValue name={t('bonus.offeredUntil')}>{dateTimeText(terms.endsAt)}</KeyValue>}
    </>
  );
}

/** Operators' words on how a run ends, with this offer's percentage in its place. */
function Notice({ percentFail }: { percentFail: number }) {
  const { t } = useText();
  const { data } = useQuery(noticeQuery);
  if (!data) return null;
  const markup = data.notice
    ? data.notice.replaceAll('{percentFail}', String(percentFail))
    : t('bonus.failNotice', { percentFail });
  return (
    <MessageBox tone="warn" icon={Info}>
      <CleanHtml markup={markup} />
      {t('bonus.lock')}
    </MessageBox>
  );
}
