import { account, wallet } from '@krapao/contract/member';
import { type Currency, fromMinor, type Language } from '@krapao/contract/shared';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import type { SlotView } from '../games/read.ts';
import { bankNamesOf } from '../lookups/read.ts';
import { accountChangeState } from '../registration/read.ts';
import { readBankAccount, readMemberSince, readWalletFigures } from './queries.ts';

export interface WalletDeps {
  pool: Pool;
  config: Config;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
  /** The member's games as last known. */
  readSlots(member: Member & { language: Language }): Promise<{ slots: SlotView[]; lastSync: Date | null }>;
}

async function bankAccountView(deps: WalletDeps, memberId: bigint) {
  const row = await readBankAccount(deps.pool, memberId);
  return {
    bankCode: row.bank_code,
    bankAccountName: row.account_name,
    bankAccountNo: deps.secrets.decrypt('bank-account', row.account_no_sealed),
    bank: bankNamesOf(row),
  };
}

async function walletView(deps: WalletDeps, member: Member, language: Language) {
  const [figures, bankAccount, games] = await Promise.all([
    readWalletFigures(deps.pool, member),
    bankAccountView(deps, member.id),
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
    },
    invite: {
      amount: fromMinor(figures.invited, member.currency),
      success: deps.settings.get('invite.successPercent'),
      fail: deps.settings.get('invite.failPercent'),
    },
    slots: games.slots.map((slot) => ({ ...slot, isInMaintenance: slot.isInMaintenance || isStopped })),
    lastSync: games.lastSync?.toISOString() ?? null,
  };
}

/** Answers what home and profile show. */
export function walletCalls(declare: Declare, deps: WalletDeps): void {
  declare(wallet.readWallet, ({ member, request }) =>
    walletView(deps, member, languageOf(request, deps.config.variant)),
  );
  declare(account.readProfile, async ({ member }) => ({
    profile: {
      _id: String(member.id),
      username: member.phone,
      name: member.name,
      createdAt: (await readMemberSince(deps.pool, member.id)).toISOString(),
    },
    bankAccount: await bankAccountView(deps, member.id),
    ...(await accountChangeState(deps, member.id)),
  }));
}
