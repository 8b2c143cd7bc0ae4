import { sms } from '@krapao/contract/outside';
import type { Variant } from '@krapao/contract/shared';
import { callPartner, type PartnerResponse, shaped } from '../partner.ts';

const SERVICE_UNAVAILABLE = 503;

/** Sends plain text to a phone. */
export interface Sms {
  /** The gateway's id of the message; `rejected` when it will not send. */
  send(message: { to: string; text: string }): Promise<PartnerResponse<string>>;
  /** How many messages are left; absent where the gateway has no such call. */
  credit?(): Promise<PartnerResponse<number>>;
}

export interface GatewaySettings {
  url: string;
  key: string;
  secret: string;
  sender: string;
  /** The country of the stored phones. */
  variant: Variant;
  timeoutMs: number;
}

const COUNTRY_CODE_LA = '856';

/** A stored Lao phone with its country code, in digits; null for the Thai variant, whose phones begin with 0. */
export const laoNumber = ({ variant }: GatewaySettings, phone: string): string | null =>
  variant === 'la' ? `${COUNTRY_CODE_LA}${phone}` : null;

/**
 * Returns why the gateway certainly did not accept a message: no listener, or status 503. Null otherwise: after any
 * other missing answer the SMS may still be sent.
 */
export function certainRejection(reply: Awaited<ReturnType<typeof callPartner>>): string | null {
  if (reply.answered) return reply.status === SERVICE_UNAVAILABLE ? 'UNAVAILABLE' : null;
  const isAbsent = reply.note === 'ECONNREFUSED' || reply.note.startsWith(`status ${SERVICE_UNAVAILABLE}`);
  return isAbsent ? reply.note : null;
}

/** A gateway with key headers, in the shape common to Thai SMS services. Thai phones go out as they are stored. */
export function gatewaySms(settings: GatewaySettings): Sms {
  const keys = { api_key: settings.key, secret_key: settings.secret };
  return {
    async credit() {
      const reply = await callPartner({
        url: `${settings.url}/v1/credit`,
        method: 'GET',
        headers: keys,
        timeoutMs: settings.timeoutMs,
      });
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      const read = reply.status === 200 ? shaped(sms.CreditReply, reply.json) : null;
      if (read?.code === '000') return { outcome: 'ok', value: read.result.credit };
      const failed = reply.status < 500 ? shaped(sms.FailReply, reply.json) : null;
      return failed
        ? { outcome: 'rejected', code: failed.code }
        : { outcome: 'unknown', note: `status ${reply.status}` };
    },
    async send({ to, text }) {
      const reply = await callPartner({
        url: `${settings.url}/v1/messages`,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...keys },
        body: JSON.stringify({ sender: settings.sender, to: laoNumber(settings, to) ?? to, text }),
        timeoutMs: settings.timeoutMs,
      });
      const rejection = certainRejection(reply);
      if (rejection) return { outcome: 'rejected', code: rejection };
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      const sent = reply.status === 200 ? shaped(sms.SendReply, reply.json) : null;
      if (sent?.code === '000') return { outcome: 'ok', value: sent.result.id };
      const failed = reply.status < 500 ? shaped(sms.FailReply, reply.json) : null;
      return failed
        ? { outcome: 'rejected', code: failed.code }
        : { outcome: 'unknown', note: `status ${reply.status}` };
    },
  };
}
