/** WW and ZAPMAN take nothing below this, in baht. */
const HUNDRED_BANKS: readonly string[] = ['WW', 'ZAPMAN'];

/** Whether the create button can be pressed: above 0, and from 100 on at WW and ZAPMAN. */
export const mayCreate = (bankCode: string, amount: number | null): amount is number =>
  amount !== null && (HUNDRED_BANKS.includes(bankCode) ? amount >= 100 : amount > 0);
