import { median, percentile } from '../bench-env.ts';

/** What one phase of the siege has measured. */
export class Figures {
  private readonly times = new Map<string, number[]>();
  readonly statuses = new Map<string, number>();
  /** Responses to members: successes, refusals because of load, and other refusals. */
  responses = 0;
  overloaded = 0;
  readonly wrong: string[] = [];
  readonly acknowledged: string[] = [];
  memoryMb = 0;
  readonly readiness: { good: number; bad: number } = { good: 0, bad: 0 };

  time(name: string, ms: number): void {
    const known = this.times.get(name);
    if (known) known.push(ms);
    else this.times.set(name, [ms]);
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
