import type { LedgerItem, OperatorActionRow } from '../../ledger/index.ts';
import { entityRef } from '../../platform/entity-ref.ts';

/** The ledger items of manual entries; console and command line move the same legs and write the same statement row. */

/** A manual entry: its id in statements, whose wallet, from or to which of our accounts, how much in minor units. */
export interface ManualEntry {
  id: string;
  member: { id: bigint; wallet_account: bigint };
  system: bigint;
  direction: 'credit' | 'debit';
  amountMinor: bigint;
}

function movement({ id, member, system, direction, amountMinor }: ManualEntry) {
  const isCredit = direction === 'credit';
  const [from, to] = isCredit ? [system, member.wallet_account] : [member.wallet_account, system];
  const way = isCredit
    ? { type: 'deposit', source: 'manual', target: 'wallet' }
    : { type: 'withdraw', source: 'wallet', target: 'manual' };
  return {
    item: {
      kind: `manual_${direction}`,
      memberId: member.id,
      legs: [{ from, to, amountMinor }],
      watch: member.wallet_account,
    },
    statement: { memberId: member.id, id, status: 'SUCCESS', amount: amountMinor, ...way },
  };
}

/** An operator's entry: once per operator and key, with the operator's action and the approval it had. */
export function operatorEntryItem(
  entry: ManualEntry,
  by: { makerId: string; key: string; category: string; action: OperatorActionRow },
): LedgerItem {
  const { item, statement } = movement(entry);
  const { direction } = entry;
  const { makerId, key, category, action } = by;
  return {
    ...item,
    reference: `entry:${makerId}:${key}`,
    attached: { name: 'operator_entry', row: { action, statement, direction, category, key } },
  };
}

/** An entry of the command line, with its line of the audit trail; `actor` is who ran the command. */
export function commandLineEntryItem(entry: ManualEntry, by: { actor: string; reason: string }): LedgerItem {
  const { item, statement } = movement(entry);
  const subject = entityRef('member', entry.member.id);
  return {
    ...item,
    reference: `manual:${entry.id}`,
    attached: {
      name: 'manual_entry',
      row: { statement, subject, action: `manual.${entry.direction}`, ...by },
    },
  };
}
