import type { Permission } from '@krapao/contract/operator';
import { may, useMe } from '../../platform/me.ts';
import { type Path, useGo } from '../../platform/paths.ts';
import { ofDay } from './cash-places.ts';
import { weekFrom } from './series.ts';

type Row = Partial<Record<'day' | 'week' | 'channel' | 'game' | 'source' | 'kind', string>> & {
  code?: string | null;
  operator?: string | null;
  agent?: string | null;
};
type Days = { from: string; to: string };
type Place = { permission: Permission; path: (row: Row, days: Days) => Path };

/** Where the rows behind a row of a report are listed, and the permission for that page. */
const PLACES: Partial<Record<string, Place>> = {
  liabilities: {
    permission: 'figures.read',
    path: ({ day = '' }) => `/figures?${ofDay(day, { report: 'cash' })}`,
  },
  agents: {
    permission: 'audit.read',
    // Without an operator: entries of the command line.
    path: ({ operator }, { from, to }) =>
      `/audit?${new URLSearchParams({ ...(operator ? { q: operator } : { action: 'manual' }), from, to })}`,
  },
  chats: {
    permission: 'chat.read',
    path: ({ agent }, { from, to }) =>
      `/chats?${new URLSearchParams({ agent: agent ?? 'no-agent', from, to })}`,
  },
  channels: {
    permission: 'deposit.read',
    path: ({ day = '', channel = '' }) => `/deposits?${ofDay(day, { channel })}`,
  },
  hours: {
    permission: 'deposit.read',
    path: ({ channel = '' }, { from, to }) => `/deposits?${new URLSearchParams({ channel, from, to })}`,
  },
  waiting: {
    permission: 'withdrawal.read',
    path: ({ day = '' }) => `/withdrawals?${ofDay(day, { status: 'SUCCESS', sort: 'createdAt' })}`,
  },
  games: {
    permission: 'transfer.read',
    path: ({ game = '' }, { from, to }) =>
      `/transfers?${new URLSearchParams({ game, state: 'DONE', from, to })}`,
  },
  sources: {
    permission: 'member.read',
    path: ({ source = '' }, { from, to }) => `/members?${new URLSearchParams({ source, from, to })}`,
  },
  retention: {
    permission: 'member.read',
    path: ({ week = '' }) => `/members?${new URLSearchParams(weekFrom(week))}`,
  },
  costs: {
    permission: 'promotion.read',
    path({ kind, code }) {
      if (code) return `/bonuses/${code}`;
      return kind === 'luckydraw' ? '/wheels' : '/rewards';
    },
  },
};

/** Returns the function that opens the rows behind a row of a report; null for a report that has none. */
export function useDrill(report: string, days: Days | undefined): ((row: object) => void) | null {
  const me = useMe();
  const go = useGo();
  const place = PLACES[report];
  if (!place || !days || !may(me, place.permission)) return null;
  return (row) => go(place.path(row, days));
}
