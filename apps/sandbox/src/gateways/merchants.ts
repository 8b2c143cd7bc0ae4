/** The payment gateways the product is a merchant of: their keys, and the account behind each one's QRs. */
import { openAccount } from '../bank/accounts.ts';
import type { Environment } from '../environment/environment.ts';
import { COMPANY_OWNER } from '../environment/state.ts';

export interface Gateway {
  party: 'ww' | 'zapman';
  /** Starts the numbers of its payments. */
  prefix: string;
  key: string;
  callbackSecret: string;
  /** Whom its QRs name as payee. */
  billerId: string;
  account: { bankCode: string; accountNo: string; name: string };
}

export const GATEWAYS: readonly Gateway[] = [
  {
    party: 'ww',
    prefix: 'WW',
    key: 'sandbox-ww',
    callbackSecret: 'sandbox-ww-callback',
    billerId: '099400016551101',
    account: { bankCode: 'BAY', accountNo: '5551112223', name: 'WW เพย์เมนต์ (จำลอง)' },
  },
  {
    party: 'zapman',
    prefix: 'ZM',
    key: 'sandbox-zapman',
    callbackSecret: 'sandbox-zapman-callback',
    billerId: '099400027662202',
    account: { bankCode: 'UOB', accountNo: '6662223334', name: 'ZAPMAN เพย์เมนต์ (จำลอง)' },
  },
];

export const gatewayOfBiller = (billerId: string): Gateway | undefined =>
  GATEWAYS.find((gateway) => gateway.billerId === billerId);

/** Opens the accounts in which the gateways keep what was paid to the product. */
export function openGatewayAccounts(environment: Environment): void {
  for (const { account } of GATEWAYS)
    openAccount(environment, { ...account, ownerId: COMPANY_OWNER, openingMinor: 0n });
}
