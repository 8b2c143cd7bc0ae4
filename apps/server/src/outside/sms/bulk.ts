import { smsBulk } from '@krapao/contract/outside';
import { callPartner, shaped } from '../partner.ts';
import { certainRejection, type GatewaySettings, laoNumber, type Sms } from './sms.ts';

const COUNTRY_CODE_TH = '66';

/** A stored phone in the gateway's format: digits with the country code. */
const msisdnOf = (settings: GatewaySettings, phone: string): string =>
  laoNumber(settings, phone) ?? phone.replace(/\D/g, '').replace(/^0/, COUNTRY_CODE_TH);

/** A gateway of ThaiBulkSMS' shape. A number on its list of bad ones is a definite no, whatever the status. */
export function bulkSms(settings: GatewaySettings): Sms {
  const basic = Buffer.from(`${settings.key}:${settings.secret}`).toString('base64');
  return {
    async send({ to, text }) {
      const reply = await callPartner({
        url: `${settings.url}/sms`,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Basic ${basic}` },
        body: JSON.stringify({ msisdn: msisdnOf(settings, to), message: text, sender: settings.sender }),
        timeoutMs: settings.timeoutMs,
      });
      const rejection = certainRejection(reply);
      if (rejection) return { outcome: 'rejected', code: rejection };
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      const sent = reply.status < 300 ? shaped(smsBulk.SendReply, reply.json) : null;
      const message = sent?.phone_number_list[0];
      if (message) return { outcome: 'ok', value: message.message_id };
      if (sent?.bad_phone_number_list.length) return { outcome: 'rejected', code: 'BAD_NUMBER' };
      const failed = reply.status < 500 ? shaped(smsBulk.FailReply, reply.json) : null;
      return failed
        ? { outcome: 'rejected', code: failed.error.name }
        : { outcome: 'unknown', note: `status ${reply.status}` };
    },
  };
}
