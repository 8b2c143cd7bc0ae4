import { press } from '@krapao/ui/testing/form.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import { BannerLink } from './banner-link.tsx';

const app = await memberApp();
const OPEN = text('banner.open');

test.each([
  ['/user/bonus', '/user/bonus'],
  ['/user/bonus/', '/user/bonus'],
  // A public page would end the session.
  ['/contact', '/user/contact'],
])('a banner with the link %s leads to %s', (link, page) => {
  app.show(<BannerLink link={link} />);
  press(OPEN);
  expect(location.pathname).toBe(page);
});

test.each([
  '/howto',
  '/login',
  '/register',
  '/terminated',
  '/nowhere',
  '/',
  '//evil.example',
  'http://plain.example',
])('a banner with the link %s is shown without a way', (link) => {
  app.show(<BannerLink link={link} />);
  expect(screen.queryByText(OPEN)).toBeNull();
});

test('a banner with an https address opens it in a tab of its own', () => {
  app.show(<BannerLink link="https://news.example/" />);
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: OPEN });
  expect([link.href, link.target]).toEqual(['https://news.example/', '_blank']);
});
