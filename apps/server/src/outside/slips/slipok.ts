import { MINUTE_MS } from '@krapao/contract/durations';
import { slip as shape } from '@krapao/contract/outside';
import type { SlipReason } from '@krapao/contract/shared';
import { decimalToMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { callPartner, isRefusalStatus, shaped } from '../partner.ts';
import type { SlipChecker, SlipCheckerSettings, SlipFacts, SlipParty, SlipResponse } from './slip-checker.ts';

/**
 * SlipOK's numbers as its public pages list them. 1012 knows only that vendor's own uploads and stays a refusal: we query
 * without logging, so it is never about our own earlier query. 1099 is ours: a bank-page checker behind this shape.
 */
const REASONS: Record<number, SlipReason> = {
  1000: 'FILE_NOT_EXIST',
  1005: 'IMAGE_UNPROCESSABLE',
  1006: 'IMAGE_UNPROCESSABLE',
  1007: 'CROPPED_IMAGE_UNREADABLE',
  1008: 'INVALID_SLIP',
  1011: 'INVALID_SLIP',
  1012: 'DUPLICATE_REFERENCE',
  1014: 'INVALID_DESTINATION_ACCOUNT',
  1099: 'CAPTCHA_WRONG_3_TIMES',
};
/** Our own fault: wrong key, no quota, branch not found. Never the member's. */
const CONFIGURATION = [1001, 1002, 1003, 1004];
/** The bank does not answer the checker: that says nothing of the transfer, so it is no {@link KNOWN_LATER}. */
const BANK_AWAY = 1009;
const KNOWN_LATER = 1010;

type Party = Static<typeof shape.SlipOkReply>['data']['sender'];

/** A proxy (a phone or tax number) is no account number: compared with one it would match by chance. */
const partyOf = (party: Party, bank: string): SlipParty => ({
  bank,
  account: party.account?.value ?? '',
  name: party.displayName ?? party.name ?? '',
});

function factsOf(data: Static<typeof shape.SlipOkReply>['data']): SlipFacts | null {
  const amountMinor = decimalToMinor(String(data.amount), 2);
  const [, y, m, d] = /^(\d{4})(\d{2})(\d{2})$/.exec(data.transDate) ?? [];
  const paidAt = new Date(data.transTimestamp ?? `${y}-${m}-${d}T${data.transTime}+07:00`);
  if (!amountMinor || Number.isNaN(paidAt.getTime())) return null;
  return {
    sendingBank: data.sendingBank,
    transRef: data.transRef,
    amountMinor,
    paidAt,
    sender: partyOf(data.sender, data.sendingBank),
    receiver: partyOf(data.receiver, data.receivingBank),
    reference1: data.ref1 || null,
  };
}

function refusalOf({ code, data }: Static<typeof shape.SlipOkError>): SlipResponse {
  if (code === KNOWN_LATER) return { outcome: 'later', afterMs: (data?.delay ?? 1) * MINUTE_MS };
  if (code === BANK_AWAY) return { outcome: 'unknown', note: `the bank is away: ${code}` };
  if (CONFIGURATION.includes(code)) return { outcome: 'unknown', note: `refused our key or quota: ${code}` };
  return { outcome: 'rejected', reason: REASONS[code] ?? 'UNKNOWN_ERROR' };
}

/** A checker in SlipOK's shape over HTTP. */
export function slipOkChecker({ url, key, branch, timeoutMs }: SlipCheckerSettings): SlipChecker {
  return {
    async check(code) {
      const reply = await callPartner({
        url: `${url}/api/line/apikey/${encodeURIComponent(branch)}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-authorization': key },
        body: JSON.stringify({ data: code, log: false }),
        timeoutMs: timeoutMs(),
      });
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      const body = reply.status === 200 ? shaped(shape.SlipOkReply, reply.json) : null;
      const facts = body && factsOf(body.data);
      if (facts) return { outcome: 'ok', value: facts };
      const reported = isRefusalStatus(reply.status) && shaped(shape.SlipOkError, reply.json);
      return reported ? refusalOf(reported) : { outcome: 'unknown', note: `status ${reply.status}` };
    },
  };
}
