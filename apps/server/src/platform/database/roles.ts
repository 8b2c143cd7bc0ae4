import type pg from 'pg';

/** Owns every table and function; migrations act as this role. */
export const OWNER_ROLE = 'krapao_owner';
/** What the server and its workers log in as: no rights but those that migrations grant. */
export const APP_ROLE = 'krapao_app';

/** Roles belong to the whole cluster. These errors mean that another preparation created the role first. */
const RACE_CODES = new Set(['42710', '23505', 'XX000']);
const ATTEMPTS_MAX = 20;

/** Runs a statement about roles again while another process changes the same row; one that exists already is fine. */
export async function settle(client: pg.ClientBase, sql: string): Promise<void> {
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

/** Whether a role is in the cluster, and may log in. */
export async function findRole(
  client: pg.ClientBase,
  role: string,
): Promise<{ canLogIn: boolean } | undefined> {
  const { rows } = await client.query('select rolcanlogin as "canLogIn" from pg_roles where rolname = $1', [
    role,
  ]);
  return rows[0];
}

/** Creates both roles with a login when missing. Safe to repeat, and safe beside others doing the same. */
export async function ensureRoles(client: pg.ClientBase): Promise<void> {
  for (const role of [OWNER_ROLE, APP_ROLE]) {
    const found = await findRole(client, role);
    if (!found) await settle(client, `create role ${role} login`);
    else if (!found.canLogIn) await settle(client, `alter role ${role} login`);
  }
}

/** The same connection settings, acting as `role` from the first statement on; not through a pooler. */
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
