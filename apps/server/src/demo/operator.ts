import type { App } from '../app.ts';
import { DEMO_OPERATORS } from '../demo.ts';
import { currentCode, findOperator } from '../features/operators/read.ts';

type OperatorName = keyof (typeof DEMO_OPERATORS)['roles'];

/** A demo operator who acts through the operator API. */
export interface DemoOperator {
  /** Makes one call; returns the reply, or null when it was refused. */
  // biome-ignore lint/suspicious/noExplicitAny: replies differ by call
  call(name: string, body?: object): Promise<any>;
}

const HEADERS = { 'x-requested-with': 'console-operator', origin: 'http://localhost', host: 'localhost' };

/** Signs in with password and second factor when the session of before is over. */
export function demoOperator({ consoleHttp, deps }: App, name: OperatorName): DemoOperator {
  let cookie: string | undefined;
  const send = ([method, url]: string[], body: object | undefined) =>
    consoleHttp.inject({
      method: method as 'GET',
      url: url!,
      headers: {
        ...HEADERS,
        'x-user-input': '1',
        ...(cookie ? { cookie } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    });
  const signIn = async () => {
    const operator = await findOperator(deps.pool, name);
    const code = currentCode(deps.secrets, name, operator!.totp_sealed!, deps.clock.now());
    const reply = await send(['POST', '/api/operator/login'], {
      name,
      password: DEMO_OPERATORS.password,
      code,
    });
    cookie = reply.cookies.map(({ name: key, value }) => `${key}=${value}`).join('; ');
  };
  return {
    async call(named, body) {
      const parts = named.split(' ');
      if (cookie === undefined) await signIn();
      let reply = await send(parts, body);
      if (reply.statusCode === 401) {
        await signIn();
        reply = await send(parts, body);
      }
      return reply.statusCode < 400 ? reply.json() : null;
    },
  };
}
