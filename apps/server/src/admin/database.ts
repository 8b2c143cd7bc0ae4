import { markRestored } from '../platform/backup/restore.ts';
import { createDatabase } from '../platform/database/create.ts';
import { DatabaseRefusal } from '../platform/database/requirements.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { audit, type Command, CommandError, command } from './command.ts';

const DEFAULT_NAME = 'krapao';

/** The setting for the server's environment, with a placeholder for an unchanged password. */
function line(
  setting: string,
  adminUrl: string,
  name: string,
  login: { user: string; password?: string | undefined },
) {
  const url = new URL(adminUrl);
  url.username = login.user;
  url.password = login.password ?? 'PASSWORD';
  url.pathname = `/${name}`;
  return `${setting}=${url}`;
}

export const commands: Record<string, Command> = {
  'database create': command({
    usage: '[name]',
    about:
      'roles and database on your own PostgreSQL; DATABASE_ADMIN_URL names a user who may create them. Prints the settings',
    async runAlone({ DATABASE_ADMIN_URL: adminUrl }, [name = DEFAULT_NAME]) {
      if (!adminUrl || !URL.canParse(adminUrl))
        throw new CommandError(
          'DATABASE_ADMIN_URL is missing: an address such as postgres://postgres:password@host/postgres.',
        );
      try {
        const { owner, app, existed } = await createDatabase(adminUrl, name);
        const kept = [owner, app].filter(({ password }) => password === undefined);
        return [
          `Database ${name} ${existed ? 'was there; its rights are set' : 'created'}.`,
          ...kept.map(({ user }) => `${user} could log in already and keeps its password: put it in below.`),
          line('DATABASE_URL', adminUrl, name, owner),
          line('DATABASE_APP_URL', adminUrl, name, app),
        ];
      } catch (error) {
        throw error instanceof DatabaseRefusal ? new CommandError(error.message) : error;
      }
    },
  }),
  'database restored': command({
    usage: '',
    about:
      'after point-in-time recovery, before a server starts: ends sessions, continues member numbers, holds payouts back',
    async run(deps) {
      await markRestored(deps.database);
      await audit(deps.pool, deps, { action: 'database.restored', subject: entityRef('setting', 'payouts') });
      return [
        'Sessions are ended and payouts wait. Run `npm run admin -- ledger verify` now.',
        'What happened after the moment of the restore is not in it: see "After an older backup" in docs/operate.md before you open.',
      ];
    },
  }),
};
