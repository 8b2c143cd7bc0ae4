import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DatabaseRefusal } from './requirements.ts';
import { APP_ROLE, findRole, OWNER_ROLE, settle } from './roles.ts';

/** What {@link createDatabase} made or found. */
export interface CreatedDatabase {
  /** Login of migrations and backups; the password is undefined when the role could log in before. */
  owner: { user: string; password: string | undefined };
  /** Login of the application. */
  app: { user: string; password: string | undefined };
  /** The database was there already. */
  existed: boolean;
}

/** What holds for the application behind a pooler, where it cannot set it itself; direct connections set their own. */
const APP_SETTINGS = { statement_timeout: '5s', idle_in_transaction_session_timeout: '30s', jit: 'off' };

/** Creates the role unless it exists; the login comes at the end. */
async function ensureRole(client: pg.Client, role: string): Promise<void> {
  if (!(await findRole(client, role))) await client.query(`create role ${role}`);
}

/** Gives the role a login and a password unless it can log in; returns the password, or undefined then. */
async function ensureLogin(client: pg.Client, role: string): Promise<string | undefined> {
  if ((await findRole(client, role))?.canLogIn) return undefined;
  const password = randomBytes(24).toString('base64url');
  await client.query(`alter role ${role} login password ${client.escapeLiteral(password)}`);
  return password;
}

/** An administrator without superuser rights must be a member of the owner role to transfer a database. */
async function ensureMember(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select rolsuper from pg_roles where rolname = current_user');
  if (!rows[0].rolsuper) await settle(client, `grant ${OWNER_ROLE} to current_user`);
}

async function ensureDatabase(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (rows.length === 0) {
    await client.query(`create database ${client.escapeIdentifier(name)} owner ${OWNER_ROLE}`);
  }
  return rows.length > 0;
}

/** Lets the owner role create tables in a database that somebody else made. */
async function openToOwner(adminUrl: string, name: string): Promise<void> {
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    await client.query(
      `grant create, connect, temporary on database ${client.escapeIdentifier(name)} to ${OWNER_ROLE}`,
    );
    await client.query(`grant all on schema public to ${OWNER_ROLE}`);
  } finally {
    await client.end();
  }
}

/**
 * Creates both logins and the database on a PostgreSQL of your own. A repeat keeps passwords and data, and puts rights
 * and limits right. An application login that is a member of the owner role loses that. A call that fails sets no password.
 * @param adminUrl a user who may create roles and databases
 * @throws DatabaseRefusal, one sentence, when the server cannot be reached or the user may not
 */
export async function createDatabase(adminUrl: string, name: string): Promise<CreatedDatabase> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await ensureRole(client, OWNER_ROLE);
    await ensureRole(client, APP_ROLE);
    await client.query(`revoke ${OWNER_ROLE} from ${APP_ROLE}`);
    for (const [setting, value] of Object.entries(APP_SETTINGS))
      await client.query(`alter role ${APP_ROLE} set ${setting} = '${value}'`);
    await ensureMember(client);
    const existed = await ensureDatabase(client, name);
    if (existed) await openToOwner(adminUrl, name);
    // Last and together, so that a failure leaves no password that was never shown.
    await client.query('begin');
    const owner = await ensureLogin(client, OWNER_ROLE);
    const app = await ensureLogin(client, APP_ROLE);
    await client.query('commit');
    return {
      owner: { user: OWNER_ROLE, password: owner },
      app: { user: APP_ROLE, password: app },
      existed,
    };
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    throw new DatabaseRefusal(`DATABASE_ADMIN_URL: ${message || code}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}
