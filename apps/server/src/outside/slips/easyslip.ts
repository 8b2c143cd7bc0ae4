import { MINUTE_MS } from '@krapao/contract/durations';
import { slip as shape } from '@krapao/contract/outside';
import type { SlipReason } from '@krapao/contract/shared';
import { decimalToMinor, parseSlipCode } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { callPartner, isRefusalStatus, shaped } from '../partner.ts';
import type { SlipChecker, SlipCheckerSettings, SlipFacts, SlipParty, SlipResponse } from './slip-checker.ts';

/** EasySlip's words as its public pages list them. */
const REASONS: Record<string, SlipReason> = {
  invalid_payload: 'UNSTABLE_REFERENCE',
  invalid_image: 'IMAGE_UNPROCESSABLE',
  image_size_too_large: 'IMAGE_UNPROCESSABLE',
  qrcode_not_found: 'CROPPED_IMAGE_UNREADABLE',
  slip_not_found: 'INVALID_SLIP',
  transaction_not_found: 'INVALID_SLIP',
  duplicate_slip: 'DUPLICATE_REFERENCE',
};
/** Our own fault, never the member's. */
const CONFIGURATION = [
  'unauthorized',
  'access_denied',
  'account_not_verified',
  'application_expired',
  'application_deactivated',
  'quota_exceeded',
];
const AWAY = ['server_error', 'api_server_error'];
const KNOWN_LATER = 'slip_pending';

type Party = Static<typeof shape.EasySlipReply>['data']['sender'];

/** A proxy (a phone or tax number) is no account number: compared with one it would match by chance. */
const partyOf = ({ bank, account }: Party): SlipParty => ({
  bank: bank.id ?? '',
  account: account.bank?.account ?? '',
  name: account.name.th ?? account.name.en ?? '',
});

function factsOf(data: Static<typeof shape.EasySlipReply>['data'], code: string): SlipFacts | null {
  const amountMinor = decimalToMinor(String(data.amount.amount), 2);
  const paidAt = new Date(data.date);
  if (!amountMinor || Number.isNaN(paidAt.getTime())) return null;
  const slip = parseSlipCode(code);
  const sender = partyOf(data.sender);
  return {
    sendingBank: typeof slip !== 'string' && slip.kind === 'bank' ? slip.sendingBank : sender.bank,
    transRef: data.transRef,
    amountMinor,
    paidAt,
    sender,
    receiver: partyOf(data.receiver),
    reference1: data.ref1 || null,
  };
}

function refusalOf(code: string): SlipResponse {
  if (code === KNOWN_LATER) return { outcome: 'later', afterMs: MINUTE_MS };
  if (CONFIGURATION.includes(code)) return { outcome: 'unknown', note: `refused our key or quota: ${code}` };
  if (AWAY.includes(code)) return { outcome: 'unknown', note: code };
  return { outcome: 'rejected', reason: REASONS[code] ?? 'UNKNOWN_ERROR' };
}

/** A checker in EasySlip's shape over HTTP. */
export function easySlipChecker({ url, key, timeoutMs }: SlipCheckerSettings): SlipChecker {
  return {
    async check(code) {
      const reply = await callPartner({
        url: `${url}/api/v1/verify?${new URLSearchParams({ payload: code })}`,
        method: 'GET',
        headers: { authorization: `Bearer ${key}` },
        timeoutMs: timeoutMs(),
      });
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      const body = reply.status === 200 ? shaped(shape.EasySlipReply, reply.json) : null;
      const facts = body && factsOf(body.data, code);
      if (facts) return { outcome: 'ok', value: facts };
      const reported = isRefusalStatus(reply.status) && shaped(shape.EasySlipError, reply.json);
      return reported ? refusalOf(reported.message) : { outcome: 'unknown', note: `status ${reply.status}` };
    },
  };
}
