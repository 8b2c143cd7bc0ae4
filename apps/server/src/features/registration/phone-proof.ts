import { setTimeout } from 'node:timers/promises';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@krapao/contract/durations';
import { type Language, OTP_DIGITS } from '@krapao/contract/shared';
import type { Sms } from '../../outside/index.ts';
import { addressMeters, requireAddressWithinLimit, takeAttempt } from '../../platform/attempts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { isFamiliar } from '../../platform/familiar.ts';
import { networkOf } from '../../platform/http/caller.ts';
import { newDigits, newToken } from '../../platform/ids.ts';
import { databaseLimits, type Limits, requireWithinLimit } from '../../platform/limits.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { hashToken, type Secrets } from '../../platform/secrets.ts';
import type { SecurityLog } from '../../platform/security-log.ts';
import type { Settings } from '../../platform/settings.ts';
import { countInWindow, countUp, minutesUntil, readWindow, uncount } from '../../platform/throttle.ts';
import { deleteCodes } from './queries.ts';
import { type CodePurpose, codeSms } from './sms-texts.ts';

/** Proofs that a phone is in the caller's hands, by one-time code over SMS. */
export interface PhoneProofDeps {
  pool: Pool;
  limits: Limits;
  sms: Sms;
  secrets: Secrets;
  settings: Settings;
  clock: Clock;
  security: Pick<SecurityLog, 'identify'>;
}

const MINUTE_S = 60;
const BLOCK_DOUBLINGS_MAX = 4;
const REFERENCE_LETTERS = 'ABCDEFGHJKMNPQRTUVWXYZ2346789';

const newReference = (): string =>
  Array.from({ length: 4 }, () => REFERENCE_LETTERS[Number(newDigits(4)) % REFERENCE_LETTERS.length]).join(
    '',
  );

/** Whether this phone was verified from this address lately, which then replaces a new code. */
export async function isVerified(deps: PhoneProofDeps, phone: string, address: string): Promise<boolean> {
  const since = new Date(deps.clock.now().getTime() - deps.settings.get('otp.verifiedMinutes') * MINUTE_MS);
  const result = await deps.pool.query(
    'select 1 from otp where phone = $1 and address = $2 and purpose = $3 and verified_at > $4 limit 1',
    [phone, address, 'register', since],
  );
  return result.rows.length > 0;
}

/** A request for a code: the caller, the address, the purpose, and the language of the SMS. */
export interface CodeIntent {
  phone: string;
  address: string;
  purpose: CodePurpose;
  language: Language;
  /** Identifies one request of a code: a repeat with the same id gets the same code. */
  requestId?: string | undefined;
}

/** Pauses before an SMS that the gateway rejected is sent again. */
const RESEND_PAUSES_MS = [2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS];

/** The limit key a call counts against: each familiar network of the owner has its own, which calls from elsewhere do not use up. */
const budgetOf = async (deps: PhoneProofDeps, phone: string, address: string, now: Date): Promise<string> =>
  (await isFamiliar(deps.pool, phone, address, now)) ? `${phone}:own:${networkOf(address)}` : phone;

async function refuseFlood(
  refuse: Refuse<'REQUEST_LIMIT_1MIN' | 'OTP_BLOCK'>,
  deps: PhoneProofDeps,
  phone: string,
  address: string,
): Promise<void> {
  const { pool, settings } = deps;
  const now = deps.clock.now();
  const budget = await budgetOf(deps, phone, address, now);
  await refuseBlocked(refuse, deps, budget, now);
  // The address first: what it may not send any more must not use up the codes of phones.
  const hour = { max: settings.get('otp.addressHourMax'), ms: HOUR_MS };
  await requireAddressWithinLimit(deps.limits, 'otp-address', address, hour, now);
  if (!(await countInWindow(pool, { key: `otp-minute:${budget}`, max: 1, ms: MINUTE_MS }, now)))
    throw refuse('REQUEST_LIMIT_1MIN');
  const day = { key: `otp-day:${budget}`, max: settings.get('otp.dayMax'), ms: DAY_MS };
  await requireWithinLimit(databaseLimits(pool), day, now);
}

/** Throws OTP_BLOCK while too many codes were wrong. */
async function refuseBlocked(
  refuse: Refuse<'OTP_BLOCK'>,
  deps: PhoneProofDeps,
  budget: string,
  now: Date,
): Promise<void> {
  const { closesAt } = await readWindow(deps.pool, `otp-block:${budget}`, now);
  if (closesAt) throw blockedUntil(refuse, closesAt, now);
}

/** Blocks after a code's last wrong try, each time within a day twice as long as the time before. */
async function block(deps: PhoneProofDeps, budget: string, now: Date): Promise<void> {
  const blocks = await countUp(deps.pool, { key: `otp-blocks:${budget}`, ms: DAY_MS }, now);
  const times = 2 ** Math.min(blocks - 1, BLOCK_DOUBLINGS_MAX);
  const ms = deps.settings.get('otp.blockMinutes') * MINUTE_MS * times;
  await countInWindow(deps.pool, { key: `otp-block:${budget}`, max: 1, ms }, now);
}

const blockedUntil = (refuse: Refuse<'OTP_BLOCK'>, closesAt: Date, now: Date): Refusal =>
  refuse('OTP_BLOCK', { minutes: minutesUntil(closesAt, now) });

/** The response for a sent code: its reference, the token it is checked by, and how many seconds it is good for. */
interface SentCode {
  otpRef: string;
  otpToken: string;
  expiresIn: number;
}

/** Derives the token of a code from the client's request id, so that a repeat finds the code; random without an id. */
const tokenOf = ({ secrets }: PhoneProofDeps, { phone, address, purpose, requestId }: CodeIntent): string =>
  requestId === undefined
    ? newToken()
    : secrets.fingerprint('otp-request', `${purpose}:${phone}:${address}:${requestId}`).toString('base64url');

/** Returns the unexpired code of an earlier call with this request id, or null. */
async function findWritten(deps: PhoneProofDeps, intent: CodeIntent): Promise<SentCode | null> {
  if (intent.requestId === undefined) return null;
  const now = deps.clock.now();
  const otpToken = tokenOf(deps, intent);
  const result = await deps.pool.query(
    'select reference, expires_at from otp where token_hash = $1 and expires_at > $2',
    [hashToken(otpToken), now],
  );
  const row = result.rows[0];
  if (!row) return null;
  const expiresIn = Math.floor((row.expires_at.getTime() - now.getTime()) / SECOND_MS);
  return { otpRef: row.reference, otpToken, expiresIn };
}

/** Stores a code and returns the text of its SMS. Both purposes share the limits of a phone and an address. */
async function writeCode(
  refuse: Refuse<'REQUEST_LIMIT_1MIN' | 'OTP_BLOCK'>,
  deps: PhoneProofDeps,
  intent: CodeIntent,
): Promise<SentCode & { text: string }> {
  const { phone, address, purpose } = intent;
  await refuseFlood(refuse, deps, phone, address);
  const now = deps.clock.now();
  const minutes = deps.settings.get('otp.minutes');
  const code = newDigits(OTP_DIGITS);
  const otpRef = newReference();
  const otpToken = tokenOf(deps, intent);
  await deps.pool.query(
    `insert into otp (token_hash, phone, purpose, reference, code_fingerprint, address, sent_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (token_hash) do update set
       reference = excluded.reference, code_fingerprint = excluded.code_fingerprint, wrong_tries = 0,
       sent_at = excluded.sent_at, expires_at = excluded.expires_at, verified_at = null, used_at = null`,
    [
      hashToken(otpToken),
      phone,
      purpose,
      otpRef,
      deps.secrets.fingerprint(`otp:${otpToken}`, code),
      address,
      now,
      new Date(now.getTime() + minutes * MINUTE_MS),
    ],
  );
  const text = codeSms(purpose, intent.language, { code, reference: otpRef, minutes });
  return { otpRef, otpToken, expiresIn: minutes * MINUTE_S, text };
}

/** Expires a code whose SMS was rejected, and takes it out of the limits per minute and day. */
async function revokeCode(deps: PhoneProofDeps, intent: CodeIntent, otpToken: string): Promise<void> {
  const now = deps.clock.now();
  const budget = await budgetOf(deps, intent.phone, intent.address, now);
  await deps.pool.query('update otp set expires_at = $2 where token_hash = $1', [hashToken(otpToken), now]);
  await uncount(deps.pool, `otp-minute:${budget}`);
  await uncount(deps.pool, `otp-day:${budget}`);
}

/**
 * Sends a code for registering and answers reference and token; the digits leave the server by SMS only. A repeat with
 * the same `requestId` answers the same code and sends nothing. Throws OTP_BLOCK, REQUEST_LIMIT_1MIN, REQUEST_LIMIT,
 * or OTP_SEND_FAIL when the gateway did not take the SMS, which then counts against no limit of the phone. An
 * unanswered gateway counts as sent: the SMS may still arrive.
 */
export async function sendCode(
  refuse: Refuse<'OTP_SEND_FAIL' | 'REQUEST_LIMIT_1MIN' | 'OTP_BLOCK'>,
  deps: PhoneProofDeps,
  intent: CodeIntent,
): Promise<SentCode> {
  const written = await findWritten(deps, intent);
  if (written) return written;
  const { text, ...response } = await writeCode(refuse, deps, intent);
  const sent = await deps.sms.send({ to: intent.phone, text });
  if (sent.outcome !== 'rejected') return response;
  await revokeCode(deps, intent, response.otpToken);
  throw refuse('OTP_SEND_FAIL', undefined, `gateway returned ${sent.code}`);
}

/** Sends an SMS after its call was answered; retries it after each of `RESEND_PAUSES_MS` while the gateway rejects it. */
export async function sendLater(
  { sms }: Pick<PhoneProofDeps, 'sms'>,
  to: string,
  text: string,
): Promise<void> {
  for (const pauseMs of [0, ...RESEND_PAUSES_MS]) {
    await setTimeout(pauseMs, undefined, { ref: false });
    if ((await sms.send({ to, text })).outcome !== 'rejected') return;
  }
}

/**
 * The same for a new password, but silent about who is a member: answer and work are one for every phone, and the SMS
 * goes out after the answer, to members only. The caller does not learn of a gateway failure: the SMS is retried, and
 * another code can be requested. Throws OTP_BLOCK, REQUEST_LIMIT_1MIN or REQUEST_LIMIT.
 */
export async function sendCodeQuietly(
  refuse: Refuse<'REQUEST_LIMIT_1MIN' | 'OTP_BLOCK'>,
  deps: PhoneProofDeps,
  intent: CodeIntent,
  isMember: (phone: string) => Promise<boolean>,
): Promise<SentCode> {
  const written = await findWritten(deps, intent);
  if (written) return written;
  const { text, ...response } = await writeCode(refuse, deps, intent);
  const deliver = async () => {
    if (await isMember(intent.phone)) await sendLater(deps, intent.phone, text);
  };
  setImmediate(() => void deliver().catch(() => undefined));
  return response;
}

function requireTokenForm(refuse: Refuse<'OTP_TOKEN_INVALID'>, otpToken: string): void {
  if (!/^[\w-]{43}$/.test(otpToken)) throw refuse('OTP_TOKEN_INVALID');
}

/**
 * Checks a code and answers its phone. One statement takes the try before the digits are compared, so parallel guesses
 * cannot exceed the tries allowed; from then on the phone counts as verified from this address. The right code again
 * from the same address, before it was used, is right again. Throws
 * OTP_TOKEN_INVALID, REQUEST_LIMIT, OTP_NOT_EXIST, OTP_BLOCK, OTP_EXPIRED or OTP_CODE_INVALID.
 */
export async function verifyCode(
  refuse: Refuse<'OTP_TOKEN_INVALID' | 'OTP_NOT_EXIST' | 'OTP_EXPIRED' | 'OTP_CODE_INVALID' | 'OTP_BLOCK'>,
  deps: PhoneProofDeps,
  attempt: { otpToken: string; otpCode: string; address: string; purpose: CodePurpose },
): Promise<string> {
  requireTokenForm(refuse, attempt.otpToken);
  const { settings } = deps;
  const now = deps.clock.now();
  const limit = {
    max: settings.get('otp.addressFailuresMax'),
    ms: settings.get('otp.blockMinutes') * MINUTE_MS,
  };
  const taken = await takeAttempt(deps, addressMeters('otp-wrong', attempt.address, limit), now);
  try {
    const phone = await checkCode(refuse, deps, attempt, now);
    await taken.giveBack();
    return phone;
  } catch (error) {
    // Where no code was compared nothing was guessed.
    if (!(error instanceof Refusal && error.code === 'OTP_CODE_INVALID')) await taken.giveBack();
    throw error;
  }
}

async function checkCode(
  refuse: Refuse<'OTP_NOT_EXIST' | 'OTP_EXPIRED' | 'OTP_CODE_INVALID' | 'OTP_BLOCK'>,
  deps: PhoneProofDeps,
  { otpToken, otpCode, address, purpose }: Parameters<typeof verifyCode>[2],
  now: Date,
): Promise<string> {
  const { pool } = deps;
  const hash = hashToken(otpToken);
  const triesMax = deps.settings.get('otp.triesMax');
  const taken = await pool.query(
    'update otp set wrong_tries = wrong_tries + 1 where token_hash = $1 and purpose = $2 returning phone, address, code_fingerprint, wrong_tries, expires_at, verified_at, used_at',
    [hash, purpose],
  );
  const row = taken.rows[0];
  if (!row) throw refuse('OTP_NOT_EXIST');
  const budget = await budgetOf(deps, row.phone, address, now);
  await refuseBlocked(refuse, deps, budget, now);
  const isRepeat = row.verified_at !== null && row.used_at === null && row.address === address;
  if (row.expires_at <= now || (row.verified_at && !isRepeat)) throw refuse('OTP_EXPIRED');
  const right =
    row.wrong_tries <= triesMax &&
    deps.secrets.fingerprint(`otp:${otpToken}`, otpCode).equals(row.code_fingerprint);
  if (!right) {
    if (row.wrong_tries >= triesMax) await block(deps, budget, now);
    throw refuse('OTP_CODE_INVALID');
  }
  // A repeat from the same address succeeds like the first call, also in parallel with it.
  const verified = await pool.query(
    `update otp set verified_at = coalesce(verified_at, $2), address = $3, wrong_tries = wrong_tries - 1
     where token_hash = $1 and (verified_at is null or (address = $3 and used_at is null))`,
    [hash, now, address],
  );
  if (verified.rowCount === 0) throw refuse('OTP_EXPIRED');
  return row.phone;
}

/** Returns the phone of a verified token. Throws OTP_TOKEN_INVALID, OTP_NOT_EXIST, UNVERIFIED_OTP or OTP_EXPIRED. */
export async function readProof(
  refuse: Refuse<'OTP_NOT_EXIST' | 'UNVERIFIED_OTP' | 'OTP_EXPIRED' | 'OTP_TOKEN_INVALID'>,
  deps: PhoneProofDeps,
  otpToken: string,
  purpose: CodePurpose,
): Promise<string> {
  requireTokenForm(refuse, otpToken);
  const result = await deps.pool.query(
    'select phone, verified_at, used_at from otp where token_hash = $1 and purpose = $2',
    [hashToken(otpToken), purpose],
  );
  const row = result.rows[0];
  if (!row) throw refuse('OTP_NOT_EXIST');
  if (!row.verified_at) throw refuse('UNVERIFIED_OTP');
  const livesMs = deps.settings.get('otp.verifiedMinutes') * MINUTE_MS;
  if (row.used_at || row.verified_at.getTime() + livesMs <= deps.clock.now().getTime())
    throw refuse('OTP_EXPIRED');
  return row.phone;
}

/** Uses a verified token up, in the transaction of what it allows. Throws OTP_EXPIRED when another was first. */
export async function useProof(
  refuse: Refuse<'OTP_EXPIRED'>,
  tx: PoolClient,
  otpToken: string,
  now: Date,
): Promise<void> {
  const used = await tx.query(
    'update otp set used_at = $2 where token_hash = $1 and verified_at is not null and used_at is null',
    [hashToken(otpToken), now],
  );
  if (used.rowCount === 0) throw refuse('OTP_EXPIRED');
}

/** How long a code is stored after it proves nothing any more: a phone just proven makes its network familiar for a day. */
const CODE_KEPT_MS = 3 * DAY_MS;
/** Codes deleted at a time. */
const SWEEP_MAX = 5_000;

/** Deletes codes, with their phones and addresses, some days after they are over. */
export async function sweepCodes(
  { pool, settings }: Pick<PhoneProofDeps, 'pool' | 'settings'>,
  now: Date,
): Promise<void> {
  const provesMs = (settings.get('otp.minutes') + settings.get('otp.verifiedMinutes')) * MINUTE_MS;
  await deleteCodes(pool, new Date(now.getTime() - provesMs - CODE_KEPT_MS), SWEEP_MAX);
}
