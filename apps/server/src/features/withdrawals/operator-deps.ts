import type { createSystemAccounts, Ledger } from '../../ledger/index.ts';
import type { PayoutBank } from '../../outside/index.ts';
import type { OpenAlert } from '../../platform/alerts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';

/** What the operators' queue of withdrawals stands on. */
export interface OperatorDeps {
  pool: Pool;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
}

/** What sending a payout once more stands on besides. */
export interface RetryDeps extends OperatorDeps {
  /** The bank that pays out. */
  payoutBank: PayoutBank;
  alert: OpenAlert;
}
