import { LANGUAGE_NAMES, LANGUAGES, languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  ActionIcon,
  Anchor,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  NavLink,
  Stack,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Languages, LogOut, Moon, Search, Sun } from 'lucide';
import { useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { ApprovalsRoom } from '../features/approvals/approvals.tsx';
import { AuditRoom } from '../features/audit/audit.tsx';
import { BonusPage, NewBonusPage } from '../features/bonuses/bonus-page.tsx';
import { BonusesRoom } from '../features/bonuses/bonuses.tsx';
import { ChannelsRoom } from '../features/channels/channels.tsx';
import { ChatsRoom } from '../features/chats/chats.tsx';
import { ContentRoom } from '../features/content/content.tsx';
import { CouponsRoom } from '../features/coupons/coupons.tsx';
import { DepositsRoom } from '../features/deposits/deposits.tsx';
import { FiguresRoom } from '../features/figures/figures.tsx';
import { GamesRoom } from '../features/games/games.tsx';
import { MeRoom } from '../features/me/me.tsx';
import { MemberPage } from '../features/members/member.tsx';
import { MembersRoom } from '../features/members/members.tsx';
import { ReconciliationRoom } from '../features/reconciliation/reconciliation.tsx';
import { ReportsRoom } from '../features/reports/reports.tsx';
import { RewardsRoom } from '../features/rewards/rewards.tsx';
import { SettingsRoom } from '../features/settings/settings.tsx';
import { SlipsRoom } from '../features/slips/slips.tsx';
import { TeamRoom } from '../features/team/team.tsx';
import { TodayRoom } from '../features/today/today.tsx';
import { TransfersRoom } from '../features/transfers/transfers.tsx';
import { UnmatchedRoom } from '../features/unmatched/unmatched.tsx';
import { NewWheelPage, WheelPage } from '../features/wheels/wheel-page.tsx';
import { WheelsRoom } from '../features/wheels/wheels.tsx';
import { WithdrawalsRoom } from '../features/withdrawals/withdrawals.tsx';
import { Tag } from '../parts/cells.tsx';
import { Icon } from '../parts/icons.tsx';
import { mayHandle } from '../platform/alarm.ts';
import { api, queries, type Reply } from '../platform/api.ts';
import { wordOf } from '../platform/error-text.ts';
import { showLanguage } from '../platform/i18n.ts';
import { useGoKeys, useKeys } from '../platform/keys.ts';
import { may, useMe } from '../platform/me.ts';
import { Link, useGo } from '../platform/paths.ts';
import { type Bell, BellMenu, useBell } from './bell.tsx';
import { Finder } from './finder.tsx';
import { KeyHelp } from './key-help.tsx';
import { ROOMS, type Room } from './rooms.ts';

type Waiting = Reply<'GET /api/operator/today'>['waiting'];

/** The frame around every room: where one is, what waits, and finding anything. */
export function Shell() {
  const { t } = useText();
  const me = useMe();
  const [path] = useLocation();
  const go = useGo();
  const [isNavOpen, nav] = useDisclosure();
  const [isFinding, finder] = useDisclosure();
  const [isHelping, help] = useDisclosure();
  const rooms = ROOMS.filter((room) => may(me, room.permission));
  const waiting = useWaiting();
  const bell = useBell();
  useHotkeys([['mod+K', finder.open]], []);
  useGoKeys(Object.fromEntries(rooms.map((room) => [room.letter, () => go(room.path)])));
  useKeys({ '?': help.open });
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'md', collapsed: { mobile: !isNavOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap">
            <Burger
              opened={isNavOpen}
              onClick={nav.toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={t('shell.rooms')}
            />
            <FindButton onClick={finder.open} />
          </Group>
          <Group gap="xs" wrap="nowrap">
            {me.sandbox && <Tag tone="warn">{t('shell.sandbox')}</Tag>}
            <Switches bell={bell} onHelp={help.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <AppShell.Section
          grow
          component="nav"
          aria-label={t('shell.rooms')}
          style={{ overflowY: 'auto', minHeight: 0 }}
        >
          <Text fw={700} p="xs">
            {t('shell.product')}
          </Text>
          {rooms.map((room) => (
            <RoomLink key={room.id} room={room} path={path} waiting={waiting} onGo={nav.close} />
          ))}
        </AppShell.Section>
        <Account name={me.name} role={me.role} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Rooms />
      </AppShell.Main>
      {isFinding && <Finder onClose={finder.close} />}
      {isHelping && <KeyHelp rooms={rooms} onClose={help.close} />}
    </AppShell>
  );
}

function FindButton({ onClick }: { onClick: () => void }) {
  const { t } = useText();
  return (
    <UnstyledButton
      onClick={onClick}
      px="sm"
      py={6}
      bg="var(--surface-2)"
      style={{ borderRadius: 10, minWidth: 260 }}
    >
      <Group justify="space-between" wrap="nowrap">
        <Group gap={8} wrap="nowrap">
          <Icon of={Search} />
          <Text size="sm" c="dimmed">
            {t('find.hint')}
          </Text>
        </Group>
        <Group gap={4} wrap="nowrap" visibleFrom="sm">
          <Kbd>{'Ctrl'}</Kbd>
          <Kbd>{'K'}</Kbd>
        </Group>
      </Group>
    </UnstyledButton>
  );
}

function Switches({ bell, onHelp }: { bell: Bell; onHelp: () => void }) {
  const { t } = useText();
  return (
    <>
      <BellMenu bell={bell} />
      <SchemeSwitch />
      <LanguageMenu />
      <Tooltip label={t('keys.title')}>
        <ActionIcon variant="default" size="lg" aria-label={t('keys.title')} onClick={onHelp}>
          <Kbd style={{ border: 0 }}>{'?'}</Kbd>
        </ActionIcon>
      </Tooltip>
    </>
  );
}

/** At an address that is no room's: it says so, and leads to where a day begins. */
function NoRoom() {
  const { t } = useText();
  return (
    <Stack align="center" py={96}>
      <Title order={1} size="h4">
        {t('shell.notFound')}
      </Title>
      <Button component={Link} href="/" variant="default">
        {t('nav.today')}
      </Button>
    </Stack>
  );
}

function Rooms() {
  return (
    <Switch>
      <Route path="/" component={TodayRoom} />
      <Route path="/withdrawals" component={WithdrawalsRoom} />
      <Route path="/deposits" component={DepositsRoom} />
      <Route path="/unmatched" component={UnmatchedRoom} />
      <Route path="/reports" component={ReportsRoom} />
      <Route path="/slips" component={SlipsRoom} />
      <Route path="/transfers" component={TransfersRoom} />
      <Route path="/members/:id">{({ id }) => <MemberPage key={id} id={id} />}</Route>
      <Route path="/members" component={MembersRoom} />
      <Route path="/chats" component={ChatsRoom} />
      <Route path="/approvals" component={ApprovalsRoom} />
      <Route path="/reconciliation" component={ReconciliationRoom} />
      <Route path="/figures" component={FiguresRoom} />
      <Route path="/deposit-accounts" component={ChannelsRoom} />
      <Route path="/content" component={ContentRoom} />
      <Route path="/bonuses/new">
        <NewBonusPage from={new URLSearchParams(location.search).get('from') ?? undefined} />
      </Route>
      <Route path="/bonuses/:code">{({ code }) => <BonusPage key={code} code={code} />}</Route>
      <Route path="/bonuses" component={BonusesRoom} />
      <Route path="/rewards" component={RewardsRoom} />
      <Route path="/coupons" component={CouponsRoom} />
      <Route path="/wheels/new" component={NewWheelPage} />
      <Route path="/wheels/:id">{({ id }) => <WheelPage key={id} id={id} />}</Route>
      <Route path="/wheels" component={WheelsRoom} />
      <Route path="/games" component={GamesRoom} />
      <Route path="/settings" component={SettingsRoom} />
      <Route path="/team" component={TeamRoom} />
      <Route path="/me" component={MeRoom} />
      <Route path="/audit" component={AuditRoom} />
      <Route component={NoRoom} />
    </Switch>
  );
}

/** What waits, for the figures beside the rooms and in the title of the page. */
function useWaiting(): Waiting | undefined {
  const me = useMe();
  const today = useQuery({
    queryKey: ['today'],
    queryFn: () => api('GET /api/operator/today'),
    enabled: may(me, 'today.read'),
    refetchInterval: 60_000,
  });
  const counts = today.data?.waiting;
  const count = ROOMS.reduce(
    (sum, { waiting }) => sum + (waiting && mayHandle(me, waiting) ? (counts?.[waiting].count ?? 0) : 0),
    0,
  );
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '');
    document.title = count > 0 ? `(${count}) ${plain}` : plain;
  });
  return counts;
}

function RoomLink({
  room,
  path,
  waiting,
  onGo,
}: {
  room: Room;
  path: string;
  waiting: Waiting | undefined;
  onGo: () => void;
}) {
  const { t } = useText();
  const count = room.waiting ? (waiting?.[room.waiting].count ?? 0) : 0;
  const isHere = room.path === '/' ? path === '/' : path.startsWith(room.path);
  const link = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counts make rooms above it taller
  useEffect(() => {
    // On a low screen the rooms scroll.
    if (isHere) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isHere, waiting]);
  return (
    <NavLink
      ref={link}
      component={Link}
      href={room.path}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      label={wordOf(t, 'nav', room.id)}
      leftSection={<Icon of={room.icon} />}
      rightSection={count > 0 && <Tag tone="warn">{count}</Tag>}
      onClick={onGo}
      py={5}
      style={{ borderRadius: 10, background: isHere ? 'var(--brand-soft)' : undefined }}
    />
  );
}

function Account({ name, role }: { name: string; role: string }) {
  const { t } = useText();
  const leave = async () => {
    await api('POST /api/operator/logout').catch(() => undefined);
    queries.clear();
    location.assign('/');
  };
  return (
    <Group justify="space-between" p="xs" wrap="nowrap" style={{ borderTop: '1px solid var(--hairline)' }}>
      <Anchor component={Link} href="/me" underline="never" c="var(--ink)" title={t('me.title')}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {wordOf(t, 'role', role)}
        </Text>
      </Anchor>
      <Tooltip label={t('btn.signOut')}>
        <ActionIcon variant="subtle" size="lg" aria-label={t('btn.signOut')} onClick={leave}>
          <Icon of={LogOut} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

function SchemeSwitch() {
  const { t } = useText();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const label = isDark ? t('shell.light') : t('shell.dark');
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        <Icon of={isDark ? Sun : Moon} />
      </ActionIcon>
    </Tooltip>
  );
}

export function LanguageMenu() {
  const { t, language } = useText();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('shell.language')}>
          <Icon of={Languages} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map((code) => (
          <Menu.Item
            key={code}
            lang={languageTag(code)}
            fw={code === language ? 700 : 400}
            onClick={() => void showLanguage(code)}
          >
            {LANGUAGE_NAMES[code]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
