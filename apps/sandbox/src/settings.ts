/** What the environment tells the sandbox, and when it refuses to start. */
import { join } from 'node:path';
import { isLoopback } from './control/local.ts';

export interface SandboxOptions {
  /** 0 takes a free port. */
  port: number;
  host: string;
  productUrl: string;
  /** How browsers reach this sandbox, for play links; where it listens unless stated. */
  publicUrl?: string;
  /** Where state is stored between runs; null for memory only. */
  stateFile: string | null;
  /** Same seed and same calls give the same run; null draws chance from the system. */
  seed: number | null;
}

/** Settings that would mean real partners, were they to point away from this machine. */
const PARTNER_URLS = [
  'BANK_A_URL',
  'BANK_B_URL',
  'SLIP_URL',
  'SMS_URL',
  'GAME_F_URL',
  'GAME_J_URL',
  'WW_URL',
  'ZAPMAN_URL',
  'GIFT_URL',
] as const;

/** Throws when a partner's address in the environment is not on this machine. */
export function refuseRealPartners(env: NodeJS.ProcessEnv): void {
  for (const name of PARTNER_URLS) {
    const value = env[name];
    if (!value) continue;
    if (!URL.canParse(value) || !isLoopback(new URL(value).hostname))
      throw new Error(
        `The sandbox does not start beside a real partner: ${name} points away from this machine.`,
      );
  }
}

function number(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const value = env[name] === undefined || env[name] === '' ? fallback : Number(env[name]);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number.`);
  return value;
}

/** Reads the environment; throws one sentence when something in it is wrong. */
export function readEnvironment(env: NodeJS.ProcessEnv): SandboxOptions {
  refuseRealPartners(env);
  return {
    port: number(env, 'SANDBOX_PORT', 3100),
    host: env.HOST || '127.0.0.1',
    productUrl: env.PRODUCT_URL || 'http://127.0.0.1:3000',
    ...(env.SANDBOX_PUBLIC_URL ? { publicUrl: env.SANDBOX_PUBLIC_URL.replace(/\/+$/, '') } : {}),
    stateFile: env.SANDBOX_MEMORY === '1' ? null : join(env.DATA_DIR || '.data', 'sandbox', 'state.json'),
    seed: env.SANDBOX_SEED ? number(env, 'SANDBOX_SEED', 0) : null,
  };
}
