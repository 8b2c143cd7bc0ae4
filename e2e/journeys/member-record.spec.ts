import { expect, type Page } from '@playwright/test';
import { checkConsole, DESKTOP, openConsole, consoleText as t } from '../console.ts';
import { call, inOwnEnv } from '../env-calls.ts';
import { type Member, newMember, playMoney } from '../new-member.ts';
import { test } from '../test.ts';

const SMALL = { width: 1280, height: 720 };
const LANGUAGES = ['th', 'la', 'en'] as const;

/** Looks at the page as it is, at both sizes of screens and in every language; ends in Thai. */
async function checkInAll(page: Page, name: string): Promise<void> {
  for (const size of [SMALL, DESKTOP])
    for (const language of [...LANGUAGES].toReversed()) {
      await page.setViewportSize(size);
      await page.evaluate((value) => localStorage.setItem('locale', value), language);
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('table').first()).toBeVisible();
      await checkConsole(page, `${name} ${language} ${size.width}`);
    }
}

test('a member’s timeline tells everything, and a colleague mentioned in a note finds it on their start page', async ({
  browser,
}) => {
  const member = await newMember({ balance: 4_500 });
  const { env, token } = member;
  await playMoney(member, 'betflix', 1_200);
  const message = { message_type: 'text', payload: { message: 'ถอนเงินไปเมื่อเช้า เข้าหรือยังคะ' } };
  await call('POST /api/chat/send-message', { message }, token, env);
  const { _id: id } = (await call('GET /api/account/profile', undefined, token, env)).profile;
  const { page: lead, name } = await openConsole(browser, 'finance-lead', env);
  const { page } = await openConsole(browser, 'finance', env, `/members/${id}`);

  const timeline = page.getByRole('table', { name: t('member.timeline') });
  await expect(timeline).toContainText(t('timeline.chat'));
  const note = page.getByRole('textbox', { name: t('member.newNote') });
  await note.pressSequentially(`ลูกค้าโทรมาถามยอดถอน @${name.slice(0, -1)}`);
  await page.getByRole('button', { name: `@${name}`, exact: true }).click();
  await expect(note).toHaveValue(`ลูกค้าโทรมาถามยอดถอน @${name} `);
  await note.pressSequentially('ช่วยดูให้หน่อยค่ะ');
  await page.getByRole('button', { name: t('member.addNote') }).click();
  await expect(timeline.getByRole('row').nth(1)).toContainText('ลูกค้าโทรมาถามยอดถอน');

  const mentions = lead.getByRole('region', { name: t('mentions.title') });
  await expect(mentions).toContainText('ช่วยดูให้หน่อยค่ะ');
  await checkConsole(lead, 'mentioned');
  await mentions.getByRole('link').click();
  await expect(lead.getByRole('heading', { level: 1 })).toBeVisible();
  await lead.getByRole('combobox', { name: t('member.tags') }).fill('โทรบ่อย');
  await lead.keyboard.press('Enter');
  await expect(lead.getByRole('table', { name: t('member.timeline') })).toContainText(
    t('action.member.tags'),
  );
  await checkInAll(lead, 'member timeline');
  const kinds = lead.getByRole('group', { name: t('timeline.kinds') });
  await kinds.getByText(t('timeline.notes')).click();
  await expect(lead.getByRole('table', { name: t('member.timeline') }).getByRole('row')).toHaveCount(2);
  await lead.goto('/');
  await expect(lead.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(mentions).toHaveCount(0);
});

test('the invite tree of a member is shown as a graph, with who shares a device, and leads to each of them', async ({
  browser,
}) => {
  await inOwnEnv({}, async (env) => {
    const idOf = async ({ token }: Member): Promise<string> =>
      (await call('GET /api/account/profile', undefined, token, env)).profile._id;
    const inviter = await newMember({ env });
    const inviteCode = `PR${await idOf(inviter)}`;
    const [one] = [await newMember({ env, inviteCode }), await newMember({ env, inviteCode })];
    const last = await newMember({ env, inviteCode: `PR${await idOf(one)}` });
    const [first, second] = [await idOf(one), await idOf(last)];
    const { page } = await openConsole(browser, 'risk', env, '/');
    // Sessions of this machine's own address have no network that a device could be shared on.
    await page.route('**/invite-tree', async (route) => {
      const response = await route.fetch();
      const shared = [
        { kind: 'device', first, second },
        { kind: 'account', first: await idOf(inviter), second: first },
      ];
      await route.fulfill({ response, json: { ...(await response.json()), shared } });
    });
    await page.goto(`/members/${first}?tab=tree`);
    const graph = page.getByRole('tabpanel').locator('svg:has(> title)');
    for (const member of [inviter, one, last]) await expect(graph).toContainText(await idOf(member));
    await expect(page.getByRole('table', { name: t('inviteTree.shared') })).toContainText(second);
    await checkInAll(page, 'invite tree');
    await graph.getByRole('link').filter({ hasText: second }).click();
    await expect(page).toHaveURL(new RegExp(`/members/${second}`));
  });
});

test('a list is filtered by several values, shown as chips, between minutes, with 50 rows a page', async ({
  browser,
}) => {
  const member = await newMember({ balance: 100 });
  const { page } = await openConsole(browser, 'finance', member.env, '/members');
  await page.getByRole('button', { name: t('col.state'), exact: true }).click();
  await page.getByRole('checkbox', { name: t('state.ACTIVE') }).check();
  await page.getByRole('button', { name: t('filter.leaveOutOf', { value: t('state.CLOSED') }) }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/status=ACTIVE%2C!CLOSED|status=ACTIVE%2C%21CLOSED/);
  const { _id: id } = (await call('GET /api/account/profile', undefined, member.token, member.env)).profile;
  const row = page.getByRole('row').filter({ hasText: String(id) });
  await expect(row).toBeVisible();
  const chip = (id: string, state: string) =>
    page.getByRole('button', {
      name: t('filter.remove', { filter: t(id, { name: t('col.state'), value: t(state) }) }),
    });
  await expect(chip('filter.isNot', 'state.CLOSED')).toBeVisible();
  await checkInAll(page, 'members chips');
  await chip('filter.is', 'state.ACTIVE').click();
  await expect(page).toHaveURL(/status=(!|%21)CLOSED/);

  await page.getByRole('textbox', { name: t('days.from') }).fill('01/01/2570 08:30');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/from=2027-01-01T08%3A30/);
  await expect(row).toHaveCount(0);
  await chip('filter.isNot', 'state.CLOSED').click();
  await page.getByRole('textbox', { name: t('days.from') }).fill('');
  await page.keyboard.press('Enter');
  // The footer moves with the number of rows: an element that moves between press and release is not clicked.
  await expect(row).toBeVisible();

  await page.getByRole('combobox', { name: t('table.pageSize') }).click();
  const read = page.waitForResponse((response) => response.url().includes('limit=50'));
  await page.getByRole('option', { name: t('table.rows', { count: '50' }) }).click();
  await read;
  const again = page.waitForResponse((response) => response.url().includes('/api/operator/members?limit=50'));
  await page.reload();
  await again;
});
