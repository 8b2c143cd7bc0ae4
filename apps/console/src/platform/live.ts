import type { DeskEvent } from '@krapao/contract/operator';
import { useEffect, useRef } from 'react';
import { queries } from './api.ts';

/** What is read again when a room changes. */
const READ_AGAIN: Record<DeskEvent['room'], string[]> = {
  withdrawals: ['withdrawals', 'withdrawal', 'today'],
  unmatched: ['unmatched', 'reports', 'doubts', 'today'],
  slips: ['slips', 'slip', 'today'],
  deposits: ['deposits', 'reports', 'today'],
  transfers: ['transfers', 'today'],
  approvals: ['approvals', 'withdrawals', 'withdrawal', 'unmatched', 'reports', 'transfers', 'today'],
  alerts: ['today'],
  claims: ['withdrawals', 'withdrawal', 'unmatched', 'reports', 'doubts', 'slips', 'slip'],
};
/** Many events in a moment are one reading. */
const GATHER_MS = 150;

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

/** Follows the server's events while the console is open; after each gap everything is read again. */
export function useLive(onNew: (room: DeskEvent['room']) => void): void {
  const latest = useRef(onNew);
  latest.current = onNew;
  useEffect(() => {
    const stream = new EventSource('/api/operator/live');
    const stale = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasOpen = false;
    const readAgain = (keys: readonly string[]) => {
      for (const key of keys) stale.add(key);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const key of stale) void queries.invalidateQueries({ queryKey: [key] });
        stale.clear();
      }, GATHER_MS);
    };
    stream.onopen = () => {
      if (wasOpen) readAgain(Object.values(READ_AGAIN).flat());
      wasOpen = true;
    };
    stream.onmessage = (message) => {
      const event = JSON.parse(message.data) as DeskEvent;
      readAgain(READ_AGAIN[event.room] ?? []);
      if (event.isNew) latest.current(event.room);
    };
    return () => {
      clearTimeout(timer);
      stream.close();
    };
  }, []);
}
