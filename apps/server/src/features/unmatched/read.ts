/** What others may ask of bank transactions without an owner, and of what has to be found out of others. */

export { countWaiting as countUnmatched, payerBankSql } from './queries.ts';
export { countReports } from './report-queries.ts';
