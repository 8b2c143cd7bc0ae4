import type { LedgerItem } from './index.ts';

/** An account at the start of the model. */
interface ModelAccount {
  code: string;
  kind: string;
  allow_negative: boolean;
  balance: bigint;
  version: bigint;
}

interface Hold {
  from: bigint;
  account: bigint;
  amount: bigint;
  open: boolean;
}

/** A reference implementation of the ledger: maps, one item after the other. */
export class Model {
  readonly balances = new Map<bigint, bigint>();
  private readonly versions = new Map<bigint, bigint>();
  private readonly assets = new Map<bigint, string>();
  private readonly systemAccounts = new Set<bigint>();
  private readonly holdAccounts = new Set<bigint>();
  private readonly seen = new Set<string>();
  private readonly answered = new Set<string>();
  private readonly holds = new Map<string, Hold>();

  add(account: bigint, at: ModelAccount): void {
    this.assets.set(account, at.code);
    if (at.allow_negative) this.systemAccounts.add(account);
    if (at.kind === 'hold') this.holdAccounts.add(account);
    this.balances.set(account, at.balance);
    this.versions.set(account, at.version);
  }

  private move(item: LedgerItem): 'posted' | 'insufficient' | 'impossible' {
    const after = new Map(this.balances);
    for (const { from, to, amountMinor } of item.legs) {
      const fits = this.assets.has(from) && this.assets.get(from) === this.assets.get(to) && from !== to;
      if (!fits || amountMinor <= 0n || !this.mayHold(item, from, to)) return 'impossible';
      if (after.get(from)! < amountMinor && !this.systemAccounts.has(from)) return 'insufficient';
      after.set(from, after.get(from)! - amountMinor);
      after.set(to, after.get(to)! + amountMinor);
    }
    if (item.hold && item.hold.op !== 'open' && !this.empties(item)) return 'impossible';
    for (const [account, balance] of after) this.balances.set(account, balance);
    for (const account of item.legs.flatMap(({ from, to }) => [from, to]))
      this.versions.set(account, this.versions.get(account)! + 1n);
    return 'posted';
  }

  /** Held money changes only by opening and closing a hold. */
  private mayHold(item: LedgerItem, from: bigint, to: bigint): boolean {
    if (this.holdAccounts.has(to) !== (item.hold?.op === 'open')) return false;
    if (!this.holdAccounts.has(from)) return true;
    return (
      item.hold !== undefined && item.hold.op !== 'open' && this.holds.get(item.hold.key)!.account === from
    );
  }

  private empties(item: LedgerItem): boolean {
    const hold = this.holds.get(item.hold!.key)!;
    const drained = item.legs.reduce(
      (sum, part) => sum + (part.from === hold.account ? part.amountMinor : 0n),
      0n,
    );
    const back = item.hold!.op === 'post' || item.legs[0]!.to === hold.from;
    return drained === hold.amount && back;
  }

  private noteHold(item: LedgerItem): void {
    const [first] = item.legs;
    if (item.hold?.op === 'open')
      this.holds.set(item.hold.key, {
        from: first!.from,
        account: first!.to,
        amount: first!.amountMinor,
        open: true,
      });
    else if (item.hold) this.holds.get(item.hold.key)!.open = false;
  }

  private decideNew(item: LedgerItem): string {
    if (item.refusal) return 'refused';
    if (item.hold && item.hold.op !== 'open') {
      const hold = this.holds.get(item.hold.key);
      if (!hold) return 'impossible';
      if (!hold.open) return 'hold-closed';
    } else if (item.hold && this.holds.has(item.hold.key)) return 'impossible';
    const state = this.move(item);
    if (state === 'posted') this.noteHold(item);
    return state;
  }

  /** The outcome, with balance and version of the watched account when it was posted. */
  decide(item: LedgerItem): { state: string; balance?: bigint; version?: bigint } {
    if (item.saved && this.answered.has(item.saved.key)) return { state: 'answered' };
    if (this.seen.has(item.reference)) return { state: 'repeated' };
    const state = this.decideNew(item);
    if (item.saved && (state === 'posted' || state === 'refused')) this.answered.add(item.saved.key);
    if (state !== 'posted') return { state };
    this.seen.add(item.reference);
    return { state, balance: this.balances.get(item.watch!)!, version: this.versions.get(item.watch!)! };
  }
}
