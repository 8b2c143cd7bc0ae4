import type { Permission } from '@krapao/contract/operator';
import {
  ArrowDownToLine,
  ArrowLeftRight,
  ArrowUpFromLine,
  BadgePercent,
  ChartColumn,
  CheckCheck,
  CircleHelp,
  FileImage,
  Gamepad2,
  HandCoins,
  History,
  type IconNode,
  Landmark,
  LayoutDashboard,
  LoaderPinwheel,
  MessageCircleQuestionMark,
  MessagesSquare,
  Newspaper,
  Scale,
  SlidersHorizontal,
  TicketPercent,
  TriangleAlert,
  Users,
  UsersRound,
  Webhook,
} from 'lucide';
import type { Page } from '../platform/paths.ts';

export interface ConsolePage {
  id: string;
  path: Page;
  icon: IconNode;
  /** The letter after `g`. */
  letter: string;
  permission: Permission;
  /** The waiting count beside its name. */
  waiting?:
    | 'withdrawals'
    | 'unmatched'
    | 'reports'
    | 'slips'
    | 'transfers'
    | 'approvals'
    | 'chats'
    | 'alerts';
}

/** The pages in the order of the day. */
export const PAGES: readonly ConsolePage[] = [
  { id: 'today', path: '/', icon: LayoutDashboard, letter: 't', permission: 'today.read' },
  {
    id: 'alerts',
    path: '/alerts',
    icon: TriangleAlert,
    letter: 'q',
    permission: 'today.read',
    waiting: 'alerts',
  },
  {
    id: 'chats',
    path: '/chats',
    icon: MessagesSquare,
    letter: 'z',
    permission: 'chat.read',
    waiting: 'chats',
  },
  {
    id: 'withdrawals',
    path: '/withdrawals',
    icon: ArrowUpFromLine,
    letter: 'w',
    permission: 'withdrawal.read',
    waiting: 'withdrawals',
  },
  { id: 'deposits', path: '/deposits', icon: ArrowDownToLine, letter: 'd', permission: 'deposit.read' },
  {
    id: 'unmatched',
    path: '/unmatched',
    icon: CircleHelp,
    letter: 'u',
    permission: 'unmatched.read',
    waiting: 'unmatched',
  },
  {
    id: 'reports',
    path: '/reports',
    icon: MessageCircleQuestionMark,
    letter: 'r',
    permission: 'unmatched.read',
    waiting: 'reports',
  },
  { id: 'slips', path: '/slips', icon: FileImage, letter: 's', permission: 'slip.read', waiting: 'slips' },
  {
    id: 'approvals',
    path: '/approvals',
    icon: CheckCheck,
    letter: 'a',
    permission: 'approval.read',
    waiting: 'approvals',
  },
  { id: 'members', path: '/members', icon: Users, letter: 'm', permission: 'member.read' },
  {
    id: 'transfers',
    path: '/transfers',
    icon: ArrowLeftRight,
    letter: 'p',
    permission: 'transfer.read',
    waiting: 'transfers',
  },
  {
    id: 'reconciliation',
    path: '/reconciliation',
    icon: Scale,
    letter: 'c',
    permission: 'reconciliation.read',
  },
  { id: 'figures', path: '/figures', icon: ChartColumn, letter: 'f', permission: 'figures.read' },
  { id: 'channels', path: '/deposit-accounts', icon: Landmark, letter: 'b', permission: 'channel.read' },
  { id: 'content', path: '/content', icon: Newspaper, letter: 'n', permission: 'content.read' },
  { id: 'bonuses', path: '/bonuses', icon: BadgePercent, letter: 'i', permission: 'promotion.read' },
  { id: 'rewards', path: '/rewards', icon: HandCoins, letter: 'v', permission: 'promotion.read' },
  { id: 'wheels', path: '/wheels', icon: LoaderPinwheel, letter: 'h', permission: 'promotion.read' },
  { id: 'coupons', path: '/coupons', icon: TicketPercent, letter: 'k', permission: 'promotion.read' },
  { id: 'games', path: '/games', icon: Gamepad2, letter: 'y', permission: 'setting.read' },
  { id: 'settings', path: '/settings', icon: SlidersHorizontal, letter: 'e', permission: 'setting.read' },
  { id: 'team', path: '/team', icon: UsersRound, letter: 'o', permission: 'operator.read' },
  { id: 'webhooks', path: '/webhooks', icon: Webhook, letter: 'x', permission: 'webhook.read' },
  { id: 'audit', path: '/audit', icon: History, letter: 'l', permission: 'audit.read' },
];
