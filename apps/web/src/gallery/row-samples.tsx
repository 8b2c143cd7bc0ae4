import type { StatementStatus } from '@krapao/contract/shared';
import { BottomNav } from '@krapao/ui/components/bottom-nav.tsx';
import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { ErrorReference } from '@krapao/ui/components/error-reference.tsx';
import { Item, KeyValue } from '@krapao/ui/components/item.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Pager } from '@krapao/ui/components/pager.tsx';
import { Prompt, Prompts } from '@krapao/ui/components/prompt.tsx';
import { RatingStars } from '@krapao/ui/components/rating-stars.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { BadgeIcon, type BadgeTone } from '@krapao/ui/components/tile.tsx';
import { TxRow, type TxType } from '@krapao/ui/components/tx-row.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { Headset, House, type IconNode, ReceiptText, ScrollText, ShieldAlert, User, Wallet } from 'lucide';
import { useState } from 'react';
import styles from './gallery.module.css';

const AMOUNTS: Record<StatementStatus, number> = {
  PENDING: 2500,
  PROCESSING: 1_000_000,
  REVIEW: 300,
  SUCCESS: 350,
  FAILED: 0,
};
const TYPES: Record<TxType, StatementStatus> = {
  deposit: 'SUCCESS',
  transfer: 'REVIEW',
  withdraw: 'PROCESSING',
  bonus: 'PENDING',
  finish_bonus: 'FAILED',
};
const BADGES: Record<BadgeTone, IconNode> = {
  brand: Wallet,
  solid: House,
  gold: ScrollText,
  quiet: User,
  bad: ShieldAlert,
  ok: ReceiptText,
  warn: Headset,
};
const keysOf = <Key extends string>(table: Record<Key, unknown>): Key[] => Object.keys(table) as Key[];
const nothing = () => undefined;

/** Samples of list rows, and their placeholders. */
export function RowSamples() {
  const { t } = useText();
  const [page, setPage] = useState(500);
  const ago = t('time.minute', { count: 20 });
  return (
    <section className={styles.group}>
      <div className={`${layout.card} ${layout.list}`}>
        {keysOf(TYPES).map((type) => (
          <TxRow
            key={type}
            type={type}
            status={TYPES[type]}
            amount={AMOUNTS[TYPES[type]]}
            title={t(`type.${type}`)}
            when={<Separated parts={['14:12:47', ago]} />}
            onPress={nothing}
          />
        ))}
      </div>
      <Pager page={page} pageCount={999} onGo={setPage} />
      <div className={styles.row}>
        {keysOf(BADGES).map((tone) => (
          <BadgeIcon key={tone} tone={tone} icon={BADGES[tone]} />
        ))}
      </div>
      <RatingStars text="★★★★" otherwise={null} />
      <div className={`${layout.card} ${layout.list}`}>
        <Item
          lead={<BadgeIcon icon={Wallet} />}
          over={t('transfer.source')}
          title={t('wallet.main')}
          detail="8,250.00"
          onPress={nothing}
        />
        <Item title={t('wallet.main')} detail="0.00" isDisabled onPress={nothing} />
        <Item
          lead={<BadgeIcon icon={Wallet} />}
          title={t('deposit.qr')}
          detail={<Separated parts={[t('deposit.anyBankApp'), t('money.min', { min: '1,000,000.00' })]} />}
          onPress={nothing}
        />
        <dl>
          <KeyValue
            name={t('bank.accountNo')}
            trail={<CopyButton text="1234567890" label={t('bank.accountNo')} />}
          >
            {'123-456-7890'}
          </KeyValue>
        </dl>
      </div>
      <EmptyState text={t('statement.empty')} />
      <ErrorState text={t('error.network')} onRetry={nothing} />
      <Skeleton heights={[24, 64]} />
      <ErrorReference reference="7F3K2Q" onContact={nothing} />
      <CleanHtml markup="<h4>21/11/2026</h4><ul><li>500.00</li></ul>" />
      <div className={styles.screen}>
        <Prompts>
          <Prompt
            icon={ShieldAlert}
            text={t('device.alert')}
            action={t('device.look')}
            onPress={nothing}
            onDismiss={nothing}
          />
        </Prompts>
      </div>
      <BottomNav
        label={t('shell.menu')}
        items={[
          { icon: User, label: t('nav.profile'), to: '/gallery.html' },
          { icon: ScrollText, label: t('nav.conditions'), onPress: nothing },
          { icon: House, label: t('nav.home'), to: '/gallery.html', isHome: true, isCurrent: true },
          { icon: ReceiptText, label: t('statement.nav'), to: '/gallery.html' },
          { icon: Headset, label: t('nav.contact'), to: '/gallery.html' },
        ]}
      />
    </section>
  );
}
