import type pg from 'pg';

/** Owns every table and function; migrations act as this role. */
export const OWNER_ROLE = 'krapao_owner';
/** What the server and its workers act as: no rights but those that migrations grant. */
export const APP_ROLE = 'krapao_app';

/** Roles belong to the whole cluster, so two databases may be prepared at once: these mean somebody was faster. */
const RACE_CODES = new Set(['42710', '23505', 'XX000']);
const ATTEMPTS_MAX = 20;

async function settle(client: pg.ClientBase, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(sql);
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (code === '42710') return;
      if (!RACE_CODES.has(code) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

async function ensureRole(client: pg.ClientBase, role: string, login: string): Promise<void> {
  const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rows.length > 0) return;
  await asAdministrator(() => settle(client, `create role ${role} ${login}`));
}

async function asAdministrator(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new Error(
      `The database user may not create or grant roles. Have an administrator run: CREATE ROLE ${OWNER_ROLE}; ` +
        `CREATE ROLE ${APP_ROLE}; GRANT ${OWNER_ROLE}, ${APP_ROLE} TO the user of DATABASE_URL;`,
      { cause: error },
    );
  }
}

async function ensureMember(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query(
    "select rolsuper or pg_has_role(current_user, $1, 'MEMBER') as member from pg_roles where rolname = current_user",
    [role],
  );
  if (!rows[0].member) await asAdministrator(() => settle(client, `grant ${role} to current_user`));
}

/**
 * Creates both roles in the cluster when missing and makes the connected user able to act as them.
 * Safe to repeat, and safe beside others doing the same.
 * @param login with a right to log in of their own (the built-in server), else only to be assumed by the user
 * @throws one sentence with the statements to run when the user may not create roles
 */
export async function ensureRoles(client: pg.ClientBase, login: boolean): Promise<void> {
  for (const role of [OWNER_ROLE, APP_ROLE]) {
    await ensureRole(client, role, login ? 'login' : 'nologin');
    if (login) await settle(client, `alter role ${role} login`);
    await ensureMember(client, role);
  }
}

/** Lets the owner role create its things in the connected database, and nobody else in `public`. */
export async function openDatabaseToOwner(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select quote_ident(current_database()) as name,
       has_database_privilege($1, current_database(), 'CREATE') and has_schema_privilege($1, 'public', 'CREATE') as open`,
    [OWNER_ROLE],
  );
  if (!rows[0].open) {
    await settle(client, `grant create, connect, temporary on database ${rows[0].name} to ${OWNER_ROLE}`);
    await settle(client, `grant all on schema public to ${OWNER_ROLE}`);
  }
}

/** The same connection settings, acting as `role` from the first statement on. */
export function actingAs(config: pg.PoolConfig, role: string): pg.PoolConfig {
  const option = `-c role=${role}`;
  if (!config.connectionString)
    return { ...config, options: [config.options, option].filter(Boolean).join(' ') };
  const url = new URL(config.connectionString);
  // Settings inside the address win over those beside it, so ours must join them there.
  const options = [url.searchParams.get('options') ?? config.options, option].filter(Boolean).join(' ');
  url.searchParams.set('options', options);
  return { ...config, connectionString: url.toString() };
}
