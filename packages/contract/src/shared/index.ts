export type * from './call.ts';
export * from './chat.ts';
export * from './codes.ts';
export * from './lao-qr.ts';
export * from './money.ts';
export * from './promptpay.ts';
export * from './rules.ts';
export * from './slip-qr.ts';
export * from './times.ts';
