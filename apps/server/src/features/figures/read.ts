/** What others may ask of reports. */
export { reportSource } from './figures.ts';
