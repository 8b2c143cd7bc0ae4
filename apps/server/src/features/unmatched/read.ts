/** The interface of unmatched bank transactions and payment reports for other features. */

export { countWaiting as countUnmatched, payerBankSql } from './queries.ts';
export { countReports } from './report-queries.ts';
