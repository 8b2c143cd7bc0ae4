/** Text messages: accepted for SMS credit, delivered to a phone, stored in its inbox. */

import { plan } from '../environment/agenda.ts';
import { nowMs } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import { strike } from '../environment/faults.ts';
import { happen } from '../environment/happenings.ts';
import { drawText } from '../environment/random.ts';
import type { Message } from '../environment/state.ts';
import { personForMessage } from '../people.ts';

const LATE_MS = 60_000;

/** Message parts as gateways bill them: 160 plain or 70 Unicode characters, a little less each when split. */
export function countParts(text: string): number {
  // GSM-7 covers more than ASCII; this gateway bills everything beyond ASCII as Unicode.
  const [whole, split] = /^[\n\r\x20-\x7e]*$/.test(text) ? [160, 153] : [70, 67];
  return text.length <= whole ? 1 : Math.ceil(text.length / split);
}

/** Takes a message against credit and sends it on its way; null when the credit is used up. Phone is canonical. */
export function sendMessage(
  environment: Environment,
  wanted: { sender: string; phone: string; text: string },
): Message | null {
  const parts = countParts(wanted.text);
  if (environment.state.smsCredit < parts) return null;
  environment.state.smsCredit -= parts;
  const message: Message = {
    id: `sms-${drawText(environment, 16)}`,
    ...wanted,
    parts,
    state: 'QUEUED',
    sentAtMs: nowMs(environment),
    arrivedAtMs: [],
  };
  environment.state.messages.set(message.id, message);
  personForMessage(environment, wanted.phone);
  changed(environment);
  runDeliver(environment, message.id);
  return message;
}

/** Sends a known message again, against credit; null when the credit is used up. */
export function resendMessage(environment: Environment, message: Message): Message | null {
  if (environment.state.smsCredit < message.parts) return null;
  environment.state.smsCredit -= message.parts;
  message.state = 'QUEUED';
  changed(environment);
  runDeliver(environment, message.id);
  return message;
}

/** Agenda, and at sending: brings a message to its phone unless a fault delays or loses it. */
export function runDeliver(environment: Environment, id: string): void {
  const late = id.startsWith('late:');
  const message = environment.state.messages.get(late ? id.slice(5) : id);
  if (!message) return;
  const { fault } = late ? {} : strike(environment, { party: 'sms', call: 'deliver', member: message.phone });
  if (fault?.kind === 'late') {
    plan(environment, 'deliver-sms', `late:${message.id}`, nowMs(environment) + (fault.ms ?? LATE_MS));
    return;
  }
  message.state = fault?.kind === 'refuse' ? 'FAILED' : 'DELIVERED';
  changed(environment);
  if (message.state === 'FAILED') return;
  for (let copy = 0; copy < (fault?.kind === 'duplicate' ? 2 : 1); copy++) arrive(environment, message);
}

function arrive(environment: Environment, message: Message): void {
  message.arrivedAtMs.push(nowMs(environment));
  const { id, sender, phone, text } = message;
  happen(environment, 'sms', { phone, facts: { id, sender, text, otp: otpIn(text) } });
}

/** The one-time code in a message: the first run of four to eight digits that is a separate number, or null. */
export const otpIn = (text: string): string | null => /(?<!\d)\d{4,8}(?!\d)/.exec(text)?.[0] ?? null;

/** What a phone shows: one entry an arrival, oldest first. Phone is canonical. */
export const inboxOf = (environment: Environment, phone: string): { message: Message; atMs: number }[] =>
  [...environment.state.messages.values()]
    .filter((message) => message.phone === phone)
    .flatMap((message) => message.arrivedAtMs.map((atMs) => ({ message, atMs })))
    .sort((left, right) => left.atMs - right.atMs);
