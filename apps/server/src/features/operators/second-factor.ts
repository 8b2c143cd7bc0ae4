import { Secret, TOTP } from 'otpauth';
import type { Db } from '../../platform/database/db.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { type OperatorRow, takeStep } from './queries.ts';

const PURPOSE = 'operator-totp';
const SECRET_BYTES = 20;
/** A phone's clock may be one step of 30 s off (RFC 6238 §5.2). */
const WINDOW = 1;

const totpOf = (name: string, secret: string): TOTP =>
  new TOTP({ issuer: 'Krapao', label: name, secret: Secret.fromBase32(secret) });

/** A new authenticator secret, sealed as it is stored. RFC 6238: SHA-1, 6 digits, 30 s, as every app reads. */
export function newSecondFactor(secrets: Secrets): Buffer {
  return secrets.encrypt(PURPOSE, new Secret({ size: SECRET_BYTES }).base32);
}

/** The otpauth:// address an authenticator scans. */
export const otpauthAddress = (secrets: Secrets, name: string, sealed: Buffer): string =>
  totpOf(name, secrets.decrypt(PURPOSE, sealed)).toString();

/** The code an authenticator would show now; for demo operators on a developer's machine. */
export const currentCode = (secrets: Secrets, name: string, sealed: Buffer, now: Date): string =>
  totpOf(name, secrets.decrypt(PURPOSE, sealed)).generate({ timestamp: now.getTime() });

/** Whether a code is right and was not used before; using it up and the answer are one statement. */
export async function useCode(
  db: Db,
  secrets: Secrets,
  operator: OperatorRow,
  code: string,
  now: Date,
): Promise<boolean> {
  if (!operator.totp_sealed) return false;
  const totp = totpOf(operator.name, secrets.decrypt(PURPOSE, operator.totp_sealed));
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return false;
  return takeStep(db, operator.id, totp.counter({ timestamp }) + delta);
}
