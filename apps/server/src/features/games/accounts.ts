import { randomBytes } from 'node:crypto';
import { wallet } from '@krapao/contract/member';
import { openMemberAccount } from '../../ledger/index.ts';
import type { Config } from '../../platform/config.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { Refusal } from '../../platform/refusal.ts';
import { sameText } from '../../platform/secrets.ts';
import type { Member } from '../../platform/sessions.ts';
import type { GameDeps } from './move.ts';
import {
  type AccountRow,
  confirmAccount,
  dropReservation,
  findAccount,
  findSlot,
  findSlotByLaunchName,
  listAccounts,
  readLastSync,
  reserveAccount,
  type SlotRow,
  takeRefresh,
} from './queries.ts';
import { slotView } from './read.ts';
import { refreshAll } from './refresh.ts';

export interface AccountDeps extends GameDeps {
  config: Config;
}

/** Twelve letters and digits that are hard to mistake for each other. */
function newGamePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(12), (byte) => alphabet[byte % alphabet.length]).join('');
}

const usernameOf = (memberId: bigint): string => `kp${memberId}`;

/** Creates the player, or takes back the one a lost answer left behind under the member's own name. */
async function createPlayer(
  deps: AccountDeps,
  slot: SlotRow,
  username: string,
  password: string,
): Promise<'ok' | 'no' | 'unknown'> {
  const provider = deps.providerOf(slot);
  const created = await provider.createPlayer({ username, password });
  if (created.outcome === 'ok') return 'ok';
  if (created.outcome === 'unknown') return 'unknown';
  if (created.code !== 'USER_EXISTS') return 'no';
  const changed = await provider.changePassword({ username, password });
  return changed.outcome === 'ok' ? 'ok' : changed.outcome === 'unknown' ? 'unknown' : 'no';
}

async function activate(deps: AccountDeps, member: Member, slotCode: string) {
  const slot = await findSlot(deps.pool, slotCode);
  if (!slot?.is_open) throw new Refusal('NO_GAME');
  const now = deps.clock.now();
  const mirrorAccount = await openMemberAccount(
    deps.pool,
    { memberId: member.id, kind: 'mirror', asset: member.currency, slotCode },
    now,
  );
  const username = usernameOf(member.id);
  const password = newGamePassword();
  const sealed = deps.secrets.encrypt('game-password', password);
  if (
    !(await reserveAccount(deps.pool, {
      memberId: member.id,
      slotCode,
      username,
      sealed,
      mirrorAccount,
      rateMicro: slot.rate_micro,
      now,
    }))
  ) {
    throw new Refusal('SLOT_ALREADY_ACTIVE');
  }
  const result = await createPlayer(deps, slot, username, password);
  if (result !== 'ok') {
    await dropReservation(deps.pool, member.id, slotCode);
    throw new Refusal(result === 'no' ? 'SLOT_ACTIVATE_FAIL' : 'GAME_ACTIVATION_FAIL');
  }
  await confirmAccount(deps.pool, member.id, slotCode);
  return slotView(slot, await findAccount(deps.pool, member.id, slotCode));
}

async function launch(
  deps: AccountDeps,
  member: Member,
  order: { game: string; username: string; password?: string; language: string; returnUrl: string },
) {
  const slot = await findSlotByLaunchName(deps.pool, order.game);
  if (!slot?.is_open) throw new Refusal('NO_GAME');
  const account = await findAccount(deps.pool, member.id, slot.code);
  if (!account) throw new Refusal('SLOT_NO_ACCOUNT');
  const passwordFits =
    order.password === undefined ||
    sameText(order.password, deps.secrets.decrypt('game-password', account.password_sealed));
  if (order.username !== account.username || !passwordFits) throw new Refusal('NO_USER');
  const answer = await deps
    .providerOf(slot)
    .launch({ username: account.username, language: order.language, returnUrl: order.returnUrl });
  if (answer.outcome === 'unknown') throw new Refusal('PROVIDER_UNAVAILABLE', undefined, answer.note);
  if (answer.outcome === 'rejected')
    throw new Refusal(answer.code === 'NO_USER' ? slot.unknown_user_code : 'LOGIN_FAIL');
  return { link: answer.value };
}

/** What the last asking found, told again to somebody who asks too soon: silent then is silent still. */
const lastReading = (account: AccountRow, lastSync: Date) => ({
  account,
  ok: (account.asked_at ?? account.created_at) >= lastSync,
});

/** Answers opening a game account, its credentials, auto-login and the refresh of balances. */
export function gameAccountCalls(declare: Declare, deps: AccountDeps): void {
  declare(wallet.activateSlot, ({ member, params }) => activate(deps, member, params.slotCode));
  declare(wallet.readSlotAccount, async ({ member, params }) => {
    if (!(await findSlot(deps.pool, params.slotCode))) throw new Refusal('NO_GAME');
    const account = await findAccount(deps.pool, member.id, params.slotCode);
    if (!account) throw new Refusal('SLOT_NO_ACCOUNT');
    return {
      username: account.username,
      password: deps.secrets.decrypt('game-password', account.password_sealed),
    };
  });
  declare(wallet.refreshSlots, async ({ member }) => {
    const now = deps.clock.now();
    const fresh = await takeRefresh(deps.pool, member.id, now, deps.settings.get('refresh.seconds'));
    const asked = fresh ? await refreshAll(deps, member) : null;
    const lastSync = (await readLastSync(deps.pool, member.id)) ?? now;
    const readings =
      asked ?? (await listAccounts(deps.pool, member.id)).map((account) => lastReading(account, lastSync));
    return {
      slots: readings.map(({ account, ok }) => ({
        code: account.slot_code,
        amount: Number(account.credits) / 100,
        ok,
      })),
      lastSync: lastSync.toISOString(),
    };
  });
  const home = (host: string | undefined) => (host ? `//${host}/user/home` : '/user/home');
  declare(wallet.autoLogin, ({ member, params, request }) =>
    launch(deps, member, {
      ...params,
      language: languageOf(request, deps.config.variant),
      returnUrl: `${request.protocol}:${home(request.host)}`,
    }),
  );
  declare(wallet.autoLoginWithPassword, ({ member, params, request }) =>
    launch(deps, member, {
      ...params,
      language: languageOf(request, deps.config.variant),
      returnUrl: `${request.protocol}:${home(request.host)}`,
    }),
  );
}
