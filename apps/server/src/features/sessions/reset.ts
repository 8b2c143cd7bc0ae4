import { password } from '@krapao/contract/member';
import type { Language } from '@krapao/contract/shared';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { requireStrongPassword } from '../../platform/password-policy.ts';
import { hashPassword } from '../../platform/passwords.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { lapseAccountChange } from '../profile/read.ts';
import {
  PASSWORD_CHANGED_SMS,
  type PhoneProofDeps,
  readProof,
  requirePhone,
  sendCodeQuietly,
  sendLater,
  useProof,
  verifyCode,
} from '../registration/read.ts';
import { endSessionsForPassword, findLogin, writePassword } from './queries.ts';
import { giveTriesBack, type SessionDeps } from './sessions.ts';

export type ResetDeps = SessionDeps & PhoneProofDeps;

/** Closed accounts get no code; a suspended member may choose a password, they still cannot log in. */
const hasAccount = async (deps: ResetDeps, phone: string): Promise<boolean> => {
  const found = await findLogin(deps.pool, phone);
  return found !== undefined && found.status !== 'CLOSED';
};

/**
 * Password, used-up code and ended sessions are one transaction, so a code that was used by two at once changes one
 * password. The owner of the phone is notified by SMS in every case; their devices by their sockets and next calls.
 */
async function reset(
  refuse: Refuse<'OTP_NOT_EXIST' | 'OTP_EXPIRED'>,
  deps: ResetDeps,
  phone: string,
  otpToken: string,
  next: { password: string; address: string; language: Language },
): Promise<void> {
  const member = await findLogin(deps.pool, phone);
  if (!member || member.status === 'CLOSED') throw refuse('OTP_NOT_EXIST');
  const hash = await hashPassword(next.password, { lane: 'member', address: next.address });
  const now = deps.clock.now();
  await inTransaction(deps.pool, async (tx) => {
    await useProof(refuse, tx, otpToken, now);
    await writePassword(tx, member.id, hash, now);
    await endSessionsForPassword(tx, member.id, now);
    await lapseAccountChange(tx, { id: member.id, address: next.address }, now);
  });
  const text = PASSWORD_CHANGED_SMS[next.language];
  setImmediate(() => void sendLater(deps, phone, text).catch(() => undefined));
}

/** Answers the three calls of a forgotten password. */
export function resetCalls(declare: Declare, deps: ResetDeps): void {
  declare(password.sendPasswordCode, ({ body, address, request, refuse }) => {
    const phone = requirePhone(refuse, body.phoneNumber, deps.config.variant);
    deps.security.identify(request, { kind: 'member', name: phone });
    const language = languageOf(request, deps.config.variant);
    const intent = { phone, address, purpose: 'password' as const, language, requestId: body.requestId };
    return sendCodeQuietly(refuse, deps, intent, (one) => hasAccount(deps, one));
  });
  declare(password.verifyPasswordCode, async ({ body, address, refuse }) => {
    const phone = await verifyCode(refuse, deps, { ...body, address, purpose: 'password' });
    // The owner starts again here, with the old password too: see isFamiliar.
    await giveTriesBack(deps, phone, address);
    return { code: 'OTP_CODE_VALID' as const };
  });
  declare(password.resetPassword, async ({ body, address, request, refuse }) => {
    const phone = await readProof(refuse, deps, body.otpToken, 'password');
    await requireStrongPassword(refuse, deps, body.newPassword, phone);
    const language = languageOf(request, deps.config.variant);
    await reset(refuse, deps, phone, body.otpToken, { password: body.newPassword, address, language });
    await giveTriesBack(deps, phone, address);
    return { message: 'OK' };
  });
}
