import { BottomNav } from '@krapao/ui/components/bottom-nav.tsx';
import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { ErrorReference } from '@krapao/ui/components/error-reference.tsx';
import { Item, KeyValue } from '@krapao/ui/components/item.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Pager } from '@krapao/ui/components/pager.tsx';
import { Prompt, Prompts } from '@krapao/ui/components/prompt.tsx';
import { RatingStars } from '@krapao/ui/components/rating-stars.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import { TxRow } from '@krapao/ui/components/tx-row.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { Headset, House, ReceiptText, ScrollText, ShieldAlert, User, Wallet } from 'lucide';
import { useState } from 'react';
import styles from './gallery.module.css';

const ROWS = [
  { type: 'deposit', status: 'SUCCESS', amount: 500 },
  { type: 'transfer', status: 'REVIEW', amount: 300 },
  { type: 'withdraw', status: 'PENDING', amount: 2500 },
  { type: 'withdraw', status: 'PROCESSING', amount: 1_000_000 },
  { type: 'bonus', status: 'SUCCESS', amount: 350 },
  { type: 'finish_bonus', status: 'FAILED', amount: 0 },
] as const;
const nothing = () => undefined;

/** What stands in lists, and what stands in for them. */
export function RowSamples() {
  const { t } = useText();
  const [page, setPage] = useState(500);
  const ago = t('time.minute', { count: 20 });
  return (
    <section className={styles.group}>
      <div className={`${layout.card} ${layout.list}`}>
        {ROWS.map((row) => (
          <TxRow
            key={row.type + row.status}
            {...row}
            title={t(`type.${row.type}`)}
            when={`14:12:47 · ${ago}`}
            onPress={nothing}
          />
        ))}
      </div>
      <Pager page={page} pageCount={999} onGo={setPage} />
      <RatingStars text="★★★★" otherwise={null} />
      <div className={`${layout.card} ${layout.list}`}>
        <Item
          lead={<BadgeIcon icon={Wallet} />}
          over={t('transfer.source')}
          title={t('wallet.main')}
          detail="8,250.00"
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
