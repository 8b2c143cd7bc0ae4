/** The interface of settings for other features. */
export { isSensible } from './describe.ts';
