import { CURRENCY_DECIMALS, decimalToMinor } from '@krapao/contract/shared';
import { commandLineGrantItem } from '../features/coins/read.ts';
import { commandLineEntryItem } from '../features/members/read.ts';
import { readBalance } from '../ledger/index.ts';
import { newId } from '../platform/ids.ts';
import {
  type AdminDeps,
  actor,
  amountText,
  type Command,
  CommandError,
  command,
  timeText,
} from './command.ts';
import { findMember } from './members.ts';

async function enter(
  deps: AdminDeps,
  [phoneOrId, amount, reason]: [string, string, string],
  direction: 'credit' | 'debit',
): Promise<string[]> {
  const member = await findMember(deps, phoneOrId);
  const amountMinor = decimalToMinor(amount, CURRENCY_DECIMALS[member.currency]);
  if (!amountMinor) throw new CommandError(`${amount} is no amount in ${member.currency}.`);
  const id = newId('MN', deps.clock.now());
  const system = await deps.systemAccount('manual', member.currency);
  const entry = { id, member, system, direction, amountMinor };
  const outcome = await deps.ledger.post(commandLineEntryItem(entry, { actor: actor(), reason }));
  if (outcome.state === 'insufficient') throw new CommandError('The wallet holds less than that.');
  if (outcome.state !== 'posted') throw new CommandError(`Not booked: ${outcome.state}.`);
  return [`${id}: member ${member.id} now has ${amountText(outcome.balanceMinor!, member.currency)}.`];
}

export const commands: Record<string, Command> = {
  credit: command({
    usage: '<phone or id> <amount> <reason>',
    about: "add money to a member's wallet",
    run: (deps, given) => enter(deps, given, 'credit'),
  }),
  debit: command({
    usage: '<phone or id> <amount> <reason>',
    about: "take money from a member's wallet",
    run: (deps, given) => enter(deps, given, 'debit'),
  }),
  'coins grant': command({
    usage: '<phone or id> <count> <reason>',
    about: 'give a member coins',
    async run(deps, [phoneOrId, count, reason]) {
      const member = await findMember(deps, phoneOrId);
      if (!/^[1-9]\d{0,6}$/.test(count)) throw new CommandError(`${count} is no number of coins.`);
      const grant = {
        id: newId('MN', deps.clock.now()),
        member,
        issue: await deps.systemAccount('coin_issue', 'COIN'),
        coins: BigInt(count),
      };
      const outcome = await deps.ledger.post(commandLineGrantItem(grant, { actor: actor(), reason }));
      if (outcome.state !== 'posted') throw new CommandError(`Not booked: ${outcome.state}.`);
      const { balanceMinor } = await readBalance(deps.pool, member.coin_account);
      return [`Member ${member.id} has ${balanceMinor} coins.`];
    },
  }),
  'unmatched list': command({
    usage: '',
    about: 'payments without an owner',
    async run(deps) {
      const result = await deps.pool.query(
        "select bank_code, bank_reference, amount, currency, payer_mask, likely_member_id, reason, paid_at from bank_transaction where state = 'UNMATCHED' order by id",
      );
      const lines = result.rows.map(
        (row) =>
          `${row.bank_code} ${row.bank_reference}  ${amountText(row.amount, row.currency)}  from ${row.payer_mask}  likely member ${row.likely_member_id ?? '-'}  ${row.reason}  ${timeText(row.paid_at)}`,
      );
      return lines.length === 0 ? ['No payment is without an owner.'] : lines;
    },
  }),
};
