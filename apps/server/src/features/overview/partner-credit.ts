import type { PartnerName } from '@krapao/contract/operator';
import { minorToDecimal } from '@krapao/contract/shared';
import type { GameProvider, PartnerResponse, Sms } from '../../outside/index.ts';
import { endAlert, keepAlert } from '../../platform/alerts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { JobSet } from '../../platform/jobs.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Agent, deleteCredits, listAgents, saveCredit } from './partner-queries.ts';

interface CreditDeps {
  pool: Pool;
  clock: Clock;
  settings: Pick<Settings, 'get'>;
  sms: Sms;
  providerOf: (agent: Agent) => GameProvider;
}

/** The credit below which operators are alerted; 0: never. */
export const alertBelow = (settings: Pick<Settings, 'get'>, partner: string): number =>
  settings.get(partner === 'sms' ? 'sms.creditAlert' : 'game.creditAlert');

/** Credit at one partner: how it is read, as decimal text, and what it belongs to. */
interface Source {
  partner: PartnerName;
  agent: string;
  read: () => Promise<PartnerResponse<string>>;
}

async function asText<Value>(
  response: Promise<PartnerResponse<Value>>,
  textOf: (value: Value) => string,
): Promise<PartnerResponse<string>> {
  const read = await response;
  return read.outcome === 'ok' ? { outcome: 'ok', value: textOf(read.value) } : read;
}

/** The credit that partners report: that of the agents of open games, and that of the SMS gateway. */
function sourcesOf({ sms, providerOf }: CreditDeps, agents: readonly Agent[]): Source[] {
  const games = agents.flatMap((slot): Source[] => {
    const provider = providerOf(slot);
    if (!provider.agentCredit) return [];
    const read = () => asText(provider.agentCredit!(), (credit) => minorToDecimal(credit, 2));
    return [{ partner: slot.adapter === 'style-j' ? 'game-j' : 'game-f', agent: slot.agent, read }];
  });
  if (!sms.credit) return games;
  return [...games, { partner: 'sms', agent: '', read: () => asText(sms.credit!(), String) }];
}

/** What alerts name the credit by; the SMS gateway has no agent. */
const nameOf = ({ partner, agent }: Pick<Source, 'partner' | 'agent'>): string => `${partner}:${agent}`;
const subjectOf = (name: string) => entityRef('partner', name.replace(/:$/, ''));

/** Deletes the credit of agents whose games were removed or closed, and ends their alerts. */
async function forgetOthers({ pool, clock }: CreditDeps, sources: readonly Source[]): Promise<void> {
  await inTransaction(pool, async (tx) => {
    for (const name of await deleteCredits(tx, sources.map(nameOf)))
      await endAlert(tx, 'credit-low', subjectOf(name), clock.now());
  });
}

/** Reads one partner's credit. One that does not answer keeps the last figure with its time. */
async function readCredit(deps: CreditDeps, source: Source): Promise<void> {
  const { partner, agent } = source;
  const response = await source.read();
  if (response.outcome !== 'ok') return;
  const [now, credit, least] = [deps.clock.now(), response.value, alertBelow(deps.settings, partner)];
  await inTransaction(deps.pool, async (tx) => {
    await saveCredit(tx, { partner, agent, credit, now });
    const subject = subjectOf(nameOf(source));
    if (Number(credit) < least) await keepAlert(tx, { kind: 'credit-low', subject, detail: credit }, now);
    else await endAlert(tx, 'credit-low', subject, now);
  });
}

/**
 * Reads every minute what is left of prepaid credit: an agent without credit gives none to players, an empty SMS account
 * sends no codes. Below a setting an alert opens, which ends by itself. Runs with the jobs of reconciliation, which may
 * wait for a slow partner.
 */
export const creditJobs = (deps: CreditDeps): JobSet => ({
  partner: 'reconciliation',
  tasks: {
    'partners.credit': async () => {
      const sources = sourcesOf(deps, await listAgents(deps.pool));
      await forgetOthers(deps, sources);
      const read = await Promise.allSettled(sources.map((source) => readCredit(deps, source)));
      const failed = read.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    },
  },
  everyMinute: ['partners.credit'],
});
