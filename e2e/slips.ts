/** Slips for journeys: pictures from the sandbox's bank app, and handing them in without a screen. */
import { setTimeout as sleep } from 'node:timers/promises';
import { control } from './env-calls.ts';
import type { Member } from './new-member.ts';

export interface Slip {
  transRef: string;
  picture: { name: string; mimeType: string; buffer: Buffer };
}

/** A slip as the sandbox's bank app draws it. */
export async function makeSlip(member: Member, intent: Record<string, unknown> = {}): Promise<Slip> {
  const body = { phone: member.phone, amount: '100.00', ...intent };
  const { transRef, image, type } = await control('slip', body, member.env);
  const name = `slip-20261121-1432.${type === 'image/jpeg' ? 'jpg' : 'png'}`;
  return { transRef, picture: { name, mimeType: type, buffer: Buffer.from(image, 'base64') } };
}

/**
 * Submits a slip without a screen; returns its id and status, and throws where it is refused. A server that has too
 * many pictures to read states when to retry: the call is repeated then.
 */
export async function submitSlip(member: Member, { picture }: Slip): Promise<{ id: string; status: string }> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(picture.buffer)]), picture.name);
  for (;;) {
    const reply = await fetch(`${member.env.url}/api/wallet/slip`, {
      method: 'POST',
      headers: { 'x-requested-with': 'wallet-user', authorization: `Bearer ${member.token}` },
      body: form,
    });
    if (reply.ok) return (await reply.json()) as { id: string; status: string };
    if (reply.status !== 503) throw new Error(`slip refused: ${reply.status} ${await reply.text()}`);
    await sleep(Number(reply.headers.get('retry-after')) * 1000);
  }
}
