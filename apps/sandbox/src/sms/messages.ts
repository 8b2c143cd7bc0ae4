/** Text messages: accepted for credit, delivered to a phone, kept in its inbox. */

import { personForMessage } from '../people.ts';
import { plan } from '../world/agenda.ts';
import { nowMs } from '../world/clock.ts';
import { strike } from '../world/faults.ts';
import { happen } from '../world/happenings.ts';
import { drawText } from '../world/random.ts';
import type { Message } from '../world/state.ts';
import { changed, type World } from '../world/world.ts';

const LATE_MS = 60_000;

/** Message parts as gateways bill them: 160 plain or 70 Unicode characters, a little less each when split. */
export function countParts(text: string): number {
  // GSM-7 covers more than ASCII; this gateway bills everything beyond ASCII as Unicode.
  const [whole, split] = /^[\n\r\x20-\x7e]*$/.test(text) ? [160, 153] : [70, 67];
  return text.length <= whole ? 1 : Math.ceil(text.length / split);
}

/** Takes a message against credit and sends it on its way; null when the credit is used up. Phone is canonical. */
export function sendMessage(
  world: World,
  wanted: { sender: string; phone: string; text: string },
): Message | null {
  const parts = countParts(wanted.text);
  if (world.state.smsCredit < parts) return null;
  world.state.smsCredit -= parts;
  const message: Message = {
    id: `sms-${drawText(world, 16)}`,
    ...wanted,
    parts,
    state: 'QUEUED',
    sentAtMs: nowMs(world),
    arrivedAtMs: [],
  };
  world.state.messages.set(message.id, message);
  personForMessage(world, wanted.phone);
  changed(world);
  runDeliver(world, message.id);
  return message;
}

/** Sends a known message again, against credit; null when the credit is used up. */
export function resendMessage(world: World, message: Message): Message | null {
  if (world.state.smsCredit < message.parts) return null;
  world.state.smsCredit -= message.parts;
  message.state = 'QUEUED';
  changed(world);
  runDeliver(world, message.id);
  return message;
}

/** Agenda, and at sending: brings a message to its phone unless a fault delays or loses it. */
export function runDeliver(world: World, id: string): void {
  const late = id.startsWith('late:');
  const message = world.state.messages.get(late ? id.slice(5) : id);
  if (!message) return;
  const { fault } = late ? {} : strike(world, { party: 'sms', call: 'deliver', member: message.phone });
  if (fault?.kind === 'late') {
    plan(world, 'deliver-sms', `late:${message.id}`, nowMs(world) + (fault.ms ?? LATE_MS));
    return;
  }
  message.state = fault?.kind === 'refuse' ? 'FAILED' : 'DELIVERED';
  changed(world);
  if (message.state === 'FAILED') return;
  for (let copy = 0; copy < (fault?.kind === 'duplicate' ? 2 : 1); copy++) arrive(world, message);
}

function arrive(world: World, message: Message): void {
  message.arrivedAtMs.push(nowMs(world));
  const { id, sender, phone, text } = message;
  happen(world, 'sms', { phone, facts: { id, sender, text, otp: otpIn(text) } });
}

/** The one-time code in a message: the first run of four to eight digits that stands alone, or null. */
export const otpIn = (text: string): string | null => /(?<!\d)\d{4,8}(?!\d)/.exec(text)?.[0] ?? null;

/** What a phone shows: one entry an arrival, oldest first. Phone is canonical. */
export const inboxOf = (world: World, phone: string): { message: Message; atMs: number }[] =>
  [...world.state.messages.values()]
    .filter((message) => message.phone === phone)
    .flatMap((message) => message.arrivedAtMs.map((atMs) => ({ message, atMs })))
    .sort((left, right) => left.atMs - right.atMs);
