import { normalisePhone } from '@krapao/contract/shared';
import type { Config } from './config.ts';
import type { Refuse } from './refusal.ts';
import type { Settings } from './settings.ts';

/** The shortest password that the policy takes, in characters of any script. */
const LENGTH_MIN = 8;

let common: Promise<ReadonlySet<string>> | null = null;

/** Passwords that are tried first, in lower case. Read with the first check: most installations never need them. */
function readCommon(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return common;
}

/**
 * Throws WEAK_PASSWORD while `password.strong` is on and a member's new password is shorter than eight characters, one
 * repeated character, among the common passwords, or the member's own phone.
 * @param phone as stored
 */
export async function requireStrongPassword(
  refuse: Refuse<'WEAK_PASSWORD'>,
  { settings, config }: { settings: Settings; config: Pick<Config, 'variant'> },
  password: string,
  phone: string,
): Promise<void> {
  if (!settings.get('password.strong')) return;
  const characters = [...password];
  const isWeak =
    characters.length < LENGTH_MIN ||
    new Set(characters).size === 1 ||
    normalisePhone(password, config.variant) === phone ||
    (await readCommon()).has(password.toLowerCase());
  if (isWeak) throw refuse('WEAK_PASSWORD');
}
