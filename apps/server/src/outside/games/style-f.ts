import { gameF } from '@krapao/contract/outside';
import { decimalToMinor, minorToDecimal } from '@krapao/contract/shared';
import type { Static, TSchema } from 'typebox';
import { callPartner, isRefusalStatus, type PartnerResponse, shaped } from '../partner.ts';
import type { GameProvider } from './provider.ts';

export interface StyleFSettings {
  /** Address of the agent, without a slash at its end. */
  url: string;
  key: string;
  cat: string;
  timeoutMs: () => number;
}

const CODES: Record<number, string> = {
  [gameF.ERROR.USER_EXISTS]: 'USER_EXISTS',
  [gameF.ERROR.USER_NOT_FOUND]: 'NO_USER',
  [gameF.ERROR.NOT_ENOUGH_CREDIT]: 'NOT_ENOUGH',
  [gameF.ERROR.REF_NOT_FOUND]: 'ABSENT',
  [gameF.ERROR.REF_USED]: 'DUPLICATE',
};

/** Decimal credits, maybe with thousand separators and a sign, to hundredths; null when it is no number. */
function readCredits(text: string): bigint | null {
  const plain = text.replaceAll(',', '');
  const negative = plain.startsWith('-');
  const minor = decimalToMinor(negative ? plain.slice(1) : plain, 2);
  return minor === null ? null : negative ? -minor : minor;
}

const REFUSALS = new Set<number>(Object.values(gameF.ERROR));

/** With `provesMoney` an error whose code is not in the list of refusals is unknown, else any readable error refuses. */
type SendRequest = <S extends TSchema>(
  path: string,
  form: Record<string, string>,
  schema: S,
  options?: { provesMoney: boolean },
) => Promise<PartnerResponse<Static<S>>>;

const MONEY = { provesMoney: true };

function requester(settings: StyleFSettings): SendRequest {
  return async (path, form, schema, { provesMoney } = { provesMoney: false }) => {
    const reply = await callPartner({
      url: `${settings.url}/v4/${path}`,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-api-key': settings.key,
        'x-api-cat': settings.cat,
      },
      body: new URLSearchParams(form).toString(),
      timeoutMs: settings.timeoutMs(),
    });
    if (!reply.answered) return { outcome: 'unknown', note: reply.note };
    const value = shaped(schema, reply.json);
    if (reply.status === 200 && value) return { outcome: 'ok', value };
    const code = shaped(gameF.ErrorReply, reply.json)?.error_code;
    const canRefuse = reply.status === 200 || isRefusalStatus(reply.status);
    return canRefuse && code !== undefined && (REFUSALS.has(code) || !provesMoney)
      ? { outcome: 'rejected', code: CODES[code] ?? 'OTHER' }
      : { outcome: 'unknown', note: `status ${reply.status}, code ${code ?? 'none'}` };
  };
}

type TransferReply = PartnerResponse<{ data: { ref: string; amount: string } }>;

/** Reads the transfer of a response; another reference or amount proves nothing. */
function moved(
  response: TransferReply,
  reference: string,
  credits?: bigint,
): PartnerResponse<{ credits: bigint }> {
  if (response.outcome !== 'ok') return response;
  const reported = readCredits(response.value.data.amount);
  const fits =
    response.value.data.ref === reference &&
    reported !== null &&
    (credits === undefined || reported === credits);
  return fits
    ? { outcome: 'ok', value: { credits: reported } }
    : { outcome: 'unknown', note: 'answer about another transfer' };
}

/** A provider of style F: form-encoded calls, key headers, once-only transfers that can be queried. */
export function styleFProvider(settings: StyleFSettings): GameProvider {
  const request = requester(settings);
  return {
    capabilities: { creditDecimals: 2 },
    async createPlayer(player) {
      const response = await request('user/register', player, gameF.RegisterReply);
      return response.outcome === 'ok'
        ? { outcome: 'ok', value: { username: response.value.data.username, event: null } }
        : response;
    },
    async balance(username) {
      const response = await request('user/balance', { username }, gameF.BalanceReply);
      if (response.outcome !== 'ok') return response;
      const credits = readCredits(response.value.data.balance);
      const outstanding = readCredits(response.value.data.outstanding);
      const fits = credits !== null && outstanding !== null && credits >= 0n && outstanding >= 0n;
      return fits
        ? { outcome: 'ok', value: { credits, outstanding } }
        : { outcome: 'unknown', note: 'balance out of shape' };
    },
    async played(username, { from, to }) {
      const form = { username, start: from.toISOString(), end: to.toISOString() };
      const response = await request('report/summary', form, gameF.SummaryReply);
      if (response.outcome !== 'ok') return response;
      const turnover = readCredits(response.value.data.turnover);
      const result = readCredits(response.value.data.winloss);
      return turnover !== null && result !== null
        ? { outcome: 'ok', value: { turnover, result, until: null } }
        : { outcome: 'unknown', note: 'summary out of shape' };
    },
    async transfer({ username, credits, reference }) {
      const form = { username, amount: minorToDecimal(credits, 2), ref: reference };
      return moved(await request('user/transfer', form, gameF.TransferReply, MONEY), reference, credits);
    },
    checkTransfer: async (reference) =>
      moved(
        await request('user/transfer/status', { ref: reference }, gameF.TransferStatusReply, MONEY),
        reference,
      ),
    async changePassword(player) {
      const response = await request('user/password', player, gameF.PasswordReply);
      return response.outcome === 'ok' ? { outcome: 'ok', value: { event: null } } : response;
    },
    async agentCredit() {
      const response = await request('agent/balance', {}, gameF.AgentBalanceReply);
      if (response.outcome !== 'ok') return response;
      const credits = readCredits(response.value.data.balance);
      return credits === null
        ? { outcome: 'unknown', note: 'balance out of shape' }
        : { outcome: 'ok', value: credits };
    },
    async launch({ username, language, returnUrl }) {
      const response = await request('play/login', { username, lang: language, returnUrl }, gameF.PlayReply);
      return response.outcome === 'ok' ? { outcome: 'ok', value: response.value.data.url } : response;
    },
  };
}
