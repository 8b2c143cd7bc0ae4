import type { Permission } from '@krapao/contract/operator';
import { Money } from '@krapao/ui/components/money.tsx';
import { accountText, phoneText } from '@krapao/ui/text/account-text.ts';
import { dateText, dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import type { MessageId } from '@lingui/core';
import { Box, Button, Group, Paper, SimpleGrid, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';
import { BankMark, Fact, Figure, MemberLink, Person, State, Tag } from '../../components/cells.tsx';
import { MemberCoupons } from '../../components/coupons.tsx';
import { Icon } from '../../components/icons.tsx';
import { Invites } from '../../components/invites.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { Refunds } from '../../components/refunds.tsx';
import { RiskParts } from '../../components/risk.tsx';
import { Runs } from '../../components/runs.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, queries } from '../../platform/api.ts';
import { bankName } from '../../platform/bank-name.ts';
import { may, useMe } from '../../platform/me.ts';
import { keepRecent } from '../../platform/recent.ts';
import { useLiveMember } from '../../platform/shown-member.ts';
import { MemberActions } from './actions.tsx';
import { Flags } from './flags.tsx';
import { InviteTree } from './invite-tree.tsx';
import { KycCard } from './kyc.tsx';
import { Lifetime } from './lifetime.tsx';
import { ChatsTab, DepositsTab, SlipsTab, TransfersTab, WithdrawalsTab } from './money-tabs.tsx';
import { Notes } from './notes.tsx';
import { SharedCard } from './shared.tsx';
import { AuditTab, GamesTab, PostingsTab, SessionsTab, StatementTab } from './tabs.tsx';
import { MemberTags } from './tags.tsx';
import { TimelineTab } from './timeline.tsx';
import type { Member, Revealed } from './types.ts';

/** Shows the numbers in full on request; the audit trail records the operator. */
function useReveal(id: string) {
  const notice = useNotice();
  const [shown, setShown] = useState<Revealed | null>(null);
  const reveal = async () => {
    try {
      setShown(await api('POST /api/operator/members/{id}/reveal', { params: { id }, body: {} }));
      void queries.invalidateQueries({ queryKey: ['audit'] });
    } catch (error) {
      notice.complain(error);
    }
  };
  return { shown, reveal };
}

/** Everything about one member on one page. */
export function MemberPage({ id }: { id: string }) {
  useLiveMember(id);
  const member = useQuery({
    queryKey: ['member', id],
    queryFn: () => api('GET /api/operator/members/{id}', { params: { id } }),
  });
  useEffect(() => {
    if (!member.data) return;
    keepRecent({ path: `/members/${id}`, title: member.data.name, kind: 'member' });
    document.title = document.title.replace(/^(\(\d+\) )?.*$/, `$1${member.data.name}`);
  }, [member.data, id]);
  return (
    <Stack gap="md">
      <ReadError of={member} />
      {member.data && <Content of={member.data} />}
    </Stack>
  );
}

function Content({ of: member }: { of: Member }) {
  const { t } = useText();
  const { shown, reveal } = useReveal(member.id);
  const money = (amount: number) => <Money amount={amount} currency={member.currency} />;
  return (
    <Group align="flex-start" wrap="wrap" gap="md">
      <Stack style={{ flex: '1 1 620px', minWidth: 0 }} gap="md">
        <Group justify="space-between">
          <Heading of={member} shown={shown} onReveal={reveal} />
          <MemberActions of={member} />
        </Group>
        <Flags of={member} />
        <MemberTags of={member} />
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <Figure name={t('member.total')}>{money(member.total)}</Figure>
          <Figure name={t('member.wallet')}>{money(member.wallet)}</Figure>
          <Figure name={t('member.inGames', { count: member.games.length })}>{money(member.inGames)}</Figure>
          <Figure name={t('member.held')} isLate={member.held > 0}>
            {money(member.held)}
          </Figure>
        </SimpleGrid>
        <MemberTabs of={member} />
      </Stack>
      <Stack style={{ flex: '1 1 280px', maxWidth: 380 }} gap="md">
        <Particulars of={member} shown={shown} />
        <KycCard of={member} />
        <Lifetime of={member} />
        <RiskCard of={member} />
        <SharedCard of={member} />
        <Notes of={member} />
      </Stack>
    </Group>
  );
}

function Heading({
  of: member,
  shown,
  onReveal,
}: {
  of: Member;
  shown: Revealed | null;
  onReveal: () => void;
}) {
  const { t } = useText();
  return (
    <Group wrap="nowrap">
      <Person name={member.name} />
      <Box>
        <Group gap="xs">
          <Title order={1} size="h2">
            {member.name}
          </Title>
          <State of={member.status} />
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {[
              member.id,
              shown ? phoneText(shown.phone) : member.phone,
              t('member.since', { date: dateText(member.createdAt) }),
            ].join(' · ')}
          </Text>
          <RevealButton isShown={shown !== null} onReveal={onReveal} />
        </Group>
      </Box>
    </Group>
  );
}

/** The score as it is now, with its parts. */
function RiskCard({ of: member }: { of: Member }) {
  const { t } = useText();
  return (
    <Paper withBorder p="md" component="section" aria-label={t('risk.title')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h6">
            {t('risk.title')}
          </Title>
          <Text size="sm" fw={600}>
            {t('risk.score', { score: member.risk.score })}
          </Text>
        </Group>
        <RiskParts of={member.risk} memberId={member.id} currency={member.currency} />
      </Stack>
    </Paper>
  );
}

const LIMIT_TEXTS = {
  'deposit day': 'member.limit-deposit-day',
  'deposit week': 'member.limit-deposit-week',
  'deposit month': 'member.limit-deposit-month',
  'loss day': 'member.limit-loss-day',
  'loss week': 'member.limit-loss-week',
  'loss month': 'member.limit-loss-month',
} as const;

/** What the member has set: a time-out or self-exclusion, limits, a PIN for withdrawals. */
function OwnRules({ of: { exclusion, limits, hasPin, currency } }: { of: Member }) {
  const { t } = useText();
  return (
    <>
      {exclusion && (
        <Fact name={t('member.excluded')}>
          {exclusion.until === null
            ? t('member.excludedForGood')
            : t('member.excludedUntil', { time: dateTimeText(exclusion.until) })}
        </Fact>
      )}
      {limits.map(({ kind, period, amount }) => (
        <Fact key={`${kind} ${period}`} name={t(LIMIT_TEXTS[`${kind} ${period}`])}>
          <Money amount={amount} currency={currency} />
        </Fact>
      ))}
      {hasPin && <Fact name={t('member.hasPin')}>{t('member.pinOn')}</Fact>}
    </>
  );
}

function Particulars({ of: member, shown }: { of: Member; shown: Revealed | null }) {
  const { t, language } = useText();
  return (
    <>
      {member.account && (
        <Paper withBorder p="md">
          <Group wrap="nowrap">
            <BankMark code={member.account.bankCode} color={member.account.bankColor} />
            <Box>
              <Text fw={600}>
                {shown?.accountNo
                  ? accountText(shown.accountNo, member.account.bankCode)
                  : member.account.accountNo}
              </Text>
              <Text size="sm" c="dimmed">
                {`${bankName(member.account, language)} · ${member.account.accountName}`}
              </Text>
            </Box>
          </Group>
        </Paper>
      )}
      <Paper withBorder p="md">
        <Stack gap={6}>
          <Fact name={t('member.coins')}>{String(member.coins)}</Fact>
          <Fact name={t('member.source')}>{member.sourceNames[language]}</Fact>
          <Fact name={t('member.age')}>
            {member.ageConfirmed
              ? t('member.ageOn', {
                  age: member.ageConfirmed.age,
                  date: dateText(member.ageConfirmed.at),
                })
              : t('member.ageNot')}
          </Fact>
          <OwnRules of={member} />
          <Fact name={t('member.invited')}>{String(member.invited)}</Fact>
          {member.inviter && (
            <Fact name={t('member.inviter')}>
              <MemberLink of={member.inviter} />
            </Fact>
          )}
          {member.unknownInviteCode && <Fact name={t('member.unknownCode')}>{member.unknownInviteCode}</Fact>}
        </Stack>
      </Paper>
    </>
  );
}

function RevealButton({ isShown, onReveal }: { isShown: boolean; onReveal: () => void }) {
  const { t } = useText();
  const me = useMe();
  if (isShown) return <Tag tone="brand">{t('member.revealed')}</Tag>;
  if (!may(me, 'member.reveal')) return null;
  return (
    <Button variant="subtle" size="compact-sm" leftSection={<Icon of={Eye} size={16} />} onClick={onReveal}>
      {t('member.reveal')}
    </Button>
  );
}
/** What can be looked at of a member, and who may. */
const TABS: readonly {
  id: string;
  label: MessageId;
  Content: (props: { of: Member }) => ReactNode;
  permission?: Permission;
}[] = [
  { id: 'timeline', label: 'member.timeline', Content: TimelineTab },
  { id: 'statement', label: 'member.statement', Content: StatementTab },
  { id: 'postings', label: 'member.postings', Content: PostingsTab },
  { id: 'deposits', label: 'nav.deposits', Content: DepositsTab, permission: 'deposit.read' },
  { id: 'slips', label: 'nav.slips', Content: SlipsTab, permission: 'slip.read' },
  { id: 'withdrawals', label: 'nav.withdrawals', Content: WithdrawalsTab, permission: 'withdrawal.read' },
  { id: 'games', label: 'member.games', Content: GamesTab },
  { id: 'transfers', label: 'nav.transfers', Content: TransfersTab, permission: 'transfer.read' },
  {
    id: 'runs',
    label: 'bonus.runs',
    Content: ({ of }) => <Runs query={{ member: of.id }} />,
    permission: 'promotion.read',
  },
  {
    id: 'invites',
    label: 'invites.title',
    Content: ({ of }) => <Invites inviter={of.id} />,
    permission: 'promotion.read',
  },
  { id: 'tree', label: 'inviteTree.title', Content: InviteTree },
  {
    id: 'refunds',
    label: 'refunds.title',
    Content: ({ of }) => <Refunds member={of.id} />,
    permission: 'promotion.read',
  },
  {
    id: 'coupons',
    label: 'member.coupons',
    Content: ({ of }) => <MemberCoupons id={of.id} />,
    permission: 'promotion.read',
  },
  { id: 'chats', label: 'nav.chats', Content: ChatsTab, permission: 'chat.read' },
  { id: 'sessions', label: 'member.sessions', Content: SessionsTab },
  { id: 'audit', label: 'nav.audit', Content: AuditTab, permission: 'audit.read' },
];

function MemberTabs({ of: member }: { of: Member }) {
  const { t } = useText();
  const me = useMe();
  const address = useAddress();
  const tabs = TABS.filter(({ permission }) => !permission || may(me, permission));
  const tab = address.get('tab');
  return (
    <Tabs
      value={tabs.some(({ id }) => id === tab) ? tab : 'timeline'}
      onChange={(tab) => address.set({ tab: tab === 'timeline' ? null : tab })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.id} value={tab.id} px={10} py={8}>
            {t(tab.label)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.id} value={tab.id}>
          <tab.Content of={member} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
