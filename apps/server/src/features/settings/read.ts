/** What others may ask of settings. */
export { isSensible } from './describe.ts';
