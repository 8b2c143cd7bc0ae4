import {
  currentCode,
  endLinksMadeBy,
  endOperatorSessions,
  findOperator,
  findRole,
  insertOperator,
  inviteAgain,
  lockOperator,
  newEnrolment,
  otpauthAddress,
  revokeKeys,
} from '../features/operators/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type AdminDeps, audit, type Command, CommandError, command, timeText } from './command.ts';

const consoleAddress = ({ config }: AdminDeps): string =>
  config.CONSOLE_HOST || `http://${config.HOST}:${config.CONSOLE_PORT}`;

type Enrolment = ReturnType<typeof newEnrolment>;
/** What is printed once: the address to open, and the same secret for an authenticator app. */
const shownOnce = (deps: AdminDeps, name: string, { token, stored }: Enrolment): string[] => [
  `  ${consoleAddress(deps)}/enrol#${token}`,
  `  ${otpauthAddress(deps.secrets, name, stored.sealed)}`,
];

export const commands: Record<string, Command> = {
  'operator create': command({
    usage: '<name> <role>',
    about: 'invite an operator to the console; prints their one-time enrolment',
    async run(deps, [name, role]) {
      if (!/^[a-z][a-z0-9.-]{1,38}$/.test(name))
        throw new CommandError(
          'A name is 2 to 39 small letters, digits, dots and dashes, with a letter in front.',
        );
      if (!(await findRole(deps.pool, role))) throw new CommandError(`There is no role ${role}.`);
      const enrolment = newEnrolment(deps);
      await inTransaction(deps.pool, async (tx) => {
        if (!(await insertOperator(tx, { name, role, now: deps.clock.now() }, enrolment.stored)))
          throw new CommandError(`There is an operator ${name} already.`);
        await audit(tx, deps, {
          action: 'operator.create',
          subject: entityRef('operator', name),
          after: { role },
        });
      });
      return [
        `Operator ${name} (${role}) is invited until ${timeText(enrolment.expiresAt)}. Shown once:`,
        ...shownOnce(deps, name, enrolment),
      ];
    },
  }),
  'operator reset': command({
    usage: '<name>',
    about: 'a new enrolment for who lost password or phone; ends their sessions',
    async run(deps, [name]) {
      const enrolment = newEnrolment(deps);
      await inTransaction(deps.pool, async (tx) => {
        const row = await lockOperator(tx, name);
        if (!row) throw new CommandError(`There is no operator ${name}.`);
        await inviteAgain(tx, row.id, enrolment.stored);
        const ended = await endOperatorSessions(tx, row.id, {}, deps.clock.now());
        await revokeKeys(tx, row.id, null, deps.clock.now());
        const endedLinks = await endLinksMadeBy(tx, row.id);
        const auditEntry = {
          action: 'operator.reset',
          subject: entityRef('operator', name),
          before: { status: row.status },
        };
        await audit(tx, deps, { ...auditEntry, after: { status: 'INVITED', ended, ...endedLinks } });
      });
      return [
        `Operator ${name} is invited anew until ${timeText(enrolment.expiresAt)}. Shown once:`,
        ...shownOnce(deps, name, enrolment),
      ];
    },
  }),
  'operator code': command({
    usage: '<name>',
    about: 'the code a demo operator’s authenticator shows now; never in production',
    async run(deps, [name]) {
      if (deps.config.production) throw new CommandError('Production shows no codes.');
      const operator = await findOperator(deps.pool, name);
      if (!operator?.totp_sealed) throw new CommandError(`There is no operator ${name}.`);
      return [currentCode(deps.secrets, name, operator.totp_sealed, deps.clock.now())];
    },
  }),
};
