import { depositAccounts } from '@krapao/contract/operator';
import { Type } from 'typebox';
import { listChannels, placeChannel } from '../features/deposits/read.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import { inTransaction } from '../platform/transaction.ts';
import { audit, type Command, command, readJsonFile, withCommandError } from './command.ts';

/** The fields of an account in a file: those of the console except the reason. */
const { reason: _reason, ...TERMS } = depositAccounts.addChannel.body.properties;
const Written = Type.Object(TERMS, { additionalProperties: false });

export const commands: Record<string, Command> = {
  'deposit-account list': command({
    usage: '',
    about: 'accounts members pay into, in the order they are offered',
    async run(deps) {
      return (await listChannels(deps.pool, deps.clock.now())).map((row) =>
        [row.id, row.bank_code, row.mode, row.account_no, row.account_name, row.currency]
          .filter((part) => part !== '')
          .join('  ')
          .concat(!row.is_open ? '  closed' : row.is_paused ? '  paused' : ''),
      );
    },
  }),
  'deposit-account add': command({
    usage: '<file>',
    about: 'offer the account in a JSON file, in place of the one it replaces',
    async run(deps, [file]) {
      const channel = readJsonFile(Written, file);
      const subject = await withCommandError(() =>
        inTransaction(deps.pool, async (tx) => {
          const placed = await placeChannel(refuseAny, tx, channel);
          await audit(tx, deps, placed);
          return placed.subject;
        }),
      );
      return [`${subject} is offered: ${channel.bankCode} ${channel.mode} ${channel.accountNo}`.trim()];
    },
  }),
};
