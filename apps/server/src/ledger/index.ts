export * from './accounts.ts';
export { recordText } from './encode.ts';
export * from './intent.ts';
export * from './item.ts';
export * from './ledger.ts';
export * from './running.ts';
export * from './saved-answer.ts';
export * from './verify.ts';
