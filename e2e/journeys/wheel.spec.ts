import { expect, type Page } from '@playwright/test';
import { call } from '../env-calls.ts';
import { checkSheet } from '../member.ts';
import { type Member, newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { type Language, textOf } from '../texts.ts';

const alert = (page: Page) => page.getByRole('alertdialog');
const sheet = (page: Page) => page.getByRole('dialog').last();
const request = async (member: Member, name: string) =>
  (await call(name, undefined, member.token, member.env)).result;

const openWheel = async (page: Page, language: Language) => {
  await page.goto('/user/home');
  await page.getByRole('button', { name: textOf(language, 'wheel.spin'), exact: true }).click();
};
const hub = (page: Page, language: Language) =>
  sheet(page).getByRole('button', { name: textOf(language, 'wheel.spin'), exact: true });

/** The slice under the pointer, by how far the wheel is drawn turned. */
async function underPointer(page: Page, count: number): Promise<number> {
  const turned = await page.getByRole('img').evaluate((face) => {
    const { a, b } = new DOMMatrix(getComputedStyle(face).transform);
    return (Math.atan2(b, a) * 180) / Math.PI;
  });
  return Math.round((((-turned % 360) + 360) % 360) / (360 / count)) % count;
}

test('a spin takes one coin however fast it is pressed, and stops on what the server drew', async ({
  browser,
}) => {
  const t = (id: string, values?: Record<string, string>) => textOf('th', id, values);
  const member = await newMember({ balance: 500 });
  const { activeSpinwheel } = await request(member, 'GET /api/spinwheel/setup');
  const codes = activeSpinwheel.slices.map((slice: { code: string }) => slice.code);
  const page = await visit(browser, { language: 'th', isMoving: true }, member);
  await openWheel(page, 'th');
  await expect(sheet(page)).toContainText(t('wheel.yourCoins', { count: '5' }));
  expect((await sheet(page).getByRole('img').boundingBox())!.width).toBeLessThanOrEqual(0.85 * 360);
  await checkSheet(page, 'wheel');
  const answered = page.waitForResponse('**/api/spinwheel/spin?*');
  await hub(page, 'th').dblclick();
  const { result } = await (await answered).json();
  expect(result.remainingCoin).toBe(4);
  await expect(sheet(page)).toContainText(t('wheel.yourCoins', { count: '4' }));
  await expect(alert(page)).toHaveCount(0);
  await expect(alert(page)).toBeVisible();
  expect(codes[await underPointer(page, codes.length)]).toBe(result.code);
  await expect(alert(page)).toContainText(result.prize?.name ?? result.label);
  await checkSheet(page, 'prize');
  await alert(page)
    .getByRole('button', { name: t('btn.ok') })
    .click();
  await expect(sheet(page)).toContainText(t('wheel.yourCoins', { count: '4' }));
  expect((await request(member, 'GET /api/spinwheel/setup')).userCoin).toBe(4);
});

test('coupons are redeemed once, not during a bonus, and a wheel without coins says how they are earned', async ({
  browser,
}) => {
  const t = (id: string, values?: Record<string, string>) => textOf('la', id, values);
  const member = await newMember({ balance: 1000 });
  for (let spins = 0; spins < 9; spins++)
    await call('POST /api/spinwheel/spin', undefined, member.token, member.env);
  const page = await visit(browser, { language: 'la' }, member);
  await openWheel(page, 'la');
  // With reduced motion the result is shown at once.
  await hub(page, 'la').click();
  await expect(alert(page)).toBeVisible();
  await alert(page)
    .getByRole('button', { name: t('btn.ok') })
    .click();
  const coupons = await request(member, 'GET /api/spinwheel/coupon');
  await expect(hub(page, 'la')).toBeDisabled();
  await expect(sheet(page)).toContainText(t('error.NOT_ENOUGH_COIN'));
  await checkSheet(page, 'no coins');
  const left = coupons.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  await sheet(page)
    .getByRole('button', { name: `${t('coupon.redeem')} ` })
    .first()
    .click();
  await checkSheet(page, 'redeem');
  await alert(page)
    .getByRole('button', { name: t('coupon.redeem') })
    .click();
  await expect(alert(page)).toContainText(/ແລ້ວ/);
  await alert(page)
    .getByRole('button', { name: t('btn.ok') })
    .click();
  const after = await request(member, 'GET /api/spinwheel/coupon');
  expect(after.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(left - 1);
  await call('GET /api/bonus/activate/NIGHT20', undefined, member.token, member.env).catch(() => undefined);
  const money = sheet(page).getByRole('button', { name: `${t('coupon.redeem')} ເງິນສົດ` });
  if ((await money.count()) > 0) {
    await expect(money.first()).toBeDisabled();
    await expect(sheet(page)).toContainText(t('bonus.thenClaim'));
  }
});
