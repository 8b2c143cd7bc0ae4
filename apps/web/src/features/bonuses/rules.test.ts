import { describe, expect, test } from 'vitest';
import { isWon, missingOf } from '../../platform/member/bonus-run.ts';
import { cappedOf, cardState, shareOf, takenOf } from './rules.ts';

const at = (iso: string) => Date.parse(iso);
const card = (type: 'limit' | 'day' | 'week', maxReceived: number, ...received: string[]) => ({
  type,
  maxReceived,
  userBonus: received.length
    ? { _id: '1-1', isActive: false, received: received.map((updatedAt) => ({ updatedAt })) }
    : null,
});

describe('a card', () => {
  test('is open until it was received, current while its run is under way', () => {
    const now = at('2026-11-21T10:00:00Z');
    expect(cardState(card('limit', 1), now)).toBe('open');
    expect(cardState(card('limit', 1, '2026-01-01T00:00:00Z'), now)).toBe('used');
    expect(cardState(card('limit', 2, '2026-01-01T00:00:00Z'), now)).toBe('open');
    const run = { ...card('limit', 1), userBonus: { _id: '1-1', isActive: true, received: [] } };
    expect(cardState(run, now)).toBe('current');
  });

  test('of a day is open again after midnight in Bangkok', () => {
    const daily = card('day', 1, '2026-11-21T16:59:59Z');
    expect(cardState(daily, at('2026-11-21T16:59:59Z'))).toBe('used');
    expect(cardState(daily, at('2026-11-21T17:00:00Z'))).toBe('open');
  });

  test('of a week is open again on Monday in Bangkok', () => {
    // 2026-11-22 is a Sunday.
    const weekly = card('week', 2, '2026-11-16T00:00:00Z', '2026-11-21T00:00:00Z');
    expect(cardState(weekly, at('2026-11-22T16:59:59Z'))).toBe('used');
    expect(cardState(weekly, at('2026-11-22T17:00:00Z'))).toBe('open');
  });
});

describe('a run', () => {
  const figures = { balance: 100, target: 300, floor: 15, turnover: 20, turnoverNeeded: 50 };

  test('lacks balance and bets until both are there, or until it is lost', () => {
    expect(missingOf(figures)).toEqual({ balance: 200, turnover: 30, isOver: false });
    expect(missingOf({ ...figures, balance: 300 })).toMatchObject({ balance: 0, isOver: false });
    expect(missingOf({ ...figures, balance: 300, turnover: 50 }).isOver).toBe(true);
    expect(missingOf({ ...figures, balance: 15 }).isOver).toBe(true);
    expect(missingOf({ ...figures, balance: -3, floor: 0 }).isOver).toBe(true);
    expect(isWon({ ...figures, balance: 300, turnover: 50 })).toBe(true);
    expect([isWon(figures), isWon({ ...figures, balance: 15 })]).toEqual([false, false]);
  });

  test('that is won leaves at most the maximum of its terms, one that is lost leaves everything', () => {
    const won = { ...figures, balance: 450.5, turnover: 50 };
    expect(cappedOf({ ...won, withdrawMost: 400 })).toBe(50.5);
    expect(cappedOf({ ...won, withdrawMost: 500 })).toBe(0);
    expect(cappedOf({ ...won, withdrawMost: null })).toBe(0);
    expect(cappedOf({ ...figures, withdrawMost: 10 })).toBe(0);
    expect(cappedOf({ ...figures, balance: 15, withdrawMost: 10 })).toBe(0);
  });

  test('is drawn between nothing and all, and given up for what is above the deposit', () => {
    expect([shareOf(-5, 10), shareOf(5, 10), shareOf(15, 10), shareOf(0, 0)]).toEqual([0, 0.5, 1, 1]);
    expect(takenOf({ balance: 150.1, deposit: 100 })).toBe(50.1);
    expect(takenOf({ balance: 80, deposit: 100 })).toBe(0);
  });
});
