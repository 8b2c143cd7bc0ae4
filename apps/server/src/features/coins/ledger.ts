import type { CoinChangeRow, LedgerItem, OperatorActionRow } from '../../ledger/index.ts';
import { entityRef } from '../../platform/entity-ref.ts';

/** The ledger items of coins: earned by a day's deposits, or granted. */

interface Grant {
  /** Names the grant in the audit trail. */
  id: string;
  member: { id: bigint; coin_account: bigint };
  /** The account coins are issued from. */
  issue: bigint;
  coins: bigint;
}

const grant = ({ member, issue, coins }: Grant) => ({
  kind: 'coin_grant',
  memberId: member.id,
  legs: [{ from: issue, to: member.coin_account, amountMinor: coins }],
});

/** Coins that an operator grants: once per operator and key. */
export const operatorGrantItem = (
  given: Grant,
  by: { makerId: string; key: string; action: OperatorActionRow },
): LedgerItem => ({
  ...grant(given),
  reference: `coin-grant:${by.makerId}:${by.key}`,
  attached: {
    name: 'coin_grant',
    row: { action: by.action, id: given.id, memberId: given.member.id, key: by.key, coins: given.coins },
  },
});

/** Coins granted on the command line, with a line of the audit trail. Coins are no money: no statement row. */
export const commandLineGrantItem = (given: Grant, by: { actor: string; reason: string }): LedgerItem => ({
  ...grant(given),
  reference: `coins:${given.id}`,
  attached: {
    name: 'manual_entry',
    row: {
      statement: {
        memberId: given.member.id,
        id: null,
        type: null,
        status: null,
        source: null,
        target: null,
        amount: given.coins,
      },
      action: 'coins.grant',
      subject: entityRef('member', given.member.id),
      ...by,
    },
  },
});

/** Grants or takes back the difference between the coins a day's deposits earn and those already granted for it. */
export const coinDayItem = (
  day: CoinChangeRow & { memberId: bigint; change: bigint },
  accounts: { coins: bigint; issue: bigint },
): LedgerItem => {
  const { memberId, change } = day;
  const isGrant = change > 0n;
  const [from, to] = isGrant ? [accounts.issue, accounts.coins] : [accounts.coins, accounts.issue];
  return {
    reference: `coins:${memberId}:${day.day}:${day.turn}`,
    kind: isGrant ? 'coin_deposit' : 'coin_taken_back',
    memberId,
    legs: [{ from, to, amountMinor: isGrant ? change : -change }],
    attached: { name: 'coin_change', row: day },
    exclusive: [`coins of ${memberId}`],
  };
};
