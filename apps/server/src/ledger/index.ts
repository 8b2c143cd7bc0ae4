export * from './accounts.ts';
export type {
  BonusStartRow,
  CoinChangeRow,
  OperatorActionRow,
  TransferEndRow,
  TransferRow,
} from './attached-rows.gen.ts';
export * from './intent.ts';
export * from './item.ts';
export * from './ledger.ts';
export * from './running.ts';
export * from './saved-response.ts';
export * from './verify.ts';
