import type { Site } from '../installation.ts';
import { createOperators, signIn } from '../siege/operators.ts';

/** An operator who decides waiting items over the operator API. */
export interface StormOperator {
  /** Decides everything that waits now; a row that changes meanwhile is left for the next time. */
  decideAll(): Promise<void>;
  /** Number of decisions by kind. */
  decided: Record<'approved' | 'rejected' | 'tied' | 'own', number>;
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

  async function list<T>(path: string, name: string): Promise<T[]> {
    const response = await fetch(`${place.consoleUrl}/api/operator/${path}`, { headers });
    if (!response.ok) throw new Error(`operator ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as Record<string, T[]>)[name]!;
  }

  async function decide(path: string, body: object): Promise<boolean> {
    const response = await fetch(`${place.consoleUrl}/api/operator/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok && response.status !== 409 && response.status !== 503)
      throw new Error(`operator ${path}: ${response.status} ${await response.text()}`);
    return response.ok;
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
    if (await decide(`doubts/${id}/decide`, verdict)) decided[transaction ? 'tied' : 'own']++;
  }

  async function decideWithdrawal({ id }: { id: string }): Promise<void> {
    const approves = Math.random() < 0.5;
    await decide(`withdrawals/${id}/claim`, {});
    const body = { status: 'REVIEW', ...REASON };
    if (await decide(`withdrawals/${id}/${approves ? 'approve' : 'reject'}`, body))
      decided[approves ? 'approved' : 'rejected']++;
  }

  return {
    decided,
    async decideAll() {
      for (const match of await list<AmbiguousMatch>('doubts', 'ambiguousMatches'))
        await decideAmbiguousMatch(match);
      const waiting = await list<{ id: string }>('withdrawals?status=REVIEW', 'withdrawals');
      for (const withdrawal of waiting) await decideWithdrawal(withdrawal);
    },
  };
}
