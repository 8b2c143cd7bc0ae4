import { stripVTControlCharacters } from 'node:util';

/** What came of a test run. `complaints` says what failed and why, once more where it is looked for: at the end. */
export type Sum = { passed: number; failed: number; skipped: number; complaints: string[] };

/** The sum of no tests. */
export const NOTHING: Sum = { passed: 0, failed: 0, skipped: 0, complaints: [] };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
};

/** Playwright's JSON report, of the parts that are read; files and `describe` blocks are suites within suites. */
type BrowserReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites?: BrowserSuite[];
};

type BrowserSuite = {
  file: string;
  suites?: BrowserSuite[];
  specs?: {
    title: string;
    ok: boolean;
    tests: { status?: string; results: { errors?: { message?: string; location?: { line: number } }[] }[] }[];
  }[];
};

/**
 * The tests of a suite that failed, and those that passed only when repeated, each with its errors and the lines they
 * arose at.
 */
function browserFailures({ file, suites = [], specs = [] }: BrowserSuite): string[] {
  const isFlaky = ({ status }: { status?: string }) => status === 'flaky';
  const failed = specs.filter(({ ok, tests }) => !ok || tests.some(isFlaky));
  return [
    ...failed.map(({ title, tests, ok }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors ?? []));
      const texts = errors.map(
        ({ message = '', location }) => `line ${location?.line ?? '?'}: ${stripVTControlCharacters(message)}`,
      );
      return [`${file}: ${title}${ok ? ' (passed when repeated)' : ''}`, ...texts].join('\n');
    }),
    ...suites.flatMap(browserFailures),
  ];
}

/** A run that ended badly without a failed test to show for it counts as one failure. */
function judged(sum: Sum, code: number, what: string): Sum {
  if (code === 0 || sum.failed > 0) return sum;
  return { ...sum, failed: 1, complaints: [...sum.complaints, `${what} ended with code ${code}.`] };
}

/** Counts Vitest's JSON report; a file that could not even be loaded counts as one failed test. */
export function vitestSum(report: unknown, code: number): Sum {
  if (!report) return judged(NOTHING, code || 1, 'Vitest left no report and');
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    report as VitestReport;
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failures = testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages = [] }) =>
        [`${file.name}: ${fullName}`, ...failureMessages].join('\n'),
      ),
  );
  const sum = {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
    complaints: [
      ...broken.map((file) => `${file.name} could not be run. ${file.message ?? ''}`.trimEnd()),
      ...failures,
    ],
  };
  return judged(sum, code, 'Vitest');
}

/**
 * Counts Playwright's JSON report; a test that passed only when repeated counts as passed.
 * @param floor `{ "minimum": n }`: with fewer tests run, or without a floor, one more failure is counted
 */
export function browserSum(report: unknown, code: number, floor: unknown): Sum {
  if (!report) return judged(NOTHING, code || 1, 'Playwright left no report and');
  const { stats, suites = [] } = report as BrowserReport;
  const { expected, unexpected, flaky, skipped } = stats;
  const complaints = suites.flatMap(browserFailures);
  const sum = { passed: expected + flaky, failed: unexpected, skipped, complaints };
  if (flaky > 0) sum.complaints.push(`${flaky} browser tests passed only when repeated.`);
  const minimum = (floor as { minimum?: unknown } | undefined)?.minimum;
  const ran = sum.passed + sum.failed;
  if (typeof minimum !== 'number' || ran < minimum) {
    sum.failed += 1;
    sum.complaints.push(
      `${ran} browser tests ran; e2e/floor.json requires ${minimum ?? 'a minimum it does not name'}.`,
    );
  }
  return judged(sum, code, 'Playwright');
}

/** Adds sums up. */
export function together(sums: Sum[]): Sum {
  return sums.reduce((all, sum) => ({
    passed: all.passed + sum.passed,
    failed: all.failed + sum.failed,
    skipped: all.skipped + sum.skipped,
    complaints: [...all.complaints, ...sum.complaints],
  }));
}

/**
 * Judges a run of selected tests: one that ran none is a failure. Tests that were left out by name are not counted as
 * skipped.
 */
export function selectedSum(sum: Sum): Sum {
  if (sum.passed + sum.failed > 0) return { ...sum, skipped: 0 };
  return {
    ...sum,
    failed: 1,
    skipped: 0,
    complaints: [...sum.complaints, 'No test has such a path or name.'],
  };
}
