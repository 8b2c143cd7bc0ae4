import type { Permission } from '@krapao/contract/operator';
import type { Path } from './paths.ts';

interface Place {
  path: Path;
  /** The permission that the page requires. */
  permission: Permission;
}

/** Where the rows of a kind are looked into, by their ids. */
const PLACES: Record<string, (id: string) => Place> = {
  bonus: (id) => ({ path: `/bonuses/${encodeURIComponent(id)}`, permission: 'promotion.read' }),
  chat: (id) => ({ path: `/chats?box=all&open=${id}`, permission: 'chat.read' }),
  coupons: () => ({ path: '/coupons', permission: 'promotion.read' }),
  deposit: (id) => ({ path: `/deposits?q=${id}`, permission: 'deposit.read' }),
  'deposit-account': () => ({ path: '/deposit-accounts', permission: 'channel.read' }),
  doubt: () => ({ path: '/reports', permission: 'unmatched.read' }),
  game: () => ({ path: '/games', permission: 'setting.read' }),
  gift: () => ({ path: '/deposits', permission: 'deposit.read' }),
  member: (id) => ({ path: `/members/${id}`, permission: 'member.read' }),
  // The start page has the health of partners.
  partner: () => ({ path: '/', permission: 'today.read' }),
  operator: () => ({ path: '/team', permission: 'operator.read' }),
  qr: (id) => ({ path: `/deposits?q=${id}`, permission: 'deposit.read' }),
  reconciliation: (id) => ({ path: reconciliationPath(id), permission: 'reconciliation.read' }),
  report: (id) => ({ path: `/reports?q=${id}`, permission: 'unmatched.read' }),
  role: () => ({ path: '/team', permission: 'operator.read' }),
  setting: () => ({ path: '/settings', permission: 'setting.read' }),
  slip: (id) => ({ path: `/slips?q=${id}&open=${id}`, permission: 'slip.read' }),
  transfer: (id) => ({ path: `/transfers?q=${id}`, permission: 'transfer.read' }),
  webhook: (id) => ({ path: `/webhooks/${id}`, permission: 'webhook.read' }),
  wheel: (id) => ({ path: `/wheels/${id}`, permission: 'promotion.read' }),
  withdrawal: (id) => ({
    path: `/withdrawals?status=ALL&q=${id}&open=${id}`,
    permission: 'withdrawal.read',
  }),
};

/** The day and the source of a comparison. */
function reconciliationPath(id: string): Path {
  const [day, ...source] = id.split(':');
  return `/reconciliation?day=${day}&source=${encodeURIComponent(source.join(':'))}`;
}

/** Returns the page of a subject such as `withdrawal:WD1`, in any state; null for what has none. */
export function placeOf(subject: string): Place | null {
  const [kind = '', ...id] = subject.split(':');
  return PLACES[kind]?.(id.join(':')) ?? null;
}
