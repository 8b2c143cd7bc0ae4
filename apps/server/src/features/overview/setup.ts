import type { overview } from '@krapao/contract/operator';
import type { Static } from 'typebox';
import { type Config, missingOf } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Settings } from '../../platform/settings.ts';
import { readSetupFacts } from './setup-queries.ts';

interface SetupDeps {
  pool: Pool;
  config: Config;
  settings: Settings;
}

type Item = Static<typeof overview.readSetup.reply>['items'][number];

/** What payouts are sent with. */
const PAYOUT_SETTINGS = ['BANK_A_URL', 'BANK_A_KEY', 'BANK_A_SECRET', 'BANK_A_WEBHOOK_SECRET'] as const;

/**
 * Returns what an installation still needs, derived from facts, without manual ticks. A demo needs nothing. A database of one's own
 * has backups of its own.
 */
export async function readSetup({ pool, config, settings }: SetupDeps): Promise<{ items: Item[] }> {
  if (!config.production && config.DEMO !== 'false') return { items: [] };
  const facts = await readSetupFacts(pool);
  const needed = settings.get('desk.makerChecker') ? 2 : 1;
  const item = (code: Item['code'], isDone: boolean, missing: string[] = []): Item => ({
    code,
    isDone,
    missing,
  });
  const isPublished = (key: string) => facts.published.includes(key);
  const missing = missingOf(config, PAYOUT_SETTINGS);
  return {
    items: [
      item('administrators', facts.administrators >= needed),
      item('cashiers', facts.cashiers >= needed && (needed === 1 || facts.money_checkers > 0)),
      item('deposit-account', facts.has_account),
      item('payout', missing.length === 0, missing),
      item('game', facts.has_game),
      item('site', isPublished('info')),
      item('contact', isPublished('contact')),
      item('agreements', isPublished('agreements')),
      item('help', isPublished('help')),
      item('backup', facts.has_backup || config.DATABASE_URL !== ''),
    ],
  };
}
