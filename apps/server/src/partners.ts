import {
  bulkSms,
  easySlipChecker,
  gatewaySms,
  giftEnvelopes,
  type Mailer,
  paymentGateway,
  type SlipChecker,
  slipOkChecker,
  smtpMailer,
  styleABank,
  styleBFeed,
  styleFProvider,
  styleJProvider,
  webhookClient,
  webPush,
} from './outside/index.ts';
import type { Config } from './platform/config.ts';
import { addressList } from './platform/http/caller.ts';
import type { Settings } from './platform/settings.ts';

const PUSH_TIMEOUT_MS = 10_000;
const WEBHOOK_TIMEOUT_MS = 10_000;
const MAIL_TIMEOUT_MS = 20_000;

/** The slip checker. Null: every slip waits for an operator. */
function slipChecker(config: Config, timeoutMs: () => number): SlipChecker {
  if (!config.SLIP_URL) return { check: async () => ({ outcome: 'unknown', note: 'no slip checker' }) };
  const settings = { url: config.SLIP_URL, key: config.SLIP_KEY, branch: config.SLIP_BRANCH, timeoutMs };
  return config.SLIP_STYLE === 'easyslip' ? easySlipChecker(settings) : slipOkChecker(settings);
}

/** The Web Push client; null when push is off. Its clock is the one that push services check tokens against. */
export const pushSender = (config: Config, now: () => Date) =>
  config.PUSH_CONTACT
    ? webPush({
        hosts: config.PUSH_HOSTS.split(/\s+/).filter(Boolean),
        sandboxUrl: config.PUSH_URL,
        contact: config.PUSH_CONTACT,
        timeoutMs: PUSH_TIMEOUT_MS,
        now,
      })
    : null;

/** The client of the mail server; null without one. */
export const mailSender = (config: Config): Mailer | null =>
  config.SMTP_URL
    ? smtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM, timeoutMs: MAIL_TIMEOUT_MS })
    : null;

/** The client that sends webhooks to receivers that operators name. */
export const webhookSender = (config: Config) =>
  webhookClient({
    isAllowed: addressList('WEBHOOK_ADDRESSES', config.WEBHOOK_ADDRESSES).has,
    allowsHttp: config.WEBHOOK_HTTP === 'yes',
    timeoutMs: WEBHOOK_TIMEOUT_MS,
  });

/**
 * Creates the clients of all partners from configuration. Real partners and the sandbox differ only in address and
 * keys.
 */
export function partners(config: Config, settings: Pick<Settings, 'get'>) {
  const bankTimeoutMs = () => settings.get('bank.timeoutSeconds') * 1000;
  const bank = styleABank({
    bankCode: config.BANK_A_CODE,
    url: config.BANK_A_URL,
    applicationKey: config.BANK_A_KEY,
    applicationSecret: config.BANK_A_SECRET,
    webhookSecret: config.BANK_A_WEBHOOK_SECRET,
    billerId: config.BANK_A_BILLER_ID,
    timeoutMs: bankTimeoutMs,
  });
  const hooksUrl = config.HOOKS_URL || `http://127.0.0.1:${config.PORT}`;
  const gateways = (['WW', 'ZAPMAN'] as const)
    .filter((code) => config[`${code}_URL`])
    .map((code) =>
      paymentGateway({
        code,
        url: config[`${code}_URL`],
        key: config[`${code}_KEY`],
        callbackSecret: config[`${code}_CALLBACK_SECRET`],
        hooksUrl,
        timeoutMs: bankTimeoutMs,
      }),
    );
  const feed = config.BANK_B_URL
    ? styleBFeed({ url: config.BANK_B_URL, key: config.BANK_B_KEY, timeoutMs: bankTimeoutMs })
    : null;
  const gift = config.GIFT_URL
    ? giftEnvelopes({
        url: config.GIFT_URL,
        mobile: config.GIFT_MOBILE,
        name: config.GIFT_NAME,
        timeoutMs: bankTimeoutMs,
      })
    : null;
  const slips = slipChecker(config, bankTimeoutMs);
  const sms = (config.SMS_STYLE === 'bulk' ? bulkSms : gatewaySms)({
    url: config.SMS_URL,
    key: config.SMS_KEY,
    secret: config.SMS_SECRET,
    sender: config.SMS_SENDER,
    variant: config.variant,
    timeoutMs: 10_000,
  });
  const gameTimeoutMs = () => settings.get('game.timeoutSeconds') * 1000;
  const providerOf = (slot: { adapter: string; agent: string }) =>
    slot.adapter === 'style-j'
      ? styleJProvider({
          url: `${config.GAME_J_URL}/${encodeURIComponent(slot.agent)}`,
          secret: config.GAME_J_SECRET.replace('{agent}', slot.agent),
          timeoutMs: gameTimeoutMs,
        })
      : styleFProvider({
          url: `${config.GAME_F_URL}/${encodeURIComponent(slot.agent)}`,
          key: config.GAME_F_KEY.replace('{agent}', slot.agent),
          cat: config.GAME_F_CAT,
          timeoutMs: gameTimeoutMs,
        });
  return {
    payoutBank: bank,
    paymentInquiry: bank,
    feed,
    qrMakers: [bank, ...gateways],
    gift,
    slips,
    sms,
    providerOf,
  };
}
