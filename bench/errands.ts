/**
 * How many taps ten errands of a member take, how many characters are typed, and how long the app takes, against the
 * product's bars for taps. The app must have been built.
 * Usage: npm run bench -- errands
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { judge } from './src/bench-env.ts';

/** Most taps an errand may take; the aim is the bar. */
const BARS: Record<string, number> = {
  register: 16,
  'first deposit': 4,
  'repeat deposit': 2,
  'open a game and play': 3,
  'bring money home': 3,
  withdraw: 3,
  'claim a bonus': 3,
  'finish a bonus': 2,
  'ask about a transfer': 4,
  'change language': 2,
};

/** What e2e/errands.ts prints about each. */
interface ErrandCost {
  errand: string;
  taps: number;
  typed: number;
  seconds: number;
  slowestMs: number;
}

const program = join(import.meta.dirname, '../e2e/errands.ts');
const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
const costs: ErrandCost[] = [];
for await (const line of createInterface({ input: child.stdout })) {
  const cost: ErrandCost = JSON.parse(line);
  costs.push(cost);
  console.log(
    `${cost.errand}: ${cost.taps} taps, ${cost.typed} characters, ${cost.seconds.toFixed(1)} s, ` +
      `slowest interaction ${cost.slowestMs} ms`,
  );
}
const isComplete = (await ended) === 0 && costs.length === Object.keys(BARS).length;
const holds = judge(
  costs.map(({ errand, taps }) => {
    const bar = BARS[errand] ?? 0;
    return { name: `${errand}, taps`, reached: taps, bar, aim: bar, lowerIsBetter: true };
  }),
);
process.exit(isComplete && holds ? 0 : 1);
