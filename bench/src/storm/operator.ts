import type { Site } from '../installation.ts';
import { createOperators, signIn } from '../siege/operators.ts';

/** An operator who decides waiting items over the operator API. */
export interface StormOperator {
  /** Decides everything that waits now; a row that changes meanwhile is left for the next time. */
  decideAll(): Promise<void>;
  /** Number of decisions by kind. */
  decided: Record<'approved' | 'rejected' | 'tied' | 'own', number>;
  /** Number of decisions about withdrawals that were refused, by code. */
  refused: ReadonlyMap<string, number>;
}

interface AmbiguousMatch {
  id: string;
  bankCode: string;
  bankReference: string;
  transactions: { id: string; bankCode: string; bankReference: string }[];
}

const REASON = { reason: 'storm' };

/** Signs an operator in at the first server; `secretKey` is the servers' SECRET. */
export async function startOperator(place: Site, secretKey: string): Promise<StormOperator> {
  const [operator] = await createOperators(place, secretKey, 1);
  const { reply, headers } = await signIn(place, operator!);
  if (!reply.ok) throw new Error(`operator sign-in: ${reply.status} ${await reply.text()}`);
  const decided = { approved: 0, rejected: 0, tied: 0, own: 0 };
  const refused = new Map<string, number>();

  async function list<T>(path: string, name: string): Promise<T[]> {
    const response = await fetch(`${place.consoleUrl}/api/operator/${path}`, { headers });
    if (!response.ok) throw new Error(`operator ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as Record<string, T[]>)[name]!;
  }

  /** Returns what was answered; null when a row has changed or the server cannot serve now. */
  async function decide<T>(path: string, body: object): Promise<T | null> {
    const response = await fetch(`${place.consoleUrl}/api/operator/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok && response.status !== 409 && response.status !== 503)
      throw new Error(`operator ${path}: ${response.status} ${await response.text()}`);
    return response.ok ? ((await response.json()) as T) : null;
  }

  /** The sandbox uses one reference per transfer everywhere, so equal references mean the same transfer. */
  async function decideAmbiguousMatch({
    id,
    bankCode,
    bankReference,
    transactions,
  }: AmbiguousMatch): Promise<void> {
    const transaction = transactions.find(
      (one) => one.bankCode === bankCode && one.bankReference === bankReference,
    );
    await decide(`doubts/${id}/claim`, {});
    const verdict = transaction ? { transaction: transaction.id, ...REASON } : REASON;
    if ((await decide(`doubts/${id}/decide`, verdict)) !== null) decided[transaction ? 'tied' : 'own']++;
  }

  async function decideWithdrawals(ids: string[], kind: 'approved' | 'rejected'): Promise<void> {
    if (ids.length === 0) return;
    const path = `withdrawals/${kind === 'approved' ? 'approve' : 'reject'}`;
    const done = await decide<{ results: { refusal: string | null }[] }>(path, { ids, ...REASON });
    for (const { refusal } of done?.results ?? [])
      if (refusal === null) decided[kind]++;
      else refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
  }

  return {
    decided,
    refused,
    async decideAll() {
      for (const match of await list<AmbiguousMatch>('doubts', 'ambiguousMatches'))
        await decideAmbiguousMatch(match);
      const waiting = await list<{ id: string }>('withdrawals?status=REVIEW', 'withdrawals');
      const approves = waiting.map(() => Math.random() < 0.5);
      const chosen = (which: boolean) =>
        waiting.filter((_, at) => approves[at] === which).map(({ id }) => id);
      await decideWithdrawals(chosen(true), 'approved');
      await decideWithdrawals(chosen(false), 'rejected');
    },
  };
}
