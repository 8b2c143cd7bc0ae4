/** `name@domain`, alone or as `A name <name@domain>`. */
const SENDER = /^(?:[^<>@,\r\n]*<)?[^\s<>@,"]+@([a-z\d](?:[a-z\d.-]*[a-z\d])?)(>?)$/i;

/** Returns the domain of a sender, with or without a name before the address; null when it is none. */
export function senderDomain(sender: string): string | null {
  const [, domain, bracket] = SENDER.exec(sender.trim()) ?? [];
  return domain !== undefined && sender.includes('<') === (bracket === '>') ? domain : null;
}
