import { HOUR_MS } from '@krapao/contract/durations';
import { wallet } from '@krapao/contract/member';
import type { Language, RefusalsOf } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';
import { openMemberAccount } from '../../ledger/index.ts';
import type { PartnerResponse } from '../../outside/index.ts';
import type { Config } from '../../platform/config.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { type Limits, requireWithinLimit } from '../../platform/limits.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { sameText } from '../../platform/secrets.ts';
import type { Member } from '../../platform/sessions.ts';
import type { LimitCode } from '../limits/read.ts';
import type { GameDeps } from './move.ts';
import { newGamePassword } from './password.ts';
import {
  type AccountRow,
  confirmAccount,
  dropReservation,
  findAccount,
  findSlot,
  findSlotByLaunchName,
  listAccounts,
  rateOf,
  readLastSync,
  reserveAccount,
  type SlotRow,
  takeRefresh,
} from './queries.ts';
import { figuresOf, slotView } from './read.ts';
import { type Reading, refreshAll, requireMayEnter } from './refresh.ts';

export interface AccountDeps extends GameDeps {
  config: Config;
  limits: Limits;
}

const usernameOf = (memberId: bigint): string => `kp${memberId}`;

/**
 * Creates the player, or takes back the one a lost answer left behind under the member's own name. That one is empty: one
 * with credits belongs to a member missing in our books, so it is refused and an alert opens.
 */
async function createPlayer(
  deps: AccountDeps,
  slot: SlotRow,
  username: string,
  password: string,
): Promise<PartnerResponse<{ event: string | null }>> {
  const provider = deps.providerOf(slot);
  const created = await provider.createPlayer({ username, password });
  if (created.outcome !== 'rejected' || created.code !== 'USER_EXISTS') return created;
  const found = await provider.balance(username);
  if (found.outcome !== 'ok') return found;
  const { credits, outstanding } = found.value;
  if (credits === 0n && outstanding === 0n) return provider.changePassword({ username, password });
  await deps.alert('player-taken', `game:${slot.code}:${username}`, 'a player of this name has credits');
  return created;
}

/** Throws PROVIDER_UNAVAILABLE while no member may begin a game, SELF_EXCLUDED or LIMIT_REACHED while this member may not. */
async function requireEntry(
  refuse: Refuse<LimitCode | 'PROVIDER_UNAVAILABLE'>,
  deps: AccountDeps,
  member: Member,
  slot: SlotRow,
): Promise<void> {
  if (!deps.settings.get('game.open') || slot.is_in_maintenance)
    throw refuse('PROVIDER_UNAVAILABLE', undefined, 'stopped');
  await requireMayEnter(refuse, deps, member);
}

async function activate(
  refuse: Refuse<RefusalsOf<typeof wallet.activateSlot>>,
  deps: AccountDeps,
  member: Member,
  slotCode: string,
  language: Language,
) {
  const slot = await findSlot(deps.pool, slotCode);
  if (!slot?.is_open) throw refuse('NO_GAME');
  await requireEntry(refuse, deps, member, slot);
  const now = deps.clock.now();
  const balanceAccount = await openMemberAccount(
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
      balanceAccount,
      rateMicro: rateOf(slot, member.currency),
      now,
    }))
  ) {
    throw refuse('SLOT_ALREADY_ACTIVE');
  }
  const result = await createPlayer(deps, slot, username, password);
  if (result.outcome !== 'ok') {
    await dropReservation(deps.pool, member.id, slotCode);
    throw refuse(result.outcome === 'rejected' ? 'SLOT_ACTIVATE_FAIL' : 'GAME_ACTIVATION_FAIL');
  }
  await confirmAccount(deps.pool, member.id, slotCode, result.value.event);
  const reader = { currency: member.currency, language };
  return slotView(deps, reader, slot, await findAccount(deps.pool, member.id, slotCode), null);
}

async function launch(
  refuse: Refuse<
    | LimitCode
    | 'NO_GAME'
    | 'SLOT_NO_ACCOUNT'
    | 'NO_USER'
    | 'PROVIDER_UNAVAILABLE'
    | 'LOGIN_FAIL'
    | 'NOT_AREASLOT'
    | 'NOT_UFABET'
  >,
  deps: AccountDeps,
  member: Member,
  order: { game: string; username: string; password?: string; language: string; returnUrl: string },
) {
  const slot = await findSlotByLaunchName(deps.pool, order.game);
  if (!slot?.is_open) throw refuse('NO_GAME');
  await requireEntry(refuse, deps, member, slot);
  const account = await findAccount(deps.pool, member.id, slot.code);
  if (!account) throw refuse('SLOT_NO_ACCOUNT');
  // An unconfirmed new password is as likely valid as the old one: which of them is valid is not known.
  const passwordFits =
    order.password === undefined ||
    [account.password_sealed, account.next_password_sealed].some(
      (sealed) => sealed && sameText(order.password!, deps.secrets.decrypt('game-password', sealed)),
    );
  if (order.username !== account.username || !passwordFits) throw refuse('NO_USER');
  const window = { key: `game-entry:${member.id}`, max: deps.settings.get('game.entryHourMax'), ms: HOUR_MS };
  await requireWithinLimit(deps.limits, window, deps.clock.now());
  const response = await deps
    .providerOf(slot)
    .launch({ username: account.username, language: order.language, returnUrl: order.returnUrl });
  if (response.outcome === 'unknown') throw refuse('PROVIDER_UNAVAILABLE', undefined, response.note);
  if (response.outcome === 'rejected')
    throw refuse(response.code === 'NO_USER' ? slot.unknown_user_code : 'LOGIN_FAIL');
  return { link: response.value };
}

/** Returns the result of the last refresh to a caller who refreshes too soon. */
const lastReading = (account: AccountRow, lastSync: Date) => ({
  account,
  ok: (account.asked_at ?? account.created_at) >= lastSync,
});

/**
 * Declares opening a game account, auto-login and refreshing balances. `onRefresh` is called with what a refresh has read,
 * before its response.
 */
export function gameAccountCalls(
  declare: Declare,
  deps: AccountDeps,
  onRefresh: (member: Member, readings: Reading[]) => Promise<void>,
): void {
  declare(wallet.activateSlot, ({ member, params, request, refuse }) =>
    activate(refuse, deps, member, params.slotCode, languageOf(request, deps.config.variant)),
  );
  declare(wallet.refreshSlots, async ({ member }) => {
    const now = deps.clock.now();
    const fresh = await takeRefresh(deps.pool, member.id, now, deps.settings.get('refresh.seconds'));
    const asked = fresh ? await refreshAll(deps, member) : null;
    if (asked) await onRefresh(member, asked);
    const lastSync = (await readLastSync(deps.pool, member.id)) ?? now;
    const readings =
      asked ?? (await listAccounts(deps.pool, member.id)).map((account) => lastReading(account, lastSync));
    return {
      slots: readings.map(({ account, ok }) => ({
        code: account.slot_code,
        ...figuresOf(account, ok ? null : lastSync),
        ok,
      })),
      lastSync: lastSync.toISOString(),
    };
  });
  /** The address to which a game returns the player: the site they started from, which may differ from this one. */
  const homeOf = ({ headers: { origin }, host, protocol }: FastifyRequest): string => {
    if (origin && deps.config.CORS_ORIGINS.split(/\s+/).includes(origin)) return `${origin}/user/home`;
    return `${protocol}://${host}/user/home`;
  };
  declare(wallet.autoLogin, ({ member, params, request, refuse }) =>
    launch(refuse, deps, member, {
      ...params,
      language: languageOf(request, deps.config.variant),
      returnUrl: homeOf(request),
    }),
  );
  declare(wallet.autoLoginWithPassword, ({ member, params, request, refuse }) =>
    launch(refuse, deps, member, {
      ...params,
      language: languageOf(request, deps.config.variant),
      returnUrl: homeOf(request),
    }),
  );
}
