export * from './bank/bank.ts';
export { styleABank } from './bank/style-a.ts';
export { type BankFeed, type FeedLine, styleBFeed } from './bank/style-b.ts';
export * from './games/provider.ts';
export { styleFProvider } from './games/style-f.ts';
export { paymentGateway } from './gateways/gateway.ts';
export type { PartnerAnswer } from './partner.ts';
export type { QrMaker } from './qr-maker.ts';
export { gatewaySms, type Sms } from './sms/sms.ts';
