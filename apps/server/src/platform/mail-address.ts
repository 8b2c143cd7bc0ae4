import { domainToASCII } from 'node:url';

/** `name@domain`, alone or after a name that may be quoted: `A name <name@domain>`, `"Name, Ltd." <name@domain>`. */
const SENDER =
  /^(?:(?:"[^"\r\n]*"\s*|[^<>@,"\r\n]*)<)?[^\s<>@,"]+@([\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?)(>?)$/u;

/** Returns the domain of a sender in ASCII, with or without a name before the address; null when it is none. */
export function senderDomain(sender: string): string | null {
  const [, domain, bracket] = SENDER.exec(sender.trim()) ?? [];
  const hasBracket = sender.replace(/^\s*"[^"]*"/, '').includes('<');
  return domain !== undefined && hasBracket === (bracket === '>') ? domainToASCII(domain) || null : null;
}
