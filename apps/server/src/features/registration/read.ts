/** What others may ask of members' bank accounts, and of phones that prove themselves. */
export { accountChangeState, payoutsFrom } from './account-change.ts';
export {
  type PhoneProofDeps,
  readProof,
  sendCodeQuietly,
  sendLater,
  useProof,
  verifyCode,
} from './phone-proof.ts';
export { requirePhone } from './rules.ts';
export { PASSWORD_CHANGED_SMS } from './sms-texts.ts';
