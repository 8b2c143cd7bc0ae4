import type { Pool } from 'pg';
import { afterAll } from 'vitest';
import { type TestDatabase, testDatabase } from '../platform/database/testing.ts';
import {
  type Asset,
  createLedger,
  createSystemAccounts,
  type Ledger,
  type LedgerItem,
  type LedgerOptions,
  type MemberAccountKind,
  openMemberAccount,
  readBalance,
} from './index.ts';

/** A ledger on its own database, with helpers for accounts and money. */
export interface TestBooks extends TestDatabase {
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  /** Creates a second ledger on the same database, as another server has. */
  anotherLedger(options?: Partial<LedgerOptions>): Ledger;
  /** A new member’s account, with money from a system account on request. */
  account(options?: {
    kind?: MemberAccountKind;
    asset?: Asset;
    memberId?: bigint;
    minor?: bigint;
  }): Promise<bigint>;
  balance(account: bigint): Promise<bigint>;
  /** Returns the sums of balances per asset that are not zero; there must be none. */
  drift(): Promise<bigint[]>;
}

let serial = 0;

/** Returns an unused reference. */
export const newReference = (): string => `test:${process.pid}:${++serial}`;

/** Returns an unused member id. */
export const newMember = (): bigint => BigInt(1_000_000 + ++serial);

/** Returns an item with one leg. */
export const transfer = (
  from: bigint,
  to: bigint,
  amountMinor: bigint,
  more: Partial<LedgerItem> = {},
): LedgerItem => ({
  reference: newReference(),
  kind: 'transfer',
  legs: [{ from, to, amountMinor }],
  ...more,
});

async function driftOf(pool: Pool): Promise<bigint[]> {
  const { rows } = await pool.query(
    'select sum(balance)::bigint as sum from ledger_account group by asset having sum(balance) <> 0',
  );
  return rows.map((row) => row.sum);
}

/** Opens a ledger for one test file. Call it at the file's top level, so that it is closed after the tests. */
export async function openBooks(options: Partial<LedgerOptions> = {}): Promise<TestBooks> {
  const database = await testDatabase();
  const now = () => new Date();
  const opened: Ledger[] = [];
  const anotherLedger = (more: Partial<LedgerOptions> = {}): Ledger => {
    const ledger = createLedger({ pool: database.app, now, ...more });
    opened.push(ledger);
    return ledger;
  };
  const ledger = anotherLedger(options);
  const systemAccount = createSystemAccounts(database.app, now);
  afterAll(() => Promise.all(opened.map((one) => one.close())));
  return {
    ...database,
    ledger,
    systemAccount,
    anotherLedger,
    async account({ kind = 'wallet', asset = 'BAHT', memberId = newMember(), minor = 0n } = {}) {
      const account = await openMemberAccount(database.app, { memberId, kind, asset }, now());
      const from = await systemAccount('manual', asset);
      if (minor > 0n) await ledger.post(transfer(from, account, minor));
      return account;
    },
    balance: async (account) => (await readBalance(database.app, account)).balanceMinor,
    drift: () => driftOf(database.app),
  };
}
