import { press } from '@krapao/ui/testing/form.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { memberApp, text } from '../../testing/member-app.tsx';
import { HomeActions } from './home-actions.tsx';

const app = await memberApp();

function Actions() {
  return <HomeActions wallet={useKnownWallet()} onRefresh={() => undefined} />;
}

test('coupons are found at home while no wheel turns', async () => {
  app.reply('GET /api/spinwheel/active', { isActive: false, coupons: 2 });
  app.show(<Actions />);
  const tile = await screen.findByRole('button', { name: text('coupon.mine') });
  expect(tile.getAttribute('aria-description')?.replace(/\s+/g, ' ')).toBe(
    text('coupon.waiting', { count: 2 }),
  );
  press(text('coupon.mine'));
  expect(history.state).toMatchObject({ sheet: 'wheel' });
});

test('a member without coupons is not sent to them', async () => {
  app.show(<Actions />);
  expect(await screen.findByRole('button', { name: text('btn.refresh') })).toBeTruthy();
  expect(screen.queryByText(text('coupon.mine'))).toBeNull();
});
