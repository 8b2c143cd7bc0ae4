import type { Permission } from '@krapao/contract/operator';

const LOOKS: Permission[] = [
  'today.read',
  'withdrawal.read',
  'deposit.read',
  'unmatched.read',
  'slip.read',
  'transfer.read',
  'member.read',
  'approval.read',
];
const FINANCE: Permission[] = [
  ...LOOKS,
  'withdrawal.decide',
  'withdrawal.pay',
  'deposit.reverse',
  'unmatched.settle',
  'slip.decide',
  'transfer.settle',
  'member.reveal',
  'member.note',
  'entry.make',
  'alert.close',
  'reconciliation.read',
  'export.read',
];
/** What each role may do in a new installation, as docs/operate.md says. */
export const ROLES: Record<string, Permission[]> = {
  support: ['today.read', 'member.read', 'member.note', 'deposit.read', 'slip.read'],
  finance: FINANCE,
  'finance-lead': [...FINANCE, 'approval.money', 'audit.read', 'reconciliation.settle'],
  marketing: ['today.read'],
  risk: [
    'today.read',
    'withdrawal.read',
    'deposit.read',
    'slip.read',
    'transfer.read',
    'member.read',
    'member.reveal',
    'member.status',
    'member.note',
    'alert.close',
    'audit.read',
  ],
  admin: [
    'today.read',
    'member.read',
    'member.status',
    'approval.read',
    'approval.access',
    'alert.close',
    'audit.read',
    'operator.read',
    'operator.manage',
  ],
  auditor: [...LOOKS, 'audit.read', 'reconciliation.read', 'export.read', 'operator.read'],
};
