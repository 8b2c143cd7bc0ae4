/** The interface of reports for other features. */
export { reportSource, requireDays, requireSpan } from './figures.ts';
