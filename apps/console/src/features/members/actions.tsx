import { CURRENCY_DECIMALS } from '@krapao/contract/shared';
import { randomKey } from '@krapao/ui/api/random-key.ts';
import { parseAmount, parseFigure } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Menu } from '@mantine/core';
import { Ellipsis, Pencil } from 'lucide';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Member } from './types.ts';

const CATEGORIES = ['correction', 'goodwill', 'campaign', 'fee', 'other'] as const;
type Action = 'entry' | 'coins' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED' | 'sessions';

function useSend(member: Member) {
  const { t } = useText();
  const notice = useNotice();
  const [key] = useState(randomKey);
  const [seen] = useState(member.status);
  const params = { id: member.id };
  const enter = async (values: Record<string, string>) => {
    const response = await api('POST /api/operator/members/{id}/entries', {
      params,
      body: {
        direction: values.direction as 'credit' | 'debit',
        amount: parseAmount(values.amount ?? '', member.currency) ?? 0,
        category: values.category as (typeof CATEGORIES)[number],
        reason: values.reason ?? '',
        key,
      },
    });
    notice.say(response.approval ? t('approval.requested') : t('member.entered'));
  };
  const giveCoins = async ({ coins = '', reason = '' }: Record<string, string>) => {
    const body = { coins: parseFigure(coins, 0) ?? 0, reason, key };
    const response = await api('POST /api/operator/members/{id}/coins', { params, body });
    notice.say(response.approval ? t('approval.requested') : t('member.coinsGiven'));
  };
  return async (action: Action, values: Record<string, string>) => {
    const reason = values.reason ?? '';
    try {
      if (action === 'entry') await enter(values);
      else if (action === 'coins') await giveCoins(values);
      else if (action === 'sessions') {
        const { ended } = await api('POST /api/operator/members/{id}/sessions/end', {
          params,
          body: { reason },
        });
        notice.say(t('member.sessionsEnded', { count: ended }));
      } else {
        const body = { status: action, seen, reason };
        await api('POST /api/operator/members/{id}/status', { params, body });
        notice.say(labelOf(t, 'state', action));
      }
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['member', member.id] });
    }
  };
}

function Question({ member, action, onClose }: { member: Member; action: Action; onClose: () => void }) {
  const { t } = useText();
  const send = useSend(member);
  const reason = { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
  const titles: Record<Action, string> = {
    entry: t('member.adjust'),
    coins: t('member.giveCoins'),
    ACTIVE: t('member.activate'),
    SUSPENDED: t('member.suspend'),
    CLOSED: t('member.close'),
    sessions: t('member.endSessions'),
  };
  const fields =
    action === 'entry'
      ? [
          {
            name: 'direction',
            label: t('member.direction'),
            value: 'credit',
            options: [
              { value: 'credit', label: t('member.credit') },
              { value: 'debit', label: t('member.debit') },
            ],
          },
          {
            name: 'amount',
            label: t('col.amount'),
            least: 1,
            figure: { decimals: CURRENCY_DECIMALS[member.currency], currency: member.currency },
          },
          {
            name: 'category',
            label: t('member.category'),
            value: 'correction',
            options: CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) })),
          },
          reason,
        ]
      : action === 'coins'
        ? [{ name: 'coins', label: t('prize.coinValue'), least: 1, figure: { decimals: 0 } }, reason]
        : [reason];
  const isDangerous = action === 'SUSPENDED' || action === 'CLOSED';
  return (
    <ActionDialog
      title={`${titles[action]} · ${member.name}`}
      yes={titles[action]}
      fields={fields}
      isDangerous={isDangerous}
      onYes={(values) => send(action, values)}
      onClose={onClose}
    />
  );
}

/** What an operator can do for, or to, a member. */
export function MemberActions({ of: member }: { of: Member }) {
  const { t } = useText();
  const me = useMe();
  const [action, setAction] = useState<Action | null>(null);
  return (
    <Group gap="xs">
      {may(me, 'entry.make') && (
        <Button leftSection={<Icon of={Pencil} />} onClick={() => setAction('entry')}>
          {t('member.adjust')}
        </Button>
      )}
      {may(me, 'entry.make') && (
        <Button variant="default" onClick={() => setAction('coins')}>
          {t('member.giveCoins')}
        </Button>
      )}
      {may(me, 'member.status') && member.status !== 'CLOSED' && (
        <Menu>
          <Menu.Target>
            <Button variant="default" aria-label={t('member.more')}>
              <Icon of={Ellipsis} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setAction('sessions')}>{t('member.endSessions')}</Menu.Item>
            {member.status === 'ACTIVE' ? (
              <Menu.Item color="red" onClick={() => setAction('SUSPENDED')}>
                {t('member.suspend')}
              </Menu.Item>
            ) : (
              <Menu.Item onClick={() => setAction('ACTIVE')}>{t('member.activate')}</Menu.Item>
            )}
            <Menu.Item color="red" onClick={() => setAction('CLOSED')}>
              {t('member.close')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {action && <Question member={member} action={action} onClose={() => setAction(null)} />}
    </Group>
  );
}
