import type { Currency, StatementStatus } from '@krapao/contract/shared';
import { Check, Clock, X } from 'lucide';
import type { ReactNode } from 'react';
import type { Sign } from '../text/amount-text.ts';
import { useText } from '../text/text.tsx';
import { BrandMark } from './brand-mark.tsx';
import { cx } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import { KeyValue } from './item.tsx';
import { Money } from './money.tsx';
import type { PictureLine } from './picture.ts';
import styles from './receipt.module.css';
import { statusTone } from './status-pill.tsx';
import { Tear, Ticket } from './ticket.tsx';

const SEALS = { ok: Check, bad: X, warn: Clock };

interface ReceiptProps {
  status: StatementStatus;
  /** What was done and how it ended, in words. */
  title: string;
  amount: number;
  sign: Sign;
  currency: Currency;
  when: string;
  /** From, to, and its other details. */
  lines: readonly PictureLine[];
  reference: string;
  product: string;
  /** Of the wallet; null where the movement did not touch it or it is not known yet. */
  balanceAfter: number | null;
  /** Address of the reference as a QR; empty while it is being drawn. */
  code: string;
  note?: ReactNode;
}

/** One movement on perforated paper. Announces a status that changes while it is shown. */
export function Receipt(props: ReceiptProps) {
  const { t } = useText();
  const tone = statusTone(props.status);
  return (
    <Ticket>
      <div className={styles.head}>
        <span className={cx(styles.seal, styles[tone])}>
          <Icon of={SEALS[tone]} size={28} stroke={2.5} />
        </span>
        <h3 className={styles[tone]} aria-live="polite">
          {props.title}
        </h3>
        <p className={styles.amount}>
          <Money
            amount={props.amount}
            currency={props.currency}
            sign={props.sign}
            isBig
            isStruck={props.status === 'FAILED'}
          />
        </p>
        <p className={styles.when}>{props.when}</p>
      </div>
      <Tear />
      <dl className={styles.lines}>
        {props.lines.map(({ name, value, detail }) => (
          <KeyValue key={name} name={name}>
            {value}
            {detail && <span className={styles.detail}>{detail}</span>}
          </KeyValue>
        ))}
        <KeyValue
          name={t('receipt.reference')}
          trail={<CopyButton text={props.reference} label={t('receipt.reference')} />}
        >
          <span className={styles.reference}>{props.reference}</span>
        </KeyValue>
      </dl>
      {props.note && <div className={styles.note}>{props.note}</div>}
      <Tear />
      <div className={styles.foot}>
        <div>
          <p className={styles.brand}>
            <BrandMark />
            {props.product}
          </p>
          {props.balanceAfter !== null && (
            <p className={styles.after}>
              {t('receipt.balanceAfter')}
              <b>
                <Money amount={props.balanceAfter} currency={props.currency} />
              </b>
            </p>
          )}
        </div>
        {props.code ? (
          <img className={styles.code} src={props.code} alt={t('receipt.code')} />
        ) : (
          <span className={styles.code} />
        )}
      </div>
    </Ticket>
  );
}
