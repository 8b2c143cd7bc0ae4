import { SLIP_REASONS, type SlipReason } from '@krapao/contract/shared';
import { acceptSlip, listReviewed, recheckSlip, refuseSlip } from '../features/deposits/read.ts';
import { actor, amountText, type Command, CommandError, command, timeText } from './command.ts';

const gone = (id: string) => new CommandError(`Slip ${id} does not wait for a decision.`);

export const commands: Record<string, Command> = {
  'slip list': command({
    usage: '',
    about: 'slips that wait for a decision, with their mismatches',
    async run(deps) {
      const rows = await listReviewed(deps.pool);
      return rows.length === 0
        ? ['No slip waits.']
        : rows.map(
            (row) =>
              `${row.id}  member ${row.member_id}  ${row.amount === null ? '-' : amountText(row.amount, row.currency ?? 'BAHT')}  to ${row.bank_code ?? '-'}  from ${row.payer_mask ?? '-'}  ${row.doubts.join(', ') || 'fits several transfers'}  ${timeText(row.created_at)}`,
          );
    },
  }),
  'slip accept': command({
    usage: '<id> <reason>',
    about: 'credit a waiting slip with what the bank said',
    async run(deps, [id, reason]) {
      const decision = { actor: actor(), reason };
      switch (await acceptSlip(deps, id, decision)) {
        case 'credited':
          return [`Slip ${id} is credited.`];
        case 'duplicate':
          return [`Slip ${id} is of a transfer credited before; it ended as a duplicate.`];
        case 'unclear':
          throw new CommandError(`Slip ${id} may be of one of several transfers; nothing was booked.`);
        case 'NO_FACTS':
          throw new CommandError(`The bank has not reported enough about slip ${id}; query it again.`);
        default:
          throw gone(id);
      }
    },
  }),
  'slip refuse': command({
    usage: '<id> <code> <reason>',
    about: 'end a waiting slip with a reason code the member is shown',
    async run(deps, [id, given, reason]) {
      const code = given as SlipReason;
      const decision = { actor: actor(), reason };
      if (!SLIP_REASONS.includes(code))
        throw new CommandError(`The code is one of ${SLIP_REASONS.join(', ')}.`);
      if (!(await refuseSlip(deps, id, code, decision))) throw gone(id);
      return [`Slip ${id} is refused.`];
    },
  }),
  'slip ask': command({
    usage: '<id> <reason>',
    about: 'query the bank about a waiting slip once more',
    async run(deps, [id, reason]) {
      const decision = { actor: actor(), reason };
      if (!(await recheckSlip(deps, id, decision))) throw gone(id);
      return [`The bank is queried about slip ${id} within a minute.`];
    },
  }),
};
