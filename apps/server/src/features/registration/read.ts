/** What other features may use: rules of names, phones and bank accounts, and proofs of a phone. */
export {
  type PhoneProofDeps,
  readProof,
  sendCodeQuietly,
  sendLater,
  sweepCodes,
  useProof,
  verifyCode,
} from './phone-proof.ts';
export { bankAccountIsTaken, findBank, isDepositAccount } from './queries.ts';
export { bankFingerprint, violates } from './register.ts';
export {
  type BankAccountCode,
  type BankInput,
  requireBankAccount,
  requireName,
  requirePhone,
} from './rules.ts';
export { PASSWORD_CHANGED_SMS } from './sms-texts.ts';
