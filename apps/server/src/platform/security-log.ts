import { type CallDeclaration, ERROR_CODES } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { createBoundedLog } from './bounded-log.ts';
import { createSecrets } from './secrets.ts';

/** Who a call says it is from: never logged itself, only its fingerprint. */
export interface Identity {
  kind: 'member' | 'operator';
  /** A member's phone, an operator's name. */
  name: string;
}

/** `login`: somebody tried to sign in, right or wrong. `denied`: 401 or 403. `limited`: 429. */
type Event = 'login' | 'denied' | 'limited';

/** Logs logins, denials and limits, one line each, and counts them by code. */
export interface SecurityLog {
  /** Names who a call is from, once that is known. */
  identify(request: FastifyRequest, identity: Identity): void;
  /** Keeps the code a call was refused with, and the private note on it. */
  refuse(request: FastifyRequest, code: string, note: string | null): void;
  /** Writes the line of a completed call, if it is one of these events. */
  answered(request: FastifyRequest, status: number): void;
  /** Adds the counters to a registry. */
  register(registry: Registry): void;
}

/** The declared calls that sign in. */
const LOGINS: ReadonlySet<string> = new Set(['/api/login', '/api/operator/login']);
const FINGERPRINT_CHARACTERS = 16;

function eventOf(request: FastifyRequest, status: number): Event | null {
  if (LOGINS.has(pathOf(request)) && status < 500) return 'login';
  if (status === 401 || status === 403) return 'denied';
  return status === 429 ? 'limited' : null;
}

/** Returns the declared path, which contains no parameters; an unknown path is not logged. */
const pathOf = (request: FastifyRequest): string =>
  (request.routeOptions.config as { call?: CallDeclaration } | undefined)?.call?.path ??
  request.routeOptions.url ??
  'unknown';

/** @param secret key of the hash that replaces identities, so that the log alone identifies no member */
export function createSecurityLog(secret: string): SecurityLog {
  const { fingerprint } = createSecrets(secret);
  const known = new WeakMap<FastifyRequest, Identity>();
  const refused = new WeakMap<FastifyRequest, { code: string; note: string | null }>();
  const events = new Counter({
    name: 'krapao_security_events_total',
    help: 'Logins, denials and limits by code.',
    labelNames: ['event', 'code'],
    registers: [],
  });
  const write = createBoundedLog('security');
  const codes: ReadonlySet<string> = new Set(['OK', ...ERROR_CODES]);

  return {
    identify: (request, identity) => void known.set(request, identity),
    refuse: (request, code, note) => void refused.set(request, { code, note }),
    answered(request, status) {
      const event = eventOf(request, status);
      if (!event) return;
      const { code, note } = refused.get(request) ?? { code: status < 400 ? 'OK' : 'UNKNOWN', note: null };
      events.inc({ event, code: codes.has(code) ? code : 'UNKNOWN' });
      const identity = known.get(request);
      const line = {
        event,
        code,
        call: `${request.method} ${pathOf(request)}`,
        address: request.ip,
        ...(identity && {
          kind: identity.kind,
          fingerprint: fingerprint(`log-${identity.kind}`, identity.name)
            .toString('base64url')
            .slice(0, FINGERPRINT_CHARACTERS),
        }),
        ...(note && { note }),
      };
      write(request.log, 'info', line, 'security');
    },
    register: (registry) => registry.registerMetric(events),
  };
}
