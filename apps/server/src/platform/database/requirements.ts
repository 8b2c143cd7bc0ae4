import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { APP_ROLE, OWNER_ROLE } from './roles.ts';

/** The database is not fit for the product: one sentence that names the setting and the remedy, to be shown as it is. */
export class DatabaseRefusal extends Error {}

/** Where the remedies are written down. */
const GUIDE = 'see "Database of your own" in docs/operate.md';
/** PostgreSQL 15, as `server_version_num` has it. */
const VERSION_MIN = 150_000;
/** Since then being a member of a role and acting as it are two rights. */
const VERSION_WITH_SET = 160_000;
/** All of them wait for our own disk; `local` does not wait for a standby where one is configured. */
const DURABLE_COMMITS = ['on', 'remote_write', 'remote_apply'];
const NOTICE_WITHIN_MS = 5_000;
/** Deadlines are set by one server's clock and judged by another's; machines under NTP differ by milliseconds. */
const CLOCKS_APART_MS_MAX = 5_000;

interface Facts {
  version: number;
  backend: number;
  is_read_only: boolean;
  login: string;
  acting: string;
  /** May do what the application's role may. */
  is_app: boolean;
  /** Roles behind this login that can do more than the application may; itself among them. */
  powers: string[] | null;
  isolation: string;
  synchronous_commit: string;
  fsync: string;
  full_page_writes: string;
  statement_timeout: number;
  idle_timeout: number;
  clock_ms: number;
}

const FACTS = `select current_setting('server_version_num')::int as version, pg_backend_pid() as backend,
  current_setting('transaction_read_only') = 'on' as is_read_only, session_user::text as login, current_user::text as acting,
  exists (select from pg_roles r where r.rolname = '${APP_ROLE}' and pg_has_role(current_user, r.oid, 'USAGE')) as is_app,
  (select array_agg(r.rolname::text order by r.rolname) from pg_roles r where pg_has_role(session_user, r.oid, 'MEMBER') and
    (r.rolname = '${OWNER_ROLE}' or r.rolname like 'pg\\_%' or r.rolsuper or r.rolcreaterole or r.rolbypassrls or r.rolreplication)) as powers,
  current_setting('default_transaction_isolation') as isolation, current_setting('synchronous_commit') as synchronous_commit,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  (select setting::int from pg_settings where name = 'statement_timeout') as statement_timeout,
  (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as idle_timeout,
  extract(epoch from clock_timestamp())::float8 * 1000 as clock_ms`;

/** The database's clock was read at some moment between the two. */
function requireCloseClocks({ clock_ms }: Facts, fromMs: number, toMs: number): void {
  const aheadMs = fromMs > clock_ms ? fromMs - clock_ms : Math.min(toMs - clock_ms, 0);
  if (Math.abs(aheadMs) <= CLOCKS_APART_MS_MAX) return;
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  throw new DatabaseRefusal(
    `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's: ` +
      'set both by NTP (chrony, systemd-timesyncd), because deadlines pass from server to server.',
  );
}

async function readFacts(client: pg.ClientBase, setting: string): Promise<Facts> {
  const askedMs = Date.now();
  const { rows } = await client.query<Facts>(FACTS);
  const facts = rows[0]!;
  requireCloseClocks(facts, askedMs, Date.now());
  if (facts.version < VERSION_MIN) {
    const version = Math.floor(facts.version / 10_000);
    throw new DatabaseRefusal(`${setting} leads to PostgreSQL ${version}: use 15 or newer.`);
  }
  if (facts.is_read_only) {
    throw new DatabaseRefusal(
      `${setting} leads to a read-only database (a standby, or default_transaction_read_only is on): lead it to the primary.`,
    );
  }
  return facts;
}

/** A pooler gives its clients keys of its own, so that it can pass on their cancellations. */
const isThroughPooler = (client: pg.ClientBase, { backend }: Facts): boolean =>
  (client as pg.ClientBase & { processID: number | null }).processID !== backend;

/**
 * Examines the connection that migrates and keeps backups.
 * @param setting name of the setting the connection comes from, for the message
 * @returns the role it must act as by an option, or null when it is the owner's own login
 * @throws DatabaseRefusal when it is too old, read-only, behind a pooler, may not act as the owner role, or that
 *   role may not create tables there
 */
export async function examineOwner(client: pg.ClientBase, setting: string): Promise<string | null> {
  const facts = await readFacts(client, setting);
  if (isThroughPooler(client, facts)) {
    throw new DatabaseRefusal(
      `${setting} leads to a connection pooler, which loses notifications and session locks: ` +
        'lead it to PostgreSQL itself, and only DATABASE_APP_URL to the pooler.',
    );
  }
  if (facts.acting !== OWNER_ROLE) await requireOwnerRole(client, facts, setting);
  await requireSpaceForTables(client, setting);
  return facts.acting === OWNER_ROLE ? null : OWNER_ROLE;
}

async function requireOwnerRole(client: pg.ClientBase, facts: Facts, setting: string): Promise<void> {
  const right = facts.version >= VERSION_WITH_SET ? 'SET' : 'MEMBER';
  const { rows } = await client.query(
    'select 1 from pg_roles where rolname = $1 and pg_has_role(current_user, oid, $2)',
    [OWNER_ROLE, right],
  );
  if (rows.length > 0) return;
  throw new DatabaseRefusal(
    `${setting}: user ${facts.acting} may not act as ${OWNER_ROLE}: ` +
      `run npm run admin -- database create, or grant ${OWNER_ROLE} to it; ${GUIDE}.`,
  );
}

async function requireSpaceForTables(client: pg.ClientBase, setting: string): Promise<void> {
  const { rows } = await client.query(
    `select current_database() as name,
       has_database_privilege($1, current_database(), 'CREATE') and has_schema_privilege($1, 'public', 'CREATE') as is_open`,
    [OWNER_ROLE],
  );
  const { name, is_open } = rows[0];
  if (is_open) return;
  throw new DatabaseRefusal(
    `${setting}: ${OWNER_ROLE} may not create tables in the database ${name}: ` +
      `run npm run admin -- database create ${name}; ${GUIDE}.`,
  );
}

function requireAppRights({ login, acting, is_app, powers }: Facts, setting: string): void {
  if (powers) {
    throw new DatabaseRefusal(
      `${setting}: login ${login} has the rights of ${powers.join(', ')}, and could change the ledger: ` +
        `use the login ${APP_ROLE}, made by npm run admin -- database create; ${GUIDE}.`,
    );
  }
  if (is_app) return;
  throw new DatabaseRefusal(
    `${setting}: ${acting} does not have the rights of ${APP_ROLE}: ` +
      `use the login ${APP_ROLE}, made by npm run admin -- database create; ${GUIDE}.`,
  );
}

function requireDurability(facts: Facts, setting: string): void {
  const refuse = (name: string, value: string, remedy: string) => {
    throw new DatabaseRefusal(`${setting}: ${name} is ${value} for login ${facts.login}: ${remedy}.`);
  };
  const inServer = (name: string) => `set ${name} = on in postgresql.conf and restart the database`;
  const forLogin = (name: string, value: string) => `run alter role ${facts.login} set ${name} = '${value}'`;
  if (facts.fsync !== 'on') refuse('fsync', facts.fsync, inServer('fsync'));
  if (facts.full_page_writes !== 'on')
    refuse('full_page_writes', facts.full_page_writes, inServer('full_page_writes'));
  if (!DURABLE_COMMITS.includes(facts.synchronous_commit))
    refuse('synchronous_commit', facts.synchronous_commit, forLogin('synchronous_commit', 'on'));
  if (facts.isolation !== 'read committed')
    refuse(
      'default_transaction_isolation',
      facts.isolation,
      forLogin('default_transaction_isolation', 'read committed'),
    );
}

/** Through a pooler a session's settings are those of the role: nothing a client sets is sure to reach its next statement. */
function requireLimits(facts: Facts, setting: string): void {
  const limits = {
    statement_timeout: facts.statement_timeout,
    idle_in_transaction_session_timeout: facts.idle_timeout,
  };
  for (const [name, value] of Object.entries(limits)) {
    if (value > 0) continue;
    throw new DatabaseRefusal(
      `${setting}: ${name} is 0 behind the connection pooler: run alter role ${facts.login} set ${name} = ` +
        `'${name === 'statement_timeout' ? '5s' : '30s'}', and reconnect the pooler; ${GUIDE}.`,
    );
  }
}

/**
 * Examines a connection of the application.
 * @param setting name of the setting the connection comes from, for the message
 * @returns whether a pooler lies between
 * @throws DatabaseRefusal when it is too old or read-only, can do more or less than the application's role, or commits
 *   without waiting for the disk
 */
export async function examineApp(client: pg.ClientBase, setting: string): Promise<{ isPooled: boolean }> {
  const facts = await readFacts(client, setting);
  requireAppRights(facts, setting);
  requireDurability(facts, setting);
  const isPooled = isThroughPooler(client, facts);
  if (isPooled) requireLimits(facts, setting);
  return { isPooled };
}

/**
 * Requires that a notification sent on one connection is heard on the other: both lead to one database, and the second
 * keeps its session.
 * @throws DatabaseRefusal after 5 s of silence
 */
export async function requireHearing(listening: pg.ClientBase, sending: pg.ClientBase): Promise<void> {
  const token = randomBytes(12).toString('hex');
  let timer: NodeJS.Timeout | undefined;
  const received = new Promise<boolean>((done) => {
    timer = setTimeout(done, NOTICE_WITHIN_MS, false);
    listening.on('notification', ({ payload }) => payload === token && done(true));
  });
  try {
    await listening.query('listen krapao_start');
    await sending.query("select pg_notify('krapao_start', $1)", [token]);
    if (await received) return;
  } finally {
    clearTimeout(timer);
  }
  throw new DatabaseRefusal(
    'A notification sent through DATABASE_APP_URL is not heard on DATABASE_URL: lead both to the same database.',
  );
}
