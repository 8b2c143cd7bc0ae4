import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';

/** Signs in a support agent as the owner of the tables; returns the session's cookie. */
export async function signAgentIn(owner: pg.ClientConfig): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const client = new pg.Client(owner);
  await client.connect();
  await client.query(
    `with agent as (insert into operator (name, role, status, created_at) values ('bench', 'support', 'ACTIVE', now()) returning id)
     insert into operator_session (token_hash, id, operator_id, created_at, seen_at, expires_at, address)
       select $1, 'bench', id, now(), now(), now() + interval '1 day', '127.0.0.1' from agent`,
    [createHash('sha256').update(token).digest()],
  );
  await client.end();
  return `operator-session=${token}`;
}
