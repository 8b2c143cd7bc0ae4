export * from './bank/bank.ts';
export { LAO_QR_BANKS, laoQr } from './bank/lao-qr.ts';
export { styleABank } from './bank/style-a.ts';
export { type BankFeed, type FeedLine, styleBFeed } from './bank/style-b.ts';
export * from './games/provider.ts';
export { styleFProvider } from './games/style-f.ts';
export { styleJProvider } from './games/style-j.ts';
export { paymentGateway } from './gateways/gateway.ts';
export { giftEnvelopes } from './gift/envelopes.ts';
export type * from './gift/gift-wallet.ts';
export { readGiftCode } from './gift/link.ts';
export { type Mailer, type RefusedReceiver, smtpMailer } from './mail/mail.ts';
export { isTimeout, type PartnerCall, type PartnerResponse, partnerCalls } from './partner.ts';
export { areKeys } from './push/encrypt.ts';
export { type PushSender, webPush } from './push/push.ts';
export { newVapidKey, type VapidKey } from './push/vapid.ts';
export { QR_REFUSAL, type QrMaker, type QrOffer } from './qr-maker.ts';
export { bankInquiry, requestedInTurn } from './slips/bank-inquiry.ts';
export { easySlipChecker } from './slips/easyslip.ts';
export * from './slips/slip-checker.ts';
export { slipOkChecker } from './slips/slipok.ts';

export { bulkSms } from './sms/bulk.ts';
export { gatewaySms, type Sms } from './sms/sms.ts';
export { NO_REFERENCE, NOT_OFFERED, type Span, type Statement, type StatementLine } from './statement.ts';
export {
  FILE_LINES_MAX,
  FILE_MEGABYTES_MAX,
  type FileLine,
  type FileStatement,
  type Period,
  type StatementFormat,
  TooManyLines,
  UnreadableStatement,
  wholeDays,
} from './statement-files/format.ts';
export { readStatementInThread } from './statement-files/in-thread.ts';
export {
  type WebhookClient,
  type WebhookResponse,
  webhookClient,
} from './webhooks/webhook-client.ts';
