import { expect, test } from 'vitest';
import { browserSum, NOTHING, selectedSum, together, vitestSum } from './test-sums.ts';

const good = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, testResults: [] };
const browser = (expected: number, unexpected = 0) => ({
  stats: { expected, unexpected, flaky: 0, skipped: 0 },
});

test('passed and failed are what the reports say', () => {
  expect(vitestSum(good, 0)).toMatchObject({ passed: 5, failed: 0, skipped: 1 });
  expect(browserSum(browser(3, 1), 1, { minimum: 4 })).toMatchObject({ passed: 3, failed: 1 });
});

test('a run that fell over without a report is a failure', () => {
  expect(vitestSum(undefined, 0).failed).toBe(1);
  expect(browserSum(undefined, 1, { minimum: 1 }).failed).toBe(1);
});

test('a bad exit code without a failed test is a failure', () => {
  expect(vitestSum(good, 1).failed).toBe(1);
});

test('a file that could not be loaded is a failure with its name', () => {
  const report = { ...good, testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }] };
  expect(vitestSum(report, 1)).toMatchObject({ failed: 1, complaints: ['a.test.ts could not be run.'] });
});

test('what failed is said once more at the end, with why', () => {
  const assertionResults = [
    { fullName: 'adds', status: 'passed' },
    { fullName: 'takes away', status: 'failed', failureMessages: ['expected 1 to be 2'] },
  ];
  const report = {
    ...good,
    numFailedTests: 1,
    testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }],
  };
  expect(vitestSum(report, 1).complaints).toEqual(['a.test.ts: takes away\nexpected 1 to be 2']);
});

test('what failed in the browser is said once more at the end, with why and where', () => {
  const failed = {
    title: 'pays',
    ok: false,
    tests: [
      { results: [{ errors: [{ message: '\u001b[31mnot visible\u001b[39m', location: { line: 7 } }] }] },
    ],
  };
  const passed = { title: 'opens', ok: true, tests: [{ results: [{ errors: [] }] }] };
  const group = { file: 'a.spec.ts', specs: [failed] };
  const report = { ...browser(1, 1), suites: [{ file: 'a.spec.ts', specs: [passed], suites: [group] }] };
  expect(browserSum(report, 1, { minimum: 2 }).complaints).toEqual(['a.spec.ts: pays\nline 7: not visible']);
});

test('what passed in the browser only when repeated counts as passed, and is named with its first error', () => {
  const results = [{ errors: [{ message: 'detached', location: { line: 9 } }] }, { errors: [] }];
  const flaky = { title: 'pays', ok: true, tests: [{ status: 'flaky', results }] };
  const stats = { expected: 1, unexpected: 0, flaky: 1, skipped: 0 };
  expect(
    browserSum({ stats, suites: [{ file: 'a.spec.ts', specs: [flaky] }] }, 0, { minimum: 2 }),
  ).toMatchObject({
    passed: 2,
    failed: 0,
    complaints: [
      'a.spec.ts: pays (passed when repeated)\nline 9: detached',
      '1 browser tests passed only when repeated.',
    ],
  });
});

test('fewer browser tests than the floor, or no floor at all, is a failure', () => {
  expect(browserSum(browser(3), 0, { minimum: 4 }).failed).toBe(1);
  expect(browserSum(browser(3), 0, undefined).failed).toBe(1);
  expect(browserSum(browser(4), 0, { minimum: 4 }).failed).toBe(0);
});

test('sums add up', () => {
  expect(together([vitestSum(good, 0), browserSum(browser(4), 0, { minimum: 4 })])).toMatchObject({
    passed: 9,
    failed: 0,
  });
});

test('a selection that ran nothing is a failure; what it left out is not counted as skipped', () => {
  expect(selectedSum({ ...NOTHING, skipped: 9 })).toMatchObject({ failed: 1, skipped: 0 });
  expect(selectedSum(vitestSum(good, 0))).toMatchObject({ passed: 5, failed: 0, skipped: 0 });
});
