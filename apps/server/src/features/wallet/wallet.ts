import { wallet } from '@krapao/contract/member';
import { type Currency, fromMinor, type Language } from '@krapao/contract/shared';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import type { MemberGames } from '../games/read.ts';
import { readBankAccountView } from '../profile/read.ts';
import { readWalletFigures } from './queries.ts';

export interface WalletDeps {
  pool: Pool;
  config: Config;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
  /** The member's games as last known. */
  readSlots(member: Member & { language: Language }): Promise<MemberGames>;
}

async function walletView(deps: WalletDeps, member: Member, language: Language) {
  const [figures, bankAccount, games] = await Promise.all([
    readWalletFigures(deps.pool, member),
    readBankAccountView(deps, member.id),
    deps.readSlots({ ...member, language }),
  ]);
  const isStopped = !deps.settings.get('game.open');
  return {
    profile: {
      name: member.name,
      username: member.phone,
      _id: String(member.id),
      coin: Number(figures.coins),
    },
    bankAccount,
    wallet: {
      amount: fromMinor(figures.balance, member.currency),
      currency: member.currency as Currency,
      version: Number(figures.version),
      onTheWay: fromMinor(figures.onTheWay, member.currency),
    },
    invite: {
      amount: fromMinor(figures.invited, member.currency),
      success: deps.settings.get('invite.successPercent'),
      fail: deps.settings.get('invite.failPercent'),
    },
    slots: games.slots.map((slot) => ({ ...slot, isInMaintenance: slot.isInMaintenance || isStopped })),
    ...(games.former.length > 0 && { formerGames: games.former }),
    lastSync: games.lastSync?.toISOString() ?? null,
  };
}

/** Answers what home shows. */
export function walletCalls(declare: Declare, deps: WalletDeps): void {
  declare(wallet.readWallet, ({ member, request }) =>
    walletView(deps, member, languageOf(request, deps.config.variant)),
  );
}
