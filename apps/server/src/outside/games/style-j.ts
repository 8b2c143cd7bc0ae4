import { createHmac } from 'node:crypto';
import { gameJ } from '@krapao/contract/outside';
import { decimalToMinor } from '@krapao/contract/shared';
import type { Static, TSchema } from 'typebox';
import { callPartner, isRefusalStatus, type PartnerResponse, shaped } from '../partner.ts';
import type { Span } from '../statement.ts';
import type { GameProvider, Played } from './provider.ts';

export interface StyleJSettings {
  /** Address of the agent, without a slash at its end. */
  url: string;
  secret: string;
  timeoutMs: () => number;
}

const CODES: Record<string, string> = {
  [gameJ.CODE.PLAYER_EXISTS]: 'USER_EXISTS',
  [gameJ.CODE.NO_PLAYER]: 'NO_USER',
  [gameJ.CODE.NOT_ENOUGH]: 'NOT_ENOUGH',
  [gameJ.CODE.NO_TRANSACTION]: 'ABSENT',
  [gameJ.CODE.REFERENCE_USED]: 'DUPLICATE',
};

const REFUSALS = new Set<string>(Object.values(gameJ.CODE));

/** With `provesMoney` an error whose code is not in the list of refusals is unknown, else any readable error refuses. */
type SendRequest = <S extends TSchema>(
  path: string,
  fields: object,
  schema: S,
  options?: { provesMoney: boolean },
) => Promise<PartnerResponse<Static<S>>>;

const MONEY = { provesMoney: true };

function requester(settings: StyleJSettings): SendRequest {
  return async (path, fields, schema, { provesMoney } = { provesMoney: false }) => {
    const body = JSON.stringify({ madeAt: Date.now(), ...fields });
    const signature = createHmac('sha256', settings.secret).update(body).digest('hex');
    const reply = await callPartner({
      url: `${settings.url}/v1/${path}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', [gameJ.SIGNATURE_HEADER]: signature },
      body,
      timeoutMs: settings.timeoutMs(),
    });
    if (!reply.answered) return { outcome: 'unknown', note: reply.note };
    const value = shaped(schema, reply.json);
    if (reply.status === 200 && value) return { outcome: 'ok', value };
    const code = isRefusalStatus(reply.status) ? shaped(gameJ.ErrorReply, reply.json)?.code : undefined;
    return code !== undefined && (REFUSALS.has(code) || !provesMoney)
      ? { outcome: 'rejected', code: CODES[code] ?? 'OTHER' }
      : { outcome: 'unknown', note: `status ${reply.status}, code ${code?.slice(0, 40) ?? 'none'}` };
  };
}

type TransferReply = PartnerResponse<{ reference: string; direction: 'IN' | 'OUT'; credits: number }>;

/** Reads the transfer of a response; another reference or amount proves nothing. */
function moved(
  response: TransferReply,
  reference: string,
  credits?: bigint,
): PartnerResponse<{ credits: bigint }> {
  if (response.outcome !== 'ok') return response;
  const whole = BigInt(response.value.credits) * 100n;
  const reported = response.value.direction === 'IN' ? whole : -whole;
  return response.value.reference === reference && (credits === undefined || reported === credits)
    ? { outcome: 'ok', value: { credits: reported } }
    : { outcome: 'unknown', note: 'answer about another transfer' };
}

const ROUNDS_PAGE = 500;
/** One reading ends after so many pages or so much time, and the next continues. */
const ROUND_PAGES_MAX = 40;
const ROUNDS_READ_MS = 10_000;
/** A round is in the list this long after its time at the latest. */
const ROUND_LATE_MS = 60_000;

type Round = Static<typeof gameJ.RoundsReply>['rounds'][number];

/** Adds up the settled rounds of a span. `until`: where the span ends instead, because there are more rounds. */
function sumRounds(rounds: Iterable<Round>, { from, to }: Span, until: Date | null): PartnerResponse<Played> {
  let [turnover, result] = [0n, 0n];
  for (const round of rounds) {
    if (round.state !== 'SETTLED') continue;
    const at = Date.parse(round.at);
    const stake = decimalToMinor(round.stake, 2);
    const win = decimalToMinor(round.win, 2);
    if (Number.isNaN(at) || stake === null || win === null)
      return { outcome: 'unknown', note: 'round out of shape' };
    if (at < from.getTime() || at >= (until ?? to).getTime()) continue;
    turnover += stake;
    result += win - stake;
  }
  return { outcome: 'ok', value: { turnover, result, until } };
}

/** Returns the moment before which all rounds have been read once the list was read up to `last`; null without one. */
function readUntil(from: Date, last: Date): Date | null {
  const certain = new Date(last.getTime() - ROUND_LATE_MS);
  if (certain > from) return certain;
  return last > from ? last : null;
}

/**
 * Adds up a player's settled rounds; the dialect has no sums of its own. A round that changes while the pages are read is
 * listed again, and counts as it was listed last.
 */
function playedCall(request: SendRequest): GameProvider['played'] {
  return async (username, span) => {
    const started = performance.now();
    const rounds = new Map<string, Round>();
    let cursor = '';
    for (let page = 1; ; page++) {
      const fields = { cursor, limit: ROUNDS_PAGE, username, since: span.from.toISOString() };
      const response = await request('rounds', fields, gameJ.RoundsReply);
      if (response.outcome !== 'ok') return response;
      const { rounds: listed, next } = response.value;
      for (const round of listed)
        if (round.username.toLowerCase() === username.toLowerCase()) rounds.set(round.id, round);
      const last = new Date(listed.at(-1)?.at ?? span.to);
      const isPast = last.getTime() - ROUND_LATE_MS >= span.to.getTime();
      if (listed.length < ROUNDS_PAGE || isPast) return sumRounds(rounds.values(), span, null);
      if (page === ROUND_PAGES_MAX || performance.now() - started > ROUNDS_READ_MS) {
        const until = readUntil(span.from, last);
        return until
          ? sumRounds(rounds.values(), span, until)
          : { outcome: 'unknown', note: 'the pages do not end' };
      }
      cursor = next;
    }
  };
}

/** A provider of style J: signed JSON, whole credits, once-only transfers that can be queried. */
export function styleJProvider(settings: StyleJSettings): GameProvider {
  const request = requester(settings);
  return {
    capabilities: { creditDecimals: 0 },
    async createPlayer(player) {
      const response = await request('players', player, gameJ.CreateReply);
      return response.outcome === 'ok'
        ? { outcome: 'ok', value: { username: player.username, event: response.value.event ?? null } }
        : response;
    },
    async balance(username) {
      const response = await request('credit', { username }, gameJ.CreditReply);
      if (response.outcome !== 'ok') return response;
      const credits = decimalToMinor(response.value.balance, 2);
      const outstanding = decimalToMinor(response.value.open, 2);
      return credits !== null && outstanding !== null
        ? { outcome: 'ok', value: { credits, outstanding } }
        : { outcome: 'unknown', note: 'balance out of shape' };
    },
    played: playedCall(request),
    async transfer({ username, credits, reference }) {
      const isIn = credits > 0n;
      const whole = Number((isIn ? credits : -credits) / 100n);
      const fields = { username, credits: whole, reference };
      const path = isIn ? 'deposit' : 'withdraw';
      return moved(await request(path, fields, gameJ.MoveReply, MONEY), reference, credits);
    },
    checkTransfer: async (reference) =>
      moved(await request('transaction', { reference }, gameJ.MoveReply, MONEY), reference),
    async changePassword(player) {
      const response = await request('password', player, gameJ.CreateReply);
      return response.outcome === 'ok'
        ? { outcome: 'ok', value: { event: response.value.event ?? null } }
        : response;
    },
    async launch({ username, language, returnUrl }) {
      const fields = { username, language, returnUrl, device: 'mobile' };
      const response = await request('launch', fields, gameJ.LaunchReply);
      return response.outcome === 'ok' ? { outcome: 'ok', value: response.value.url } : response;
    },
  };
}
