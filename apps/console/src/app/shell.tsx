import { LANGUAGE_NAMES, LANGUAGES, languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  ActionIcon,
  Anchor,
  AppShell,
  Box,
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
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleHelp, Languages, LogOut, Moon, Search, Sun } from 'lucide';
import { Fragment, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Tag } from '../components/cells.tsx';
import { Icon } from '../components/icons.tsx';
import { AlertsPage } from '../features/alerts/alerts.tsx';
import { ApprovalsPage } from '../features/approvals/approvals.tsx';
import { AuditPage } from '../features/audit/audit.tsx';
import { BonusPage, NewBonusPage } from '../features/bonuses/bonus-page.tsx';
import { BonusesPage } from '../features/bonuses/bonuses.tsx';
import { ChatsPage } from '../features/chat/chat.tsx';
import { ContentPage } from '../features/content/content.tsx';
import { CouponsPage } from '../features/coupons/coupons.tsx';
import { ChannelsPage } from '../features/deposit-accounts/deposit-accounts.tsx';
import { DepositsPage } from '../features/deposits/deposits.tsx';
import { FiguresPage } from '../features/figures/figures.tsx';
import { GamesPage } from '../features/games/games.tsx';
import { InvitesRefundsPage } from '../features/invites-refunds/invites-refunds.tsx';
import { MePage } from '../features/me/me.tsx';
import { MemberPage } from '../features/members/member.tsx';
import { MembersPage } from '../features/members/members.tsx';
import { TeamPage } from '../features/operators/operators.tsx';
import { TodayPage } from '../features/overview/overview.tsx';
import { ReconciliationPage } from '../features/reconciliation/reconciliation.tsx';
import { ReportsPage } from '../features/reports/reports.tsx';
import { SettingsPage } from '../features/settings/settings.tsx';
import { SlipsPage } from '../features/slips/slips.tsx';
import { TransfersPage } from '../features/transfers/transfers.tsx';
import { UnmatchedPage } from '../features/unmatched/unmatched.tsx';
import { WebhookPage } from '../features/webhooks/endpoint.tsx';
import { WebhooksPage } from '../features/webhooks/webhooks.tsx';
import { NewWheelPage, WheelPage } from '../features/wheel/wheel-page.tsx';
import { WheelsPage } from '../features/wheel/wheels.tsx';
import { WithdrawalsPage } from '../features/withdrawals/withdrawals.tsx';
import { mayHandle } from '../platform/alarm.ts';
import { api, type Reply } from '../platform/api.ts';
import { labelOf } from '../platform/error-text.ts';
import { showLanguage } from '../platform/i18n.ts';
import { useGoKeys, useKeys } from '../platform/keys.ts';
import { may, useMe } from '../platform/me.ts';
import { Link, type Path, useGo } from '../platform/paths.ts';
import { useEntry } from '../platform/saved-views.ts';
import { type Bell, BellMenu, useBell } from './bell.tsx';
import { Finder } from './finder.tsx';
import { KeyHelp } from './key-help.tsx';
import { useExit } from './leave-guard.tsx';
import { isHelpPage, PageHelpSheet } from './page-help.tsx';
import { PageViews } from './page-views.tsx';
import { type ConsolePage, PAGES } from './pages.ts';
import { signOut } from './sign-out.ts';

type Waiting = Reply<'GET /api/operator/today'>['waiting'];

/** Whether an address is on a page or one of its subjects. */
const isAt = (page: string, path: string): boolean => (page === '/' ? path === '/' : path.startsWith(page));

/** The frame around every page: where one is, what waits, and finding anything. */
export function Shell() {
  const { t } = useText();
  const me = useMe();
  const [path] = useLocation();
  const go = useGo();
  const entry = useEntry();
  const [isNavOpen, nav] = useDisclosure();
  const [isFinding, finder] = useDisclosure();
  const [isHelping, help] = useDisclosure();
  const [isExplaining, about] = useDisclosure();
  const pageNames = PAGES.filter((pageName) => may(me, pageName.permission));
  const waiting = useWaiting();
  const bell = useBell();
  // By its place too: on a Thai or Lao layout the key has no Latin letter.
  useHotkeys(
    [
      ['mod+K', finder.open],
      ['mod+K', finder.open, { usePhysicalKeys: true }],
    ],
    [],
  );
  useGoKeys(
    Object.fromEntries(pageNames.map((pageName) => [pageName.letter, () => go(entry(pageName.path))])),
  );
  const page = pageNames.find(({ path: at }) => isAt(at, path))?.id;
  const explained = isHelpPage(page) ? page : null;
  useKeys({ '?': help.open, ...(explained ? { h: about.open } : {}) });
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
              aria-label={t('shell.pageNames')}
            />
            <FindButton onClick={finder.open} />
          </Group>
          <Group gap="xs" wrap="nowrap">
            {me.sandbox && (
              <Box visibleFrom="sm">
                <Tag tone="warn">{t('shell.sandbox')}</Tag>
              </Box>
            )}
            {explained && <AboutButton onClick={about.open} />}
            <Switches bell={bell} onHelp={help.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <AppShell.Section
          grow
          component="nav"
          aria-label={t('shell.pageNames')}
          style={{ overflowY: 'auto', minHeight: 0 }}
        >
          <Text fw={700} p="xs">
            {t('shell.product')}
          </Text>
          {pageNames.map((pageName) => (
            <Fragment key={pageName.id}>
              <PageLink
                pageName={pageName}
                href={entry(pageName.path)}
                path={path}
                waiting={waiting}
                onGo={nav.close}
              />
              {pageName.id === page && <PageViews of={pageName} path={path} onGo={nav.close} />}
            </Fragment>
          ))}
        </AppShell.Section>
        <Account name={me.name} role={me.role} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Pages />
      </AppShell.Main>
      {isFinding && <Finder onClose={finder.close} />}
      {isExplaining && explained && <PageHelpSheet page={explained} onClose={about.close} />}
      {isHelping && <KeyHelp pageNames={pageNames} onClose={help.close} />}
    </AppShell>
  );
}

/** Opens what the page is for and what its words mean. */
function AboutButton({ onClick }: { onClick: () => void }) {
  const { t } = useText();
  const label = t('help.about');
  return (
    <Tooltip label={`${label} (h)`}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick}>
        <Icon of={CircleHelp} />
      </ActionIcon>
    </Tooltip>
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
      miw={{ sm: 260 }}
      style={{ borderRadius: 10 }}
    >
      <Group justify="space-between" wrap="nowrap">
        <Group gap={8} wrap="nowrap">
          <Icon of={Search} />
          <Text size="sm" c="dimmed" visibleFrom="sm">
            {t('find.hint')}
          </Text>
          <VisuallyHidden hiddenFrom="sm">{t('find.hint')}</VisuallyHidden>
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
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t('keys.title')}
          visibleFrom="sm"
          onClick={onHelp}
        >
          <Kbd style={{ border: 0 }}>{'?'}</Kbd>
        </ActionIcon>
      </Tooltip>
    </>
  );
}

/** Shown at an unknown address: reports it, and links to the start page. */
function NoPage() {
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

function Pages() {
  return (
    <Switch>
      <Route path="/" component={TodayPage} />
      <Route path="/alerts" component={AlertsPage} />
      <Route path="/withdrawals" component={WithdrawalsPage} />
      <Route path="/deposits" component={DepositsPage} />
      <Route path="/unmatched" component={UnmatchedPage} />
      <Route path="/reports" component={ReportsPage} />
      <Route path="/slips" component={SlipsPage} />
      <Route path="/transfers" component={TransfersPage} />
      <Route path="/members/:id">{({ id }) => <MemberPage key={id} id={id} />}</Route>
      <Route path="/members" component={MembersPage} />
      <Route path="/chats" component={ChatsPage} />
      <Route path="/approvals" component={ApprovalsPage} />
      <Route path="/reconciliation" component={ReconciliationPage} />
      <Route path="/figures" component={FiguresPage} />
      <Route path="/deposit-accounts" component={ChannelsPage} />
      <Route path="/content" component={ContentPage} />
      <Route path="/bonuses/new">
        <NewBonusPage from={new URLSearchParams(location.search).get('from') ?? undefined} />
      </Route>
      <Route path="/bonuses/:code">{({ code }) => <BonusPage key={code} code={code} />}</Route>
      <Route path="/bonuses" component={BonusesPage} />
      <Route path="/rewards" component={InvitesRefundsPage} />
      <Route path="/coupons" component={CouponsPage} />
      <Route path="/wheels/new" component={NewWheelPage} />
      <Route path="/wheels/:id">{({ id }) => <WheelPage key={id} id={id} />}</Route>
      <Route path="/wheels" component={WheelsPage} />
      <Route path="/games" component={GamesPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/team" component={TeamPage} />
      <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
      <Route path="/webhooks" component={WebhooksPage} />
      <Route path="/me" component={MePage} />
      <Route path="/audit" component={AuditPage} />
      <Route component={NoPage} />
    </Switch>
  );
}

/** What waits, for the figures beside the pages and in the title of the page. */
function useWaiting(): Waiting | undefined {
  const me = useMe();
  const today = useQuery({
    queryKey: ['today'],
    queryFn: () => api('GET /api/operator/today'),
    enabled: may(me, 'today.read'),
    refetchInterval: 60_000,
  });
  const counts = today.data?.waiting;
  const count = PAGES.reduce(
    (sum, { waiting }) => sum + (waiting && mayHandle(me, waiting) ? (counts?.[waiting]?.count ?? 0) : 0),
    0,
  );
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '');
    document.title = count > 0 ? `(${count}) ${plain}` : plain;
  });
  return counts;
}

function PageLink({
  pageName,
  href,
  path,
  waiting,
  onGo,
}: {
  pageName: ConsolePage;
  href: Path;
  path: string;
  waiting: Waiting | undefined;
  onGo: () => void;
}) {
  const { t } = useText();
  const count = pageName.waiting ? (waiting?.[pageName.waiting]?.count ?? 0) : 0;
  const isHere = isAt(pageName.path, path);
  const link = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counts make pages above it taller
  useEffect(() => {
    // On a low screen the pages scroll.
    if (isHere) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isHere, waiting]);
  return (
    <NavLink
      ref={link}
      component={Link}
      href={href}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      label={labelOf(t, 'nav', pageName.id)}
      leftSection={<Icon of={pageName.icon} />}
      rightSection={count > 0 && <Tag tone="warn">{count}</Tag>}
      onClick={onGo}
      py={5}
      style={{ borderRadius: 10, background: isHere ? 'var(--brand-soft)' : undefined }}
    />
  );
}

function Account({ name, role }: { name: string; role: string }) {
  const { t } = useText();
  const exit = useExit();
  return (
    <Group justify="space-between" p="xs" wrap="nowrap" style={{ borderTop: '1px solid var(--hairline)' }}>
      <Anchor component={Link} href="/me" underline="never" c="var(--ink)" title={t('me.title')}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {labelOf(t, 'role', role)}
        </Text>
      </Anchor>
      <Tooltip label={t('btn.signOut')}>
        <ActionIcon variant="subtle" size="lg" aria-label={t('btn.signOut')} onClick={() => exit(signOut)}>
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
