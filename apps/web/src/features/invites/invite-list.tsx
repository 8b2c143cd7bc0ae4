import type { MemberApi } from '@krapao/contract/member';
import type { Currency } from '@krapao/contract/shared';
import { Item } from '@krapao/ui/components/item.tsx';
import { EmptyState } from '@krapao/ui/components/load-state.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Pager } from '@krapao/ui/components/pager.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { BadgeIcon, type BadgeTone } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { dateText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Check, Clock, Gift, type IconNode, Minus, UserPlus } from 'lucide';
import styles from './invite.module.css';
import { INVITE_LIMIT } from './queries.ts';

type Reply = MemberApi['POST /api/invite']['reply'];
type Status = Reply['invites'][number]['status'];

const APPEARANCE = {
  JOINED: { id: 'invite.joined', icon: UserPlus, tone: 'quiet' },
  WAITING: { id: 'invite.waits', icon: Clock, tone: 'warn' },
  READY: { id: 'invite.isReady', icon: Gift, tone: 'gold' },
  RECEIVED: { id: 'invite.received', icon: Check, tone: 'ok' },
  NONE: { id: 'invite.none', icon: Minus, tone: 'quiet' },
} as const satisfies Record<Status, { id: string; icon: IconNode; tone: BadgeTone }>;

interface InviteListProps {
  reply: Reply;
  currency: Currency;
  page: number;
  isOld: boolean;
  onGo: (page: number) => void;
}

/** Who has registered by the link, when, and what each has earned. */
export function InviteList({ reply: { invites, total }, currency, page, isOld, onGo }: InviteListProps) {
  const { t } = useText();
  if (total === 0) return <EmptyState icon={UserPlus} text={t('invite.empty')} />;
  return (
    <section className={`${layout.stack} ${layout.close}`}>
      <h3 className={layout.groupTitle}>{t('invite.friends', { count: total })}</h3>
      <div className={`${layout.card} ${layout.list}`} aria-busy={isOld}>
        {invites.map(({ from, amount, createdAt, status }, index) => {
          const { id, icon, tone } = APPEARANCE[status];
          return (
            <Item
              // biome-ignore lint/suspicious/noArrayIndexKey: two friends may bear one name and come in one moment
              key={`${createdAt} ${index}`}
              lead={<BadgeIcon icon={icon} tone={tone} />}
              title={from.name}
              detail={<Separated parts={[dateText(createdAt), t(id)]} />}
              trail={
                amount > 0 && (
                  <span className={styles.earned}>
                    <Money amount={amount} currency={currency} />
                  </span>
                )
              }
            />
          );
        })}
      </div>
      <Pager page={page} pageCount={Math.ceil(total / INVITE_LIMIT)} onGo={onGo} />
    </section>
  );
}
