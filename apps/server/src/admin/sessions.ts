import { endAllSessions } from '../features/sessions/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { inTransaction } from '../platform/transaction.ts';
import { audit, type Command, command } from './command.ts';
import { findMember } from './members.ts';

export const commands: Record<string, Command> = {
  'session end': command({
    usage: '<phone or id>',
    about: "end all of a member's sessions",
    async run(deps, [phoneOrId]) {
      const member = await findMember(deps, phoneOrId);
      const ended = await inTransaction(deps.pool, async (tx) => {
        const count = await endAllSessions(tx, member.id, deps.clock.now());
        await audit(tx, deps, {
          action: 'session.end',
          subject: entityRef('member', member.id),
          after: { ended: count },
        });
        return count;
      });
      return [`${ended} sessions of member ${member.id} ended.`];
    },
  }),
};
