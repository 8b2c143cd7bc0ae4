import { Secret, TOTP } from 'otpauth';
import { hashPassword } from '../../../apps/server/src/platform/passwords.ts';
import { createSecrets } from '../../../apps/server/src/platform/secrets.ts';
import type { Figures } from '../figures.ts';
import type { Site } from '../installation.ts';
import { pause } from '../server.ts';

export const OPERATOR_PASSWORD = 'a long enough bench password';

/** An operator with the secret of the authenticator. */
export interface BenchOperator {
  name: string;
  secret: string;
}

/** Operators who may sign in, with the password OPERATOR_PASSWORD; `secretKey` is the server's SECRET. */
export async function createOperators(
  place: Site,
  secretKey: string,
  count: number,
): Promise<BenchOperator[]> {
  const secrets = createSecrets(secretKey);
  const hash = await hashPassword(OPERATOR_PASSWORD, { lane: 'operator', address: '127.0.0.1' });
  const made: BenchOperator[] = [];
  for (let number = 0; number < count; number++) {
    const [name, secret] = [`siege-${number}`, new Secret({ size: 20 }).base32];
    await place.asOwner(
      `insert into operator (name, role, status, password_hash, totp_sealed, created_at) values ($1, 'finance', 'ACTIVE', $2, $3, now())`,
      [name, hash, secrets.encrypt('operator-totp', secret)],
    );
    made.push({ name, secret });
  }
  return made;
}

const codeOf = ({ name, secret }: BenchOperator): string =>
  new TOTP({ issuer: 'Krapao', label: name, secret: Secret.fromBase32(secret) }).generate();

const HEADERS = { 'content-type': 'application/json', 'x-requested-with': 'console-operator' };

/** Signs in an operator; returns the reply and the session's headers for further calls. */
export async function signIn(
  { consoleUrl }: Pick<Site, 'consoleUrl'>,
  operator: BenchOperator,
): Promise<{ reply: Response; headers: Record<string, string> }> {
  const headers = { ...HEADERS, origin: consoleUrl };
  const reply = await fetch(`${consoleUrl}/api/operator/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: operator.name, password: OPERATOR_PASSWORD, code: codeOf(operator) }),
  });
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { reply, headers: { ...headers, cookie } };
}

/** Signs in one operator after another and reads the queue of withdrawals. */
export async function workAsOperator(
  { place, figures, isOn }: { place: Site; figures: Figures; isOn(): boolean },
  operators: readonly BenchOperator[],
): Promise<void> {
  for (let turn = 0; isOn(); turn++) {
    const operator = operators[turn % operators.length]!;
    const started = performance.now();
    const { reply, headers } = await signIn(place, operator);
    if (reply.ok) figures.time('operator sign-in', performance.now() - started);
    else figures.wrong.push(`operator sign-in: ${reply.status} ${await reply.text()}`);
    const requested = performance.now();
    const list = await fetch(`${place.consoleUrl}/api/operator/withdrawals`, { headers });
    await list.arrayBuffer();
    if (list.ok) figures.time('operator list', performance.now() - requested);
    else if (reply.ok) figures.wrong.push(`operator list: ${list.status}`);
    // A code counts once in 30 s, so each operator must come round later than that.
    await pause(31_000 / operators.length);
  }
}
