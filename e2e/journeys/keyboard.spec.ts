import { expect, type Locator, type Page } from '@playwright/test';
import { control } from '../env-calls.ts';
import { newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const t = (id: string, values?: Record<string, string>) => textOf('en', id, values);

/** Most stops of the Tab key on a screen. */
const STOPS = 60;

/** Moves the focus with the Tab key until it is on a control, as somebody without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let stop = 0; stop < STOPS; stop++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${control}`);
}

async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** A control as assistive technology receives it: "button Close". */
type Control = `${string} ${string}`;

/**
 * Reads the page's accessibility tree: what can be focused, by role and name in the order of the tree, and which of it has
 * the focus. Fails for a control without a name.
 */
async function controlsOf(page: Page): Promise<{ controls: Control[]; focused: Control | undefined }> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const has = (node: (typeof nodes)[number], property: string): boolean =>
    node.properties?.some(({ name, value }) => name === property && value.value === true) ?? false;
  const exposed = nodes
    .filter((node) => !node.ignored && has(node, 'focusable') && node.role?.value !== 'RootWebArea')
    .map((node) => ({
      control: `${node.role?.value} ${node.name?.value ?? ''}`.replace(/\s+/g, ' ') as Control,
      isNamed: Boolean(node.name?.value),
      isFocused: has(node, 'focused'),
    }));
  expect(exposed.filter(({ isNamed }) => !isNamed)).toEqual([]);
  return {
    controls: exposed.map(({ control }) => control),
    focused: exposed.find(({ isFocused }) => isFocused)?.control,
  };
}

/** What the page behind an open sheet offers; none of it may be exposed while the sheet is open. */
const BEHIND: Control[] = [
  `button ${t('auth.logout')}`,
  `button ${t('deposit.tile')}`,
  `button ${t('withdraw.tile')}`,
];

/** Expects these controls in the tree of an open sheet, and nothing of the page behind it. */
async function expectSheet(page: Page, wanted: readonly Control[]): Promise<Control | undefined> {
  const { controls, focused } = await controlsOf(page);
  for (const control of wanted) expect(controls).toContain(control);
  for (const control of BEHIND) expect(controls).not.toContain(control);
  return focused;
}

test('a deposit and a withdrawal are made by keyboard alone, by the names that a screen reader speaks', async ({
  browser,
}) => {
  const member = await newMember({ balance: 300 });
  const page = await visit(browser, { device: 'desktop', language: 'en' }, member);
  const sheet = page.getByRole('dialog');
  const button = (name: string | RegExp, place: Page | Locator = sheet) =>
    place.getByRole('button', { name });
  await page.goto('/user/home');

  const deposit = page.getByRole('button', { name: t('deposit.tile'), exact: true });
  await expect(deposit).toBeVisible();
  const { controls } = await controlsOf(page);
  for (const control of BEHIND) expect(controls).toContain(control);
  await press(page, deposit);
  await expect(sheet.getByRole('button').filter({ hasText: t('deposit.anyBankApp') })).toBeVisible();
  await expectSheet(page, [`button ${t('btn.close')}`]);
  await press(page, sheet.getByRole('button').filter({ hasText: t('deposit.anyBankApp') }));
  await press(page, sheet.getByRole('button', { name: '500', exact: true }));
  const made = page.waitForResponse(
    (reply) => reply.url().includes('/api/qrcode/KBANK') && reply.request().method() === 'POST',
  );
  const promptControls: Control[] = [
    `textbox ${t('money.amount')}`,
    `button ${t('qr.createFor', { amount: '500.00 baht' })}`,
    `button ${t('shell.back')}`,
    `button ${t('btn.close')}`,
  ];
  // The press leaves the focus where it was.
  expect(await expectSheet(page, promptControls)).toBe('button 500');
  await press(page, sheet.locator('button[type=submit]'));
  const { payload } = await (await made).json();
  await expect(page.getByRole('timer')).toBeVisible();
  await expect(sheet.getByRole('img', { name: t('qr.scan') })).toBeVisible();
  await expectSheet(page, [
    `button ${t('btn.savePicture')}`,
    `button ${t('qr.done')}`,
    `button ${t('qr.cancel')}`,
  ]);
  await control('pay-qr', { payload, phone: member.phone });
  await expect(sheet).toContainText(t('deposit.done'));
  await press(page, button(t('btn.close')));
  await expect(page.getByRole('region', { name: t('money.total') })).toContainText('800.00');

  await press(page, page.getByRole('button', { name: t('withdraw.tile'), exact: true }));
  await tabTo(page, sheet.getByRole('textbox', { name: t('withdraw.amount') }));
  await page.keyboard.type('200');
  const typed: Control = `textbox ${t('withdraw.amount')}`;
  const paid: Control = `button ${t('withdraw.now', { amount: '200.00 baht' })}`;
  expect(await expectSheet(page, [typed, paid, `button ${t('btn.close')}`])).toBe(typed);
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText(t('withdraw.waiting'));
  const { controls: ended } = await controlsOf(page);
  // The sheet behind the result is as unreachable as the page.
  expect(ended).toContain(`button ${t('btn.ok')}`);
  expect(ended).not.toContain(typed);
  for (const control of BEHIND) expect(ended).not.toContain(control);
  await press(page, button(t('btn.ok'), alert));
  await expect(page.getByRole('region', { name: t('money.total') })).toContainText('600.00');
  // The focus is back where the errand began.
  await expect.poll(async () => (await controlsOf(page)).focused).toBe(`button ${t('withdraw.tile')}`);
});
