import type { MessageId } from '@lingui/core';
import {
  ArrowDownToLine,
  ArrowLeftRight,
  ArrowUpFromLine,
  BadgePercent,
  CircleCheck,
  Coins,
  Copy,
  Eye,
  Flag,
  Gamepad2,
  Gift,
  type IconNode,
  LayoutGrid,
  Play,
  ReceiptText,
  RefreshCw,
  ScanLine,
  TrendingUp,
  Wallet,
} from 'lucide';

interface Step {
  icon: IconNode;
  text: MessageId;
}

export interface Guide {
  /** Also its film's in public/howto; `npm run videos` makes them. */
  name: string;
  icon: IconNode;
  title: MessageId;
  /** How long the app's own film lasts. */
  seconds: number;
  steps: readonly Step[];
}

/** What the five guides show, step by step; each step has the icon of what is pressed or seen. */
export const GUIDES: readonly Guide[] = [
  {
    name: 'wallet',
    icon: Wallet,
    title: 'howto.wallet',
    seconds: 29,
    steps: [
      { icon: ArrowDownToLine, text: 'howto.wallet1' },
      { icon: ScanLine, text: 'howto.wallet2' },
      { icon: ArrowLeftRight, text: 'howto.wallet3' },
      { icon: ArrowUpFromLine, text: 'howto.wallet4' },
    ],
  },
  {
    name: 'enter-game',
    icon: Gamepad2,
    title: 'howto.enterGame',
    seconds: 16,
    steps: [
      { icon: LayoutGrid, text: 'howto.enterGame1' },
      { icon: Coins, text: 'howto.enterGame2' },
      { icon: Play, text: 'howto.enterGame3' },
      { icon: Copy, text: 'howto.enterGame4' },
    ],
  },
  {
    name: 'check-balance',
    icon: Eye,
    title: 'howto.checkBalance',
    seconds: 11,
    steps: [
      { icon: Wallet, text: 'howto.checkBalance1' },
      { icon: RefreshCw, text: 'howto.checkBalance2' },
      { icon: ReceiptText, text: 'howto.checkBalance3' },
    ],
  },
  {
    name: 'receive-bonus',
    icon: Gift,
    title: 'howto.receiveBonus',
    seconds: 14,
    steps: [
      { icon: BadgePercent, text: 'howto.receiveBonus1' },
      { icon: ReceiptText, text: 'howto.receiveBonus2' },
      { icon: Gift, text: 'howto.receiveBonus3' },
    ],
  },
  {
    name: 'end-bonus',
    icon: Flag,
    title: 'howto.endBonus',
    seconds: 28,
    steps: [
      { icon: TrendingUp, text: 'howto.endBonus1' },
      { icon: Flag, text: 'howto.endBonus2' },
      { icon: CircleCheck, text: 'howto.endBonus3' },
    ],
  },
];
