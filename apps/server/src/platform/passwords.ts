import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane (ASVS 11.4.2). */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const CONCURRENT = 2;
const WAITING_MAX = 200;

/** Too many passwords are waiting to be hashed; the caller answers 503. */
export class PasswordsBusy extends Error {}

let running = 0;
const waiting: (() => void)[] = [];

/** Hashing is meant to be slow; a bounded queue keeps a flood of logins from taking every core and all memory. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= CONCURRENT) {
    if (waiting.length >= WAITING_MAX) throw new PasswordsBusy('passwords');
    await new Promise<void>((resume) => waiting.push(resume));
  }
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, OPTIONS));

let decoy: Promise<string> | null = null;

/** Whether the password is right. Without a stored hash it costs the same and is false, so that time tells nothing. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('no member has this password', OPTIONS);
  const against = stored ?? (await decoy);
  const right = await inTurn(() => verify(against, password));
  return stored !== null && right;
}
