import { expect } from '@playwright/test';
import { checkConsole, openConsole, consoleText as t } from '../console.ts';
import { call, sharedEnv } from '../env-calls.ts';
import { newMember } from '../new-member.ts';
import { makeSlip, submitSlip } from '../slips.ts';
import { test } from '../test.ts';

test('B52: refused slips send a withdrawal to an operator, whose page lists what makes its score', async ({
  browser,
}) => {
  const member = await newMember({ balance: 1_000 });
  for (let slip = 0; slip < 3; slip++)
    await submitSlip(member, await makeSlip(member, { kind: 'wrong-receiver' }));
  const { id } = await call('POST /api/wallet/withdraw', { amount: 500 }, member.token, member.env);
  const { page } = await openConsole(browser, 'finance', sharedEnv(), `/withdrawals?status=ALL&open=${id}`);
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText(t('risk.SLIPS_REFUSED', { count: '3' }));
  await expect(panel).not.toContainText(t('risk.none'));
  await checkConsole(page, 'withdrawal-risk');
  await page.context().close();
});
