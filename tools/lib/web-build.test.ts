import { expect, test } from 'vitest';
import { bakedSettings } from './web-build.ts';

const DEFAULTS = { VARIANT: 'th', SITE_HOST: '' };

test('a setting that is not set, one that is empty and its default build the same app', () => {
  const plain = { VARIANT: 'th', SITE_HOST: '' };
  for (const environment of [{}, { VARIANT: '', SITE_HOST: '' }, { VARIANT: 'th' }])
    expect(bakedSettings(DEFAULTS, environment)).toEqual(plain);
  expect(bakedSettings(DEFAULTS, { VARIANT: 'la', SITE_HOST: 'la.example', OTHER: 'x' })).toEqual({
    VARIANT: 'la',
    SITE_HOST: 'la.example',
  });
});
