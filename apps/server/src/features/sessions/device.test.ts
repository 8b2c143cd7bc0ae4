import { expect, test } from 'vitest';
import { deviceOf, isNewDevice, maskAddress } from './device.ts';

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    { browser: 'Safari', system: 'iPhone' },
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36 Line/15.1',
    { browser: 'LINE', system: 'Android' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    { browser: 'Edge', system: 'Windows' },
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/153.0', { browser: 'Chrome', system: 'Linux' }],
  ['node', { browser: null, system: null }],
  [null, { browser: null, system: null }],
])('%j is %j', (userAgent, device) => {
  expect(deviceOf(userAgent)).toEqual(device);
});

test.each([
  ['203.0.113.7', '203.0.x.x'],
  ['::ffff:203.0.113.7', '203.0.x.x'],
  ['2001:db8:1:2::7', '2001:db8:…'],
])('%s is shown as %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown);
});

test('a device is new by its browser and system, whatever their versions; the first of all is not', () => {
  const chrome = (version: number) => `Mozilla/5.0 (Linux; Android 15) Chrome/${version}.0 Mobile Safari/537`;
  expect(isNewDevice(chrome(1), [])).toBe(false);
  expect(isNewDevice(chrome(2), ['curl/8', chrome(1)])).toBe(false);
  expect(isNewDevice(chrome(2), [null, chrome(1).replace('Android', 'iPhone')])).toBe(true);
});
