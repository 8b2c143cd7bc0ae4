/**
 * How many taps ten errands of a member take and how many keys and clicks seven errands of an operator, how many
 * characters are typed, and how long the product takes, against the product's bars for taps, keys and clicks. Both apps
 * must have been built.
 * Usage: npm run bench -- errands
 */
import { judge } from './src/bench-env.ts';
import { measureProgram } from './src/measure-program.ts';

/** Most taps an errand of a member may take; the aim is the bar. */
const MEMBER_BARS: Record<string, number> = {
  register: 16,
  'first deposit': 4,
  'repeat deposit': 2,
  'open a game and play': 3,
  'bring money home': 3,
  withdraw: 3,
  'claim a bonus': 3,
  'finish a bonus': 2,
  'show a transfer question': 4,
  'change language': 2,
};

/** Most keys and clicks an errand of an operator may take. */
const OPERATOR_BARS: Record<string, number> = {
  'decide ten withdrawals, two of them bad': 26,
  'credit the payment of MALEE S.': 7,
  'answer where the money is': 6,
  'put a game under maintenance': 7,
  'create a bonus': 15,
  'find why the day’s cash differs': 7,
  'add a game to an empty installation': 14,
};

/** What a program prints about each errand: taps of a member, keys and clicks of an operator. */
interface ErrandCost {
  errand: string;
  taps?: number;
  keys?: number;
  clicks?: number;
  typed: number;
  seconds: number;
  slowestMs?: number;
}

const steps = ({ taps = 0, keys = 0, clicks = 0 }: ErrandCost): number => taps + keys + clicks;

/** Runs a program of e2e/ and prints its errands; returns whether all of them are within their bars. */
async function walk(name: string, bars: Record<string, number>): Promise<boolean> {
  const costs = await measureProgram<ErrandCost>(name, [], (cost) => {
    const inputs = cost.taps === undefined ? `${cost.keys} keys, ${cost.clicks} clicks` : `${cost.taps} taps`;
    const slowest = cost.slowestMs === undefined ? '' : `, slowest interaction ${cost.slowestMs} ms`;
    console.log(
      `${cost.errand}: ${inputs}, ${cost.typed} characters, ${cost.seconds.toFixed(1)} s${slowest}`,
    );
  });
  const isComplete = costs.length === Object.keys(bars).length;
  const holds = judge(
    costs.map((cost) => {
      const bar = bars[cost.errand] ?? 0;
      return { name: cost.errand, reached: steps(cost), bar, aim: bar, lowerIsBetter: true };
    }),
  );
  return isComplete && holds;
}

const member = await walk('errands.ts', MEMBER_BARS);
const operator = await walk('operator-errands.ts', OPERATOR_BARS);
process.exit(member && operator ? 0 : 1);
