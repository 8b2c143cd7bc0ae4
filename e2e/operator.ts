import { randomInt } from 'node:crypto';
import { TOTP, URI } from 'otpauth';
import { admin, operatorCall, type Place, sharedEnv } from './env-calls.ts';

/** An operator of a test's own: a code counts once, so tests that run together cannot share one. */
export interface Operator {
  name: string;
  password: string;
  /** The code the authenticator shows now. */
  code(): string;
  /** The code of the next half minute, which counts already: for a second proof after signing in. */
  nextCode(): string;
}

const STEP_MS = 30_000;

/**
 * Invites an operator, by two administrators where the test environment has them, else by the command line; returns their
 * enrolment.
 */
async function invite(name: string, role: string, env: Place): Promise<{ token: string; otpauth: string }> {
  if (!env.staff) {
    const printed = await admin(['operator', 'create', name, role], env);
    const [, token, otpauth] = /enrol#(\S+)\s+(otpauth:\S+)/.exec(printed)!;
    return { token: token!, otpauth: otpauth! };
  }
  const { maker, checker } = env.staff;
  const intent = { name, role, reason: 'a journey' };
  const { token, approval } = (await operatorCall('operators', intent, env, maker)).response;
  await operatorCall(`approvals/${approval}/approve`, {}, env, checker);
  const { otpauth } = (await operatorCall('enrolment', { token }, env)).response;
  return { token, otpauth };
}

/** A new operator who has enrolled with the code before, so that the present one is unused. */
export async function newOperator(role: string, env: Place = sharedEnv()): Promise<Operator> {
  const name = `${role}-${randomInt(1_000_000_000)}`;
  const password = 'a long enough password';
  const { token, otpauth } = await invite(name, role, env);
  const totp = URI.parse(otpauth) as TOTP;
  const enrol = (step: number) =>
    operatorCall('enrol', { token, password, code: totp.generate({ timestamp: step * STEP_MS }) }, env);
  const before = () => Math.floor(Date.now() / STEP_MS) - 1;
  const requested = before();
  await enrol(requested).catch((error: unknown) => {
    // The code grew too old on its way.
    if (before() === requested) throw error;
    return enrol(before());
  });
  const nextCode = () => totp.generate({ timestamp: Date.now() + STEP_MS });
  return { name, password, code: () => totp.generate(), nextCode };
}

/** The code of the moment for a secret an authenticator was given. */
export const codeOf = (secret: string): string => new TOTP({ secret }).generate();
