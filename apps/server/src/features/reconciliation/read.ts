/** The interface of reconciliation for other features. */
export { addDays, dayAt, spanOf } from './days.ts';
export { DIFFERENCE_KEYS, type DifferenceRow, listDifferences, type RunRow } from './run-queries.ts';
export { readRuns } from './runs.ts';
export { listSources } from './sources.ts';
export { keepStatement, readStatement } from './statement-file.ts';
export { auditOf, compareDay } from './statements.ts';
