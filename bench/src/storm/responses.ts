import type { Site } from '../installation.ts';

/** Records responses to members, for totals and for the comparison with the books. */
export class Responses {
  /** Final responses by call and code. */
  private readonly counts = new Map<string, number>();
  /** Receipts by id, with the status they bore. */
  private readonly receipts = new Map<string, string>();
  private readonly withdrawals = new Set<string>();
  private unansweredWithdrawals = 0;
  /** Refusals that are neither 503 with Retry-After nor final. */
  readonly unclean = new Map<string, number>();
  readonly unavailable = new Map<string, number>();
  /** Answers that a proxy gave for a server that was killed or not ready. */
  private readonly byProxy = new Map<string, number>();
  /** The trouble that goes on, for the report. */
  during = 'calm';
  private readonly hasProxy: boolean;

  /** With a proxy before the servers, its own answers are counted apart. */
  constructor({ hasProxy }: { hasProxy: boolean }) {
    this.hasProxy = hasProxy;
  }

  private count(map: Map<string, number>, title: string): void {
    map.set(title, (map.get(title) ?? 0) + 1);
  }

  /** Records a final response. */
  final(name: string, reply: Response, response: Record<string, unknown>): void {
    const short = name.replace(/\/(betflix|areaslot|pg|askmebet|KBANK|WW|ZAPMAN)$/, '');
    this.count(this.counts, `${short} ${reply.ok ? 'ok' : (response.message ?? reply.status)}`);
    if (!reply.ok || typeof response.id !== 'string' || typeof response.status !== 'string') return;
    if (/withdraw(All)?$/.test(name)) this.withdrawals.add(response.id);
    if (/(withdraw|withdrawAll|transfer)$/.test(name)) this.receipts.set(response.id, response.status);
  }

  /** Records a temporary refusal; anything but 503 with Retry-After is a fault. */
  away(name: string, reply: Response, response: Record<string, unknown> | null): void {
    const isClean = reply.status === 503 && reply.headers.has('retry-after');
    // Every answer of the server has this header.
    if (this.hasProxy && !reply.headers.has('x-content-type-options'))
      this.count(this.byProxy, `${reply.status}, ${this.during}`);
    else if (isClean) this.count(this.unavailable, this.during);
    else this.count(this.unclean, `${this.during}: ${name} ${reply.status} ${response?.message}`);
  }

  /** Records a call without a response. */
  givenUp(name: string): void {
    this.count(this.counts, `${name} gave up`);
    this.count(this.unclean, `${this.during}: ${name} gave up`);
    if (/withdraw(All)?$/.test(name)) this.unansweredWithdrawals++;
  }

  print(): void {
    const total = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    console.log(`${total} answers`);
    for (const [title, count] of [...this.counts].sort())
      console.log(`  ${String(count).padStart(6)}  ${title}`);
    for (const [trouble, count] of this.unavailable)
      console.log(`  ${String(count).padStart(6)}  503 with Retry-After during: ${trouble}`);
    for (const [title, count] of this.byProxy)
      console.log(`  ${String(count).padStart(6)}  answered by the proxy with ${title}`);
  }

  /** Returns what was acknowledged and is not stored, and what was stored although it was refused. */
  async contradictions({ asOwner }: Pick<Site, 'asOwner'>): Promise<string[]> {
    const rows = await asOwner<{ id: string; status: string }>('select id, status from statement');
    const stored = new Map(rows.map(({ id, status }) => [id, status]));
    const wrong: string[] = [];
    for (const [id, expected] of this.receipts) {
      const now = stored.get(id);
      if (now === undefined || (expected !== 'PENDING' && now !== expected))
        wrong.push(`${id} was answered as ${expected} and is ${now ?? 'not there'}`);
    }
    const made = await asOwner<{ id: string }>('select id from withdrawal');
    const surplus = made.filter(({ id }) => !this.withdrawals.has(id));
    if (surplus.length > this.unansweredWithdrawals)
      wrong.push(`withdrawals without a response: ${surplus.map(({ id }) => id).join(', ')}`);
    return wrong;
  }
}
