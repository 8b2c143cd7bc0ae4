import { expect, test } from 'vitest';
import { cleanContent, cleanHtml } from './html.ts';

test.each([
  ['<p onclick="steal()">ก</p>', '<p>ก</p>'],
  ['<script>steal()</script><b>ຂ</b>', '<b>ຂ</b>'],
  ['<svg onload=steal()><b>x</b></svg>', '<b>x</b>'],
  ['<img src=x onerror=steal()>', ''],
  ['<a href="javascript:steal()">x</a>', '<a>x</a>'],
  ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
  ['<a href="https://line.me/x">x</a>', '<a href="https://line.me/x">x</a>'],
  ['<iframe src="https://x"></iframe>', ''],
])('%s is stored as %s', (markup, stored) => expect(cleanHtml(markup)).toBe(stored));

test('texts inside lists and objects are cleaned, other values stay', () => {
  expect(cleanContent({ a: ['<script>x</script>ก'], n: 1, t: true })).toEqual({ a: ['ก'], n: 1, t: true });
});
