import type { Currency } from '@krapao/contract/shared';
import { useNow } from '../hooks/use-now.ts';
import { countdownText } from '../text/date-text.ts';
import { useText } from '../text/text.tsx';
import { BankInitial } from './bank-select.tsx';
import { Money } from './money.tsx';
import { svgAddress } from './picture.ts';
import styles from './qr-ticket.module.css';
import { CountdownRing, Tear, Ticket } from './ticket.tsx';

interface QrTicketProps {
  bankCode: string;
  bankName: string;
  bankColor?: string | null;
  amount: number;
  currency: Currency;
  /** SVG markup from the server. */
  svg: string;
  reference: string;
  /** When it can no longer be paid, by this device's clock, in milliseconds. */
  expiresAt: number;
  totalSeconds: number;
}

/** The QR to pay with: how much, how long, the code and its reference. */
export function QrTicket(props: QrTicketProps) {
  const { t } = useText();
  const left = Math.max(0, (props.expiresAt - useNow(1000)) / 1000);
  const time = countdownText(left);
  return (
    <Ticket>
      <div className={styles.head}>
        <BankInitial code={props.bankCode} color={props.bankColor} />
        <div className={styles.texts}>
          <p className={styles.caption}>{t('qr.toPay', { bank: props.bankName })}</p>
          <p className={styles.amount}>
            <Money amount={props.amount} currency={props.currency} isBig />
          </p>
        </div>
        <CountdownRing
          left={left}
          total={props.totalSeconds}
          text={time}
          label={t('qr.expiresIn', { time })}
        />
      </div>
      <Tear />
      <div className={styles.code}>
        <img src={svgAddress(props.svg)} width="204" height="204" alt={t('qr.scan')} />
        <div>
          <p className={styles.reference}>
            {t('qr.reference')}
            <b>{props.reference}</b>
          </p>
          <p className={styles.caption}>{t('qr.once', { minutes: Math.round(props.totalSeconds / 60) })}</p>
        </div>
      </div>
    </Ticket>
  );
}
