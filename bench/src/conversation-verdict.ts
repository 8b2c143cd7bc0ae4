/** What one side of all conversations misses or has too often. */
export interface Verdict {
  lost: number;
  doubled: number;
  disordered: number;
}

const numberOf = (id: string): number => Number(id.split(':')[2]);

/** Ids of the messages that one side of a conversation says, from one number to another. */
export const idsOf = (side: 'customer' | 'agent', at: number, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `${side}:${at}:${from + n}`);

/** Holds what one side sees of a conversation, in its order, against the `each` messages that were acknowledged to both sides. */
export function judgeSide(seen: readonly string[], at: number, each: number, verdict: Verdict): void {
  for (const side of ['customer', 'agent'] as const) {
    const there = seen.filter((id) => id.startsWith(`${side}:`));
    const once = new Set(there);
    verdict.lost += idsOf(side, at, 0, each).filter((id) => !once.has(id)).length;
    verdict.doubled += there.length - once.size;
    const order = [...once].map(numberOf);
    verdict.disordered += order.filter((number, index) => index > 0 && number < order[index - 1]!).length;
  }
}
