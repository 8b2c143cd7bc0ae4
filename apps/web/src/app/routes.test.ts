import { expect, test } from 'vitest';
import { placeOf } from './routes.ts';

test.each([
  ['/', false, { kind: 'redirect', to: '/user' }],
  ['/user', true, { kind: 'redirect', to: '/user/home' }],
  ['/user', false, { kind: 'redirect', to: '/login' }],
  ['/user/statement', false, { kind: 'redirect', to: '/login' }],
  ['/user/statement/', true, { kind: 'member', path: '/user/statement' }],
  ['/login', true, { kind: 'public', path: '/login' }],
  ['/terminated', true, { kind: 'terminated' }],
  ['/user/unknown', true, { kind: 'not-found' }],
  ['/nowhere', false, { kind: 'not-found' }],
])('%s (token: %s)', (address, hasToken, place) => {
  expect(placeOf(address as string, hasToken as boolean)).toEqual(place);
});
