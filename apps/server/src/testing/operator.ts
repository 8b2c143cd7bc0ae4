import { DAY_MS } from '@krapao/contract/durations';
import { currentCode, findOperator, insertOperator, newEnrolment } from '../features/operators/read.ts';
import { newToken } from '../platform/ids.ts';
import { hashToken } from '../platform/secrets.ts';
import type { TestEnv } from './test-env.ts';

/** A signed-in operator. */
export interface TestOperator {
  id: bigint;
  name: string;
  role: string;
  cookie: string;
}

export interface OperatorResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  body: any;
  headers: Record<string, unknown>;
  text: string;
}

/** Hands on the operators' API, as the console has them. */
export interface OperatorHelpers {
  /** A new operator of a role with an open session. */
  operator(role: string): Promise<TestOperator>;
  /** One call; `as` null calls without a session. */
  call(
    as: TestOperator | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<OperatorResponse>;
  /** The code an authenticator shows now. */
  code(name: string): Promise<string>;
  /** Audit rows about a subject, oldest first. */
  audit(subject: string): Promise<Record<string, unknown>[]>;
}

/** What every call of the console carries, from its own origin. */
export const CONSOLE_HEADERS = {
  'x-requested-with': 'console-operator',
  origin: 'http://localhost',
  host: 'localhost',
};

let serial = 0;

export function operatorHelpers(env: Pick<TestEnv, 'app' | 'owner' | 'pool'>): OperatorHelpers {
  const { deps } = env.app;
  return {
    async operator(role) {
      // Of one width, so that names sort in the order in which they were made.
      const name = `${role}-${String(++serial).padStart(4, '0')}`;
      const now = deps.clock.now();
      await insertOperator(env.pool, { name, role, now }, newEnrolment(deps).stored);
      const { rows } = await env.owner.query(
        "update operator set status = 'ACTIVE' where name = $1 returning id",
        [name],
      );
      const token = newToken();
      await env.owner.query(
        `insert into operator_session (token_hash, id, operator_id, created_at, seen_at, expires_at, address)
         values ($1, $2, $3, $4, $4, $5, '127.0.0.1')`,
        [hashToken(token), name, rows[0].id, now, new Date(now.getTime() + DAY_MS)],
      );
      return { id: rows[0].id, name, role, cookie: `operator-session=${token}` };
    },
    async call(as, method, path, body, headers = {}) {
      const reply = await env.app.consoleHttp.inject({
        method: method as 'GET',
        url: path,
        headers: {
          ...CONSOLE_HEADERS,
          ...(as ? { cookie: as.cookie } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const isJson = String(reply.headers['content-type'] ?? '').includes('json');
      return {
        status: reply.statusCode,
        body: isJson && reply.body !== '' ? JSON.parse(reply.body) : null,
        headers: reply.headers,
        text: reply.body,
      };
    },
    async code(name) {
      const operator = await findOperator(env.pool, name);
      return currentCode(deps.secrets, name, operator!.totp_sealed!, deps.clock.now());
    },
    async audit(subject) {
      const { rows } = await env.owner.query(
        'select actor, role, action, before, after, reason, address from audit where subject = $1 order by id',
        [subject],
      );
      return rows;
    },
  };
}
