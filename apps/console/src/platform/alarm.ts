import type { ConsoleEvent, Permission } from '@krapao/contract/operator';
import type { Me } from './me.ts';

/** The permissions that something new in a page concerns: those that allow acting on it. */
const HANDLING_PERMISSIONS: Partial<Record<ConsoleEvent['pageName'], readonly Permission[]>> = {
  withdrawals: ['withdrawal.decide', 'withdrawal.pay'],
  unmatched: ['unmatched.settle'],
  reports: ['unmatched.settle'],
  slips: ['slip.decide'],
  transfers: ['transfer.settle'],
  approvals: ['approval.money', 'approval.access'],
  alerts: ['alert.close'],
  chats: ['chat.answer'],
};

export const mayHandle = (me: Me, pageName: ConsoleEvent['pageName']): boolean =>
  (HANDLING_PERMISSIONS[pageName] ?? []).some((permission) => me.permissions.includes(permission));

const RUNG_KEY = 'rung';
const REMEMBERED = 50;
/** How long a page that may not sound yet leaves the arrival to one that may. */
const AFTER_OTHERS_MS = 400;

/** Browsers allow sound after a user gesture. */
const maySound = (): boolean => navigator.userActivation?.hasBeenActive ?? true;

/** Whether this page is the one of its browser to tell of an arrival; true for one of them, once. */
export async function takeTurn(arrival: string): Promise<boolean> {
  if (!maySound()) await new Promise((resume) => setTimeout(resume, AFTER_OTHERS_MS));
  const take = (): boolean => {
    const rung: string[] = JSON.parse(localStorage.getItem(RUNG_KEY) ?? '[]');
    if (rung.includes(arrival)) return false;
    localStorage.setItem(RUNG_KEY, JSON.stringify([...rung, arrival].slice(-REMEMBERED)));
    return true;
  };
  // Without locks (pages that are not secure) two pages may now and then both ring.
  return navigator.locks ? navigator.locks.request(RUNG_KEY, take) : take();
}

/** Two soft notes, made here: nothing to load, nothing to be blocked. */
export function ring(): void {
  const audio = new AudioContext();
  for (const [at, pitch] of [
    [0, 660],
    [0.16, 880],
  ] as const) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, audio.currentTime + at);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + at);
    tone.stop(audio.currentTime + at + 0.32);
  }
  setTimeout(() => void audio.close(), 1_000);
}

/** How the operator of this browser is notified. */
export type Manner = 'sound' | 'notify';

/** Sound is on until switched off; notifications are off until switched on. */
export const isWanted = (manner: Manner): boolean =>
  manner === 'sound'
    ? localStorage.getItem('sound') !== 'off'
    : localStorage.getItem('notify') === 'on' && globalThis.Notification?.permission === 'granted';

export const setWanted = (manner: Manner, isOn: boolean): void =>
  localStorage.setItem(manner, isOn ? 'on' : 'off');
