/** The interface of reports for other features. */
export { reportSource } from './figures.ts';
