import { median, percentile } from './bench-env.ts';

/** What was measured while members and operators were at work. */
export class Figures {
  private times = new Map<string, number[]>();
  statuses = new Map<string, number>();
  /** Responses to members: successes, refusals because of load, and other refusals. */
  responses = 0;
  overloaded = 0;
  wrong: string[] = [];
  acknowledged: string[] = [];
  memoryMb = 0;
  readiness: { good: number; bad: number } = { good: 0, bad: 0 };

  time(name: string, ms: number): void {
    const known = this.times.get(name);
    if (known) known.push(ms);
    else this.times.set(name, [ms]);
  }

  /** Returns what was measured since the last call, or the beginning, and begins anew. */
  take(): Figures {
    const taken = Object.assign(new Figures(), this);
    Object.assign(this, new Figures());
    return taken;
  }

  /** Returns the sum of several. */
  static together(several: readonly Figures[]): Figures {
    const sum = new Figures();
    for (const one of several) {
      for (const name of one.names()) for (const ms of one.all(name)) sum.time(name, ms);
      sum.responses += one.responses;
      sum.overloaded += one.overloaded;
      sum.wrong.push(...one.wrong);
      sum.acknowledged.push(...one.acknowledged);
      sum.memoryMb = Math.max(sum.memoryMb, one.memoryMb);
      sum.readiness.good += one.readiness.good;
      sum.readiness.bad += one.readiness.bad;
    }
    return sum;
  }

  all(name: string): readonly number[] {
    return this.times.get(name) ?? [];
  }

  names(): string[] {
    return [...this.times.keys()].sort();
  }

  p50(name: string): number {
    const times = this.times.get(name) ?? [];
    return times.length === 0 ? Number.NaN : median(times);
  }

  p99(name: string): number {
    const times = this.times.get(name) ?? [];
    return times.length === 0 ? Number.NaN : percentile(times, 0.99);
  }

  count(name: string): number {
    return this.times.get(name)?.length ?? 0;
  }

  max(name: string): number {
    return Math.max(...(this.times.get(name) ?? [Number.NaN]));
  }
}

const cell = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(0)).padStart(8);

/** Prints both phases side by side: count, median and 99th percentile of each call in ms. */
export function printBeside(calm: Figures, siege: Figures): void {
  console.log(`${''.padEnd(26)}${'alone'.padStart(26)}${'besieged'.padStart(28)}`);
  console.log(
    `${'ms'.padEnd(26)}${['n', 'p50', 'p99', 'n', 'p50', 'p99'].map((name) => name.padStart(9)).join('')}`,
  );
  for (const name of [...new Set([...calm.names(), ...siege.names()])].sort())
    console.log(
      name.padEnd(26) +
        [calm, siege]
          .map((one) => ` ${cell(one.count(name))} ${cell(one.p50(name))} ${cell(one.p99(name))}`)
          .join(''),
    );
}
