import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Variant } from '@krapao/contract/shared';
import { createDurablySync } from './durable-file.ts';
import { isStrong, type SecretKind } from './known-secrets.ts';
import { senderDomain } from './mail-address.ts';
import { ALL_ROLES, type ProcessRoles, readRoles } from './process-roles.ts';

/** One environment setting: its purpose and its default. */
interface Setting {
  about: string;
  /** `{SANDBOX_PORT}` is replaced by that setting's value. */
  fallback: string;
  /** In production it must be set and strong; `false` for what only sounds like a secret. */
  secret?: SecretKind | false;
  /** A secret one can do without: only when it is set it must be strong. */
  isOptional?: true;
  /** A partner one can do without: in production none of its settings counts unless its address is set. */
  partOf?: string;
  /** In production there is no fallback: it must be set. */
  isOwn?: true;
}

/** Every environment setting of the server. docs/settings.md is written from this table. */
export const ENVIRONMENT = {
  NODE_ENV: {
    about:
      'production refuses weak secrets and never seeds accounts; test answers 500 to codes that a call does not declare',
    fallback: 'development',
  },
  ROLES: {
    about:
      'what this process does, separated by commas: api serves members, console serves operators, worker runs jobs; less than all needs DATABASE_URL',
    fallback: 'api,console,worker',
  },
  PORT: {
    about:
      'port of the member app and its API; of health and metrics alone in a process without the role api',
    fallback: '3000',
  },
  CALLS_MAX: {
    about:
      'most calls pending at once at a port of a process, of which a network has a third; further ones are answered 503 or 429 at once, health checks excepted',
    fallback: '3000',
  },
  DEMO: {
    about:
      'false: no accounts, games or deposit accounts for a trial are added at the first start; production never adds any',
    fallback: 'true',
  },
  HOST: { about: 'address to listen on', fallback: '127.0.0.1' },
  CONSOLE_PORT: {
    about: "port of the operators' console and its API, an origin of their own",
    fallback: '3001',
  },
  CONSOLE_HOST: {
    about:
      "the console's public address behind a proxy, such as https://console.example; as called when empty",
    fallback: '',
  },
  CONSOLE_ADDRESSES: {
    about: 'addresses or ranges operators may come from, separated by spaces; everywhere when empty',
    fallback: '',
  },
  BLOCKED_ADDRESSES: {
    about: 'addresses or ranges no member and no visitor may call from, separated by spaces',
    fallback: '',
  },
  CONSOLE_DIR: { about: 'absolute folder of the built console; the standard build when empty', fallback: '' },
  DEMO_DAYS: {
    about:
      'days of invented history that a first start outside production adds, with the sandbox beside it; 0 for none',
    fallback: '0',
  },
  SANDBOX_PORT: { about: 'port of the sandbox, which plays partners without an address', fallback: '3100' },
  DATA_DIR: { about: 'folder of the embedded database and of generated secrets', fallback: '.data' },
  DATABASE_URL: {
    about:
      'a PostgreSQL 15 or newer to use instead of the embedded one, as the owner of its tables and without a pooler between',
    fallback: '',
  },
  DATABASE_APP_URL: {
    about:
      "the same database as the application's login, needed with DATABASE_URL; may lead through PgBouncer",
    fallback: '',
  },
  DATABASE_READ_URL: {
    about:
      "a standby of DATABASE_URL, or a proxy before several, with the application's login and without a pooler; lists, figures and exports are read there once it has every commit",
    fallback: '',
  },
  DATABASE_STANDBY: {
    about:
      'required: the server is not ready while commits of the database wait for no synchronous standby; optional otherwise',
    fallback: 'optional',
  },
  WEB_DIR: { about: 'absolute folder of the built member app; the standard build when empty', fallback: '' },
  VARIANT: { about: 'th or la: language, phone rule and currencies', fallback: 'th' },
  API_BASE: {
    about:
      'origin of the backend, such as https://api.example, baked into the member app; the same origin when empty',
    fallback: '',
  },
  SITE_HOST: { about: 'host in invite links', fallback: '' },
  IFRAME: { about: 'origins that may frame the app, separated by spaces; none by default', fallback: '' },
  CORS_ORIGINS: { about: 'other origins whose pages may call the API, separated by spaces', fallback: '' },
  TRUSTED_PROXIES: {
    about: 'addresses or ranges of proxies whose X-Forwarded-For counts, separated by commas',
    fallback: '',
  },
  STOP_DELAY_SECONDS: {
    about:
      'how long a server of members or operators that is asked to stop goes on serving while /readyz answers 503, until no proxy sends it calls; 0 without a proxy before several servers',
    fallback: '0',
  },
  SECRET: {
    about: 'key material for encryption and hashes, 32 characters or more',
    fallback: '',
    secret: 'material',
  },
  SOCKETS_MAX: { about: 'live connections of one server at once', fallback: '10000' },
  SOCKETS_ADDRESS_MAX: {
    about: 'of these, from one address or IPv6 network; many phones of one carrier may share an address',
    fallback: '500',
  },
  UPLOAD_MEGABYTES_MAX: {
    about: 'memory of one server for files that are being uploaded; guests have at most half of it',
    fallback: '192',
  },
  REDIS_URL: {
    about:
      'address of a Redis or Valkey, such as redis://:password@host:6379, for live hints between servers and shared limits; the database does both when empty',
    fallback: '',
  },
  FILES_S3_URL: {
    about:
      'address of an S3-compatible server, such as https://s3.ap-southeast-1.amazonaws.com, to keep slips and chat files in a bucket; the folder DATA_DIR/files when empty',
    fallback: '',
    partOf: 'FILES_S3_URL',
  },
  FILES_S3_BUCKET: { about: 'name of that bucket', fallback: '', partOf: 'FILES_S3_URL', isOwn: true },
  FILES_S3_REGION: { about: 'region of that bucket', fallback: 'us-east-1', partOf: 'FILES_S3_URL' },
  FILES_S3_KEY: {
    about: 'access key at that server; it must be allowed to list, read, write and delete',
    fallback: '',
    partOf: 'FILES_S3_URL',
    secret: 'issued',
  },
  FILES_S3_SECRET: {
    about: 'secret of that access key',
    fallback: '',
    partOf: 'FILES_S3_URL',
    secret: 'issued',
  },
  LOG_LEVEL: { about: 'trace, debug, info, warn, error or silent', fallback: 'info' },
  SMTP_URL: {
    about:
      'mail server for scheduled reports, such as smtps://user:password@mail.example:465; none are sent when empty',
    fallback: '',
  },
  MAIL_FROM: {
    about:
      "sender of the server's mail, such as reports@example.com or Krapao <reports@example.com>; needed with SMTP_URL",
    fallback: '',
  },
  METRICS_KEY: {
    about: 'key that opens /metrics to other addresses than this machine',
    fallback: '',
    secret: 'shared',
    isOptional: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    about: 'address of an OpenTelemetry collector to send traces to',
    fallback: '',
  },
  CLOCK_URL: { about: "the sandbox's clock; only in test mode", fallback: '' },
  BANK_A_URL: {
    about: 'address of the bank of style A',
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/bank-a',
  },
  BANK_A_CODE: { about: 'code of that bank among the banks of this site', fallback: 'KBANK' },
  BANK_A_KEY: { about: 'application key at that bank', fallback: 'sandbox-app', secret: 'issued' },
  BANK_A_SECRET: { about: 'application secret at that bank', fallback: 'sandbox-secret', secret: 'shared' },
  BANK_A_WEBHOOK_SECRET: {
    about: 'secret its confirmations are signed with',
    fallback: 'sandbox-webhook-secret',
    secret: 'shared',
  },
  BANK_A_BILLER_ID: { about: 'our biller id at that bank', fallback: '010753600031501' },
  WW_URL: {
    about: 'address of the payment gateway WW; in production empty means that it is not offered',
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/gateways/ww',
    partOf: 'WW_URL',
  },
  WW_KEY: { about: 'key at that gateway', fallback: 'sandbox-ww', partOf: 'WW_URL', secret: 'issued' },
  WW_CALLBACK_SECRET: {
    about: 'secret its callbacks are signed with',
    fallback: 'sandbox-ww-callback',
    partOf: 'WW_URL',
    secret: 'shared',
  },
  ZAPMAN_URL: {
    about: 'address of the payment gateway ZAPMAN; in production empty means that it is not offered',
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/gateways/zapman',
    partOf: 'ZAPMAN_URL',
  },
  ZAPMAN_KEY: {
    about: 'key at that gateway',
    fallback: 'sandbox-zapman',
    partOf: 'ZAPMAN_URL',
    secret: 'issued',
  },
  ZAPMAN_CALLBACK_SECRET: {
    about: 'secret its callbacks are signed with',
    fallback: 'sandbox-zapman-callback',
    partOf: 'ZAPMAN_URL',
    secret: 'shared',
  },
  HOOKS_URL: {
    about:
      'address at which payment gateways reach this server, needed with them in production; this machine and PORT when empty',
    fallback: '',
  },
  BANK_B_URL: {
    about:
      'address of the account-watching service (style B); in production empty means that no account is watched',
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/bank-b',
    partOf: 'BANK_B_URL',
  },
  BANK_B_KEY: {
    about: 'key at that service',
    fallback: 'sandbox-bank-b',
    partOf: 'BANK_B_URL',
    secret: 'shared',
  },
  GIFT_URL: {
    about: 'address of the gift envelope service; in production empty means that gift links are not taken',
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/gift',
    partOf: 'GIFT_URL',
  },
  GIFT_MOBILE: {
    about: 'ten-digit number of the wallet that takes gifts',
    fallback: '0815550199',
    partOf: 'GIFT_URL',
    isOwn: true,
  },
  GIFT_NAME: { about: 'how the holder of that wallet is called', fallback: 'KRAPAO', partOf: 'GIFT_URL' },
  GIFT_PASSPHRASE: {
    about: 'what the member app hides gift links with; the same when it is built. It protects nothing',
    fallback: 'krapao-gift-link',
    secret: false,
  },
  SLIP_STYLE: { about: 'whose shape the slip checker speaks: slipok or easyslip', fallback: 'slipok' },
  SLIP_URL: {
    about: 'address of the slip checker; in production empty means that slips go to operators unchecked',
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/slip/slipok',
    partOf: 'SLIP_URL',
  },
  SLIP_KEY: {
    about: 'key at the slip checker',
    fallback: 'sandbox-slip',
    partOf: 'SLIP_URL',
    secret: 'shared',
  },
  SLIP_BRANCH: {
    about: "our branch at a checker of SlipOK's shape",
    fallback: 'sandbox',
    partOf: 'SLIP_URL',
  },
  SMS_STYLE: {
    about: 'whose shape the SMS gateway speaks: gateway (keys in headers) or bulk (ThaiBulkSMS)',
    fallback: 'gateway',
  },
  SMS_URL: { about: 'address of the SMS gateway', fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/sms' },
  SMS_KEY: { about: 'key at the SMS gateway', fallback: 'sandbox-sms', secret: 'issued' },
  SMS_SECRET: { about: 'secret at the SMS gateway', fallback: 'sandbox-sms-secret', secret: 'shared' },
  SMS_SENDER: { about: 'registered sender name', fallback: 'KRAPAO' },
  PUSH_CONTACT: {
    about:
      'mailto: or https: address at which push services reach the operators of the installation; in production empty means that nothing is brought to closed apps',
    fallback: 'mailto:push@krapao.example',
    partOf: 'PUSH_CONTACT',
  },
  PUSH_HOSTS: {
    about:
      "hosts of the push services that members' browsers may name, separated by spaces; *. matches any subdomain. No other host is ever called",
    fallback:
      'fcm.googleapis.com jmt17.google.com *.push.services.mozilla.com *.push.apple.com *.notify.windows.com',
    partOf: 'PUSH_CONTACT',
  },
  PUSH_URL: {
    about: "address below which the sandbox's push service takes messages; in production empty",
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/push',
    partOf: 'PUSH_URL',
  },
  WEBHOOK_ADDRESSES: {
    about:
      'addresses or ranges inside your own network that webhooks may be sent to, separated by spaces; only public addresses when empty',
    fallback: '',
  },
  WEBHOOK_HTTP: {
    about: 'yes: webhooks may go to http:// addresses too; refused in production',
    fallback: '',
  },
  GAME_F_URL: {
    about: 'address of the game providers of style F',
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/game-f',
  },
  GAME_F_KEY: {
    about: 'key at those providers; {agent} is replaced by the agent',
    fallback: 'sandbox-{agent}',
    secret: 'issued',
  },
  GAME_J_URL: {
    about: 'address of the game providers of style J',
    fallback: 'http://127.0.0.1:{SANDBOX_PORT}/outside/game-j',
    partOf: 'GAME_J_URL',
  },
  GAME_J_SECRET: {
    about: 'secret our calls to them are signed with; {agent} is replaced by the agent',
    fallback: 'sandbox-{agent}-secret',
    partOf: 'GAME_J_URL',
    secret: 'shared',
  },
  GAME_F_CAT: { about: 'second key at those providers', fallback: 'sandbox-cat', secret: 'shared' },
} as const satisfies Record<string, Setting>;

type Name = keyof typeof ENVIRONMENT;

export type Config = Readonly<Record<Name, string>> & {
  readonly variant: Variant;
  readonly production: boolean;
  readonly dataDir: string;
  readonly roles: ProcessRoles;
  /** Whether any partner's address is the sandbox's. */
  readonly sandbox: boolean;
};

/** Secrets of development live beside the data, so that encrypted rows stay readable after a restart. */
function developmentSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    createDurablySync(file, randomBytes(32).toString('base64url'));
  }
  return readFileSync(file, 'utf8').trim();
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

type Environment = Readonly<Record<string, string | undefined>>;

const SETTINGS: Record<Name, Setting> = ENVIRONMENT;
const NAMES = Object.keys(ENVIRONMENT) as Name[];
const SANDBOX_ADDRESS = 'http://127.0.0.1:{SANDBOX_PORT}/';

/** What a setting is without a value: addresses of partners lead to the sandbox, wherever that listens. */
const fallbackOf = (setting: Setting, environment: Environment): string =>
  setting.fallback.replace('{SANDBOX_PORT}', environment.SANDBOX_PORT || ENVIRONMENT.SANDBOX_PORT.fallback);

/** Throws one sentence when production lacks something of its own, or has a secret that is short or known. */
function refuseWeak(values: Record<Name, string>, environment: Environment): void {
  for (const name of NAMES) {
    const { partOf, isOwn, secret, isOptional } = SETTINGS[name];
    if (partOf && !environment[partOf]) continue;
    if (isOwn && !environment[name]) throw new Error(`${name} is missing.`);
    if (!secret || (isOptional && !values[name])) continue;
    if (!isStrong(secret, values[name]))
      throw new Error(`${name} is missing, short or known: production needs a secret of its own.`);
  }
  // Without it gateways would receive a wrong callback address, and every callback would be lost.
  if ((values.WW_URL || values.ZAPMAN_URL) && !values.HOOKS_URL) throw new Error('HOOKS_URL is missing.');
  if (values.SMTP_URL && !values.MAIL_FROM) throw new Error('MAIL_FROM is missing.');
  if (values.WEBHOOK_HTTP) throw new Error('WEBHOOK_HTTP is for tests: production sends webhooks by HTTPS.');
  if (values.CLOCK_URL) throw new Error('CLOCK_URL is for tests: production keeps its own time.');
}

/** Reads the environment. Throws one sentence in production when a secret is missing, short or known. */
export function readConfig(environment: Environment = process.env): Config {
  const production = environment.NODE_ENV === 'production';
  const isUnused = ({ partOf }: Setting) => production && partOf !== undefined && !environment[partOf];
  const entries = NAMES.map((name) => [
    name,
    isUnused(SETTINGS[name]) ? '' : environment[name] || fallbackOf(SETTINGS[name], environment),
  ]);
  const values = Object.fromEntries(entries) as Record<Name, string>;
  if (values.MAIL_FROM && senderDomain(values.MAIL_FROM) === null)
    throw new Error(
      'MAIL_FROM must be an address, such as reports@example.com or Krapao <reports@example.com>.',
    );
  if (values.API_BASE && !isOrigin(values.API_BASE))
    throw new Error('API_BASE must be an origin, such as https://api.example.');
  if (values.VARIANT !== 'th' && values.VARIANT !== 'la') throw new Error('VARIANT must be th or la.');
  if (!/^\d{1,3}$/.test(values.STOP_DELAY_SECONDS))
    throw new Error('STOP_DELAY_SECONDS must be a whole number below 1000.');
  if (!/^[1-9]\d*$/.test(values.CALLS_MAX)) throw new Error('CALLS_MAX must be a whole number above 0.');
  if (!['optional', 'required'].includes(values.DATABASE_STANDBY))
    throw new Error('DATABASE_STANDBY must be optional or required.');
  if (values.DATABASE_READ_URL && !values.DATABASE_URL)
    throw new Error('DATABASE_READ_URL needs DATABASE_URL, whose standby it leads to.');
  const roles = readRoles(values.ROLES);
  if (roles.size < ALL_ROLES.size && !values.DATABASE_URL)
    throw new Error(
      'ROLES names less than all: set DATABASE_URL, because the embedded database serves one process.',
    );
  if (production) refuseWeak(values, environment);
  const dataDir = resolve(values.DATA_DIR);
  if (!values.SECRET) values.SECRET = developmentSecret(dataDir);
  return {
    ...values,
    roles,
    variant: values.VARIANT,
    production,
    dataDir,
    sandbox: NAMES.filter((name) => SETTINGS[name].fallback.startsWith(SANDBOX_ADDRESS)).some((name) =>
      /^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(values[name]),
    ),
  };
}

/** The providers of games the server can speak to, each with the settings it needs. */
export const GAME_PROVIDERS = {
  'style-f': ['GAME_F_URL', 'GAME_F_KEY', 'GAME_F_CAT'],
  'style-j': ['GAME_J_URL', 'GAME_J_SECRET'],
} as const satisfies Record<string, readonly Name[]>;

/** Of these settings, those that are empty, or in production still lead to the sandbox. */
export const missingOf = (config: Config, names: readonly Name[]): Name[] =>
  names.filter((name) => {
    const { fallback } = SETTINGS[name];
    const sandbox = fallbackOf(SETTINGS[name], { SANDBOX_PORT: config.SANDBOX_PORT });
    return !config[name] || (config.production && fallback !== '' && config[name] === sandbox);
  });

/** What an administrator should know of a configuration that is allowed, one sentence each; none outside production. */
export function warningsOf(config: Config): string[] {
  if (!config.production) return [];
  return [
    ...(config.CONSOLE_ADDRESSES
      ? []
      : ['CONSOLE_ADDRESSES is empty: operators may sign in from every address.']),
    ...(config.sandbox ? ["A partner's address is on this machine, as the sandbox's is."] : []),
  ];
}
