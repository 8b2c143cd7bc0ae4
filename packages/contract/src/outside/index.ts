export * as bankA from './bank-a.ts';
export * as bankB from './bank-b.ts';
export { OUTSIDE_CALLS, type OutsideCall } from './calls.ts';
export * as gameF from './game-f.ts';
export * as gameJ from './game-j.ts';
export * as gateway from './gateway.ts';
export * as gift from './gift.ts';
export * as slip from './slip.ts';
export * as sms from './sms.ts';
