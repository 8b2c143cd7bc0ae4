import { randomInt } from 'node:crypto';
import { TOTP, URI } from 'otpauth';
import { admin, type Place, sharedTown } from './world.ts';

/** An operator of a test's own: a code counts once, so tests that run together cannot share one. */
export interface Operator {
  name: string;
  password: string;
  /** The code the authenticator shows now. */
  code(): string;
}

const STEP_MS = 30_000;

/** Invites an operator as an administrator does, and enrols with the code before, so that the present one is unused. */
export async function newOperator(role: string, town: Place = sharedTown()): Promise<Operator> {
  const name = `${role}-${randomInt(1_000_000_000)}`;
  const password = 'a long enough password';
  const printed = await admin(['operator', 'create', name, role], town);
  const [, token, address] = /enrol#(\S+)\s+(otpauth:\S+)/.exec(printed)!;
  const totp = URI.parse(address!) as TOTP;
  const enrol = (step: number) =>
    fetch(`${town.consoleUrl}/api/operator/enrol`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'console-operator',
        origin: town.consoleUrl,
      },
      body: JSON.stringify({ token, password, code: totp.generate({ timestamp: step * STEP_MS }) }),
    });
  const before = () => Math.floor(Date.now() / STEP_MS) - 1;
  const asked = before();
  let reply = await enrol(asked);
  // The code grew too old on its way.
  if (!reply.ok && before() !== asked) reply = await enrol(before());
  if (!reply.ok) throw new Error(`enrol: ${await reply.text()}`);
  return { name, password, code: () => totp.generate() };
}

/** The code of the moment for a secret an authenticator was given. */
export const codeOf = (secret: string): string => new TOTP({ secret }).generate();
