import { config } from '../../platform/config.ts';

/** The address a member sends to friends; its code names them as the inviter. */
export function inviteLink(memberId: string): string {
  const host = config.siteHost || location.host;
  const origin = /^https?:\/\//.test(host) ? host.replace(/\/+$/, '') : `${location.protocol}//${host}`;
  return `${origin}/register?code=PR${memberId}`;
}
