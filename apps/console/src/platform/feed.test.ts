import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFeed } from './feed.ts';

/** A stream whose state the test decides. */
class Stream {
  static CLOSED = 2;
  static all: Stream[] = [];
  readyState = 0;
  onopen?: () => void;
  onerror?: () => void;
  constructor() {
    Stream.all.push(this);
  }
  close(): void {
    this.readyState = Stream.CLOSED;
  }
  /** As browsers report any status but 200. */
  refuse(): void {
    this.readyState = Stream.CLOSED;
    this.onerror?.();
  }
}

beforeEach(() => {
  Stream.all = [];
  vi.stubGlobal('EventSource', Stream);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a stream that the server refuses is requested again, later each time, and then what was missed is read', () => {
  const calls: string[] = [];
  const feed = openFeed('/live', {
    onEvent: () => undefined,
    onGap: () => calls.push('gap'),
    onRefused: () => calls.push('refused'),
  });
  Stream.all[0]!.refuse();
  expect([calls, Stream.all.length]).toEqual([['refused'], 1]);
  vi.advanceTimersByTime(1_500);
  expect(Stream.all).toHaveLength(2);
  Stream.all[1]!.refuse();
  vi.advanceTimersByTime(999);
  expect(Stream.all).toHaveLength(2);
  vi.advanceTimersByTime(2_001);
  expect(Stream.all).toHaveLength(3);
  Stream.all[2]!.onopen?.();
  expect(calls).toEqual(['refused', 'refused', 'gap']);
  feed.close();
});
