/**
 * How heavy and how fast the member app is: weights of the first page, and Lighthouse's mobile medians of the login
 * page and of a member's home screen, seen before and for the first time, and the time until the login can be used on slow
 * 3G, against the product's bars. The app must have been built.
 * Usage: npm run bench -- web [runs [page …]], such as `npm run bench -- web 5 register howto contact`
 */
import { LANGUAGES } from '@krapao/contract/shared';
import { pageWeights } from '../apps/web/tools/check-weights.ts';
import { numberArgument } from './src/arguments.ts';
import { judge, median } from './src/bench-env.ts';
import { measureProgram } from './src/measure-program.ts';
import { type Audit, auditPage } from './src/web-audit.ts';
import { startMeasuredEnv } from './src/web-env.ts';

const runs = numberArgument(0, 5);
/** Public pages beside the login; named on the command line after the runs, they are measured too. */
const OTHER_PAGES = process.argv.slice(3);

const heaviest = (part: 'script' | 'style' | 'fonts'): number =>
  Math.max(...LANGUAGES.map((language) => pageWeights(language, 'login')[part])) / 1000;

function judgeWeights(): boolean {
  return judge([
    { name: 'login script, kB gz', reached: heaviest('script'), bar: 80, aim: 72, lowerIsBetter: true },
    { name: 'login style, kB gz', reached: heaviest('style'), bar: 6, aim: 5, lowerIsBetter: true },
    { name: 'login fonts, kB', reached: heaviest('fonts'), bar: 45, aim: 42, lowerIsBetter: true },
  ]);
}

async function audits(url: string, port: number, isKnown = false): Promise<Audit[]> {
  const all: Audit[] = [];
  for (let run = 1; run <= runs; run++) {
    const audit = await auditPage(url, port, isKnown);
    console.log(
      `${new URL(url).pathname} run ${run}: LCP ${audit.lcpSeconds.toFixed(2)} s, CLS ${audit.cls.toFixed(3)}, ` +
        `blocked ${audit.blockedMs.toFixed(0)} ms, marks ${Object.values(audit.marks).map(Math.round).join(' ')}`,
    );
    all.push(audit);
  }
  for (const line of new Set(all.flatMap(({ lost }) => lost))) console.log(`lost  ${line}`);
  return all;
}

/** Holds the medians against the bars; a page without one for its largest paint is held to the marks alone. */
function judgeAudits(name: string, all: Audit[], lcp?: { bar: number; aim: number }): boolean {
  const mid = (read: (audit: Audit) => number): number => median(all.map(read));
  const paint = { name: `${name} LCP, s`, reached: mid(({ lcpSeconds }) => lcpSeconds), lowerIsBetter: true };
  return judge([
    ...(lcp ? [{ ...paint, ...lcp }] : []),
    { name: `${name} CLS`, reached: mid(({ cls }) => cls), bar: 0.01, aim: 0, lowerIsBetter: true },
    { name: `${name} performance`, reached: mid(({ marks }) => marks.performance), bar: 97, aim: 100 },
    ...(['accessibility', 'best-practices', 'seo'] as const).map((mark) => ({
      name: `${name} ${mark}`,
      reached: mid(({ marks }) => marks[mark]),
      bar: 100,
      aim: 100,
    })),
  ]);
}

/** One public page in one language, as e2e/slow-line.ts prints it. */
interface SlowLine {
  page: string;
  language: string;
  /** Until the first text. */
  textMs: number;
  /** Until a form can be sent. */
  readyMs: number;
  /** Transferred by then. */
  kB: number;
}

async function judgeSlowLine(): Promise<boolean> {
  const lines = await measureProgram<SlowLine>('slow-line.ts', [String(runs)], (line) => {
    const [text, ready] = [line.textMs, line.readyMs].map((ms) => (ms / 1000).toFixed(2));
    console.log(`slow 3G ${line.page} ${line.language}: text ${text} s, ready ${ready} s, ${line.kB} kB`);
  });
  const login = lines.filter(({ page }) => page === '/login').map(({ readyMs }) => readyMs / 1000);
  const reached = Math.max(...login);
  return judge([{ name: 'login ready on slow 3G, s', reached, bar: 3.5, aim: 3.5, lowerIsBetter: true }]);
}

const env = await startMeasuredEnv();
const login = await audits(`${env.url}/login`, env.visitorPort);
const knownHome = await audits(`${env.url}/user/home`, env.memberPort, true);
const firstHome = await audits(`${env.url}/user/home`, env.memberPort);
const others: [string, Audit[]][] = [];
for (const page of OTHER_PAGES) others.push([page, await audits(`${env.url}/${page}`, env.visitorPort)]);
await env.close();
const verdicts = [
  await judgeSlowLine(),
  judgeWeights(),
  judgeAudits('login', login, { bar: 1.5, aim: 1.0 }),
  judgeAudits('home seen before', knownHome, { bar: 1.5, aim: 1.0 }),
  judgeAudits('home for the first time', firstHome, { bar: 2.6, aim: 2.2 }),
  ...others.map(([page, all]) => judgeAudits(page, all)),
];
process.exit(verdicts.every(Boolean) ? 0 : 1);
