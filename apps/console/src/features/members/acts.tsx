import { randomKey } from '@krapao/ui/api/random-key.ts';
import { parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Menu } from '@mantine/core';
import { Ellipsis, Pencil } from 'lucide';
import { useState } from 'react';
import { Ask } from '../../parts/ask.tsx';
import { Icon } from '../../parts/icons.tsx';
import { useNotice } from '../../parts/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import { wordOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Member } from './types.ts';

const CATEGORIES = ['correction', 'goodwill', 'campaign', 'fee', 'other'] as const;
type Act = 'entry' | 'coins' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED' | 'sessions';

function useSend(member: Member) {
  const { t } = useText();
  const notice = useNotice();
  const [key] = useState(randomKey);
  const params = { id: member.id };
  const enter = async (values: Record<string, string>) => {
    const answer = await api('POST /api/operator/members/{id}/entries', {
      params,
      body: {
        direction: values.direction as 'credit' | 'debit',
        amount: parseAmount(values.amount ?? '', member.currency) ?? 0,
        category: values.category as (typeof CATEGORIES)[number],
        reason: values.reason ?? '',
        key,
      },
    });
    notice.say(answer.approval ? t('approval.asked') : t('member.entered'));
  };
  const giveCoins = async ({ coins = '', reason = '' }: Record<string, string>) => {
    const body = { coins: Number(coins.replaceAll(',', '')), reason, key };
    const answer = await api('POST /api/operator/members/{id}/coins', { params, body });
    notice.say(answer.approval ? t('approval.asked') : t('member.coinsGiven'));
  };
  return async (act: Act, values: Record<string, string>) => {
    const reason = values.reason ?? '';
    try {
      if (act === 'entry') await enter(values);
      else if (act === 'coins') await giveCoins(values);
      else if (act === 'sessions') {
        const { ended } = await api('POST /api/operator/members/{id}/sessions/end', {
          params,
          body: { reason },
        });
        notice.say(t('member.sessionsEnded', { count: ended }));
      } else {
        const body = { status: act, seen: member.status, reason };
        await api('POST /api/operator/members/{id}/status', { params, body });
        notice.say(wordOf(t, 'state', act));
      }
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['member', member.id] });
    }
  };
}

function Question({ member, act, onClose }: { member: Member; act: Act; onClose: () => void }) {
  const { t } = useText();
  const send = useSend(member);
  const reason = { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
  const titles: Record<Act, string> = {
    entry: t('member.adjust'),
    coins: t('member.giveCoins'),
    ACTIVE: t('member.activate'),
    SUSPENDED: t('member.suspend'),
    CLOSED: t('member.close'),
    sessions: t('member.endSessions'),
  };
  const fields =
    act === 'entry'
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
          { name: 'amount', label: t('col.amount'), least: 1, inputMode: 'decimal' as const },
          {
            name: 'category',
            label: t('member.category'),
            value: 'correction',
            options: CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) })),
          },
          reason,
        ]
      : act === 'coins'
        ? [{ name: 'coins', label: t('prize.coinValue'), least: 1, inputMode: 'decimal' as const }, reason]
        : [reason];
  const isDangerous = act === 'SUSPENDED' || act === 'CLOSED';
  return (
    <Ask
      title={`${titles[act]} · ${member.name}`}
      yes={titles[act]}
      fields={fields}
      isDangerous={isDangerous}
      onYes={(values) => send(act, values)}
      onClose={onClose}
    />
  );
}

/** What an operator can do for, or to, a member. */
export function MemberActs({ of: member }: { of: Member }) {
  const { t } = useText();
  const me = useMe();
  const [act, setAct] = useState<Act | null>(null);
  return (
    <Group gap="xs">
      {may(me, 'entry.make') && (
        <Button leftSection={<Icon of={Pencil} />} onClick={() => setAct('entry')}>
          {t('member.adjust')}
        </Button>
      )}
      {may(me, 'entry.make') && (
        <Button variant="default" onClick={() => setAct('coins')}>
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
            <Menu.Item onClick={() => setAct('sessions')}>{t('member.endSessions')}</Menu.Item>
            {member.status === 'ACTIVE' ? (
              <Menu.Item color="red" onClick={() => setAct('SUSPENDED')}>
                {t('member.suspend')}
              </Menu.Item>
            ) : (
              <Menu.Item onClick={() => setAct('ACTIVE')}>{t('member.activate')}</Menu.Item>
            )}
            <Menu.Item color="red" onClick={() => setAct('CLOSED')}>
              {t('member.close')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {act && <Question member={member} act={act} onClose={() => setAct(null)} />}
    </Group>
  );
}
