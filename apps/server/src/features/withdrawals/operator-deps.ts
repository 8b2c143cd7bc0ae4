import type { createSystemAccounts, Ledger } from '../../ledger/index.ts';
import type { PayoutBank } from '../../outside/index.ts';
import type { OpenAlert } from '../../platform/alerts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';

/** The dependencies of the operators' queue of withdrawals. */
export interface OperatorDeps {
  pool: Pool;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
}

/** The additional dependencies of sending a payout again. */
export interface RetryDeps extends OperatorDeps {
  /** The bank that pays out. */
  payoutBank: PayoutBank;
  alert: OpenAlert;
}
