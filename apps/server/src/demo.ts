import type { Variant } from '@krapao/contract/shared';
import { KIP, seedBonuses } from './demo-bonuses.ts';
import { type DemoWheelDeps, seedWheel } from './demo-wheel.ts';
import { findOperator, finishEnrolment, insertOperator, newEnrolment } from './features/operators/read.ts';
import { type RegistrationDeps, storeMember } from './features/registration/register.ts';
import type { Pool } from './platform/database/db.ts';
import { hashPassword } from './platform/passwords.ts';
import { refuseAny } from './platform/refuse-any.ts';

/** The static QR code of the sandbox's account in kip. */
const DEMO_LAO_QR =
  '00020101021138530016A00526628466257701082771041802030020310KRAPAO00015204000053034185802LA5913KRAPAO CO LTD6009VIENTIANE6304D5E4';

/** The member who can log in after the first start on a developer's machine; the sandbox has the same person. */
export const DEMO_MEMBER = { phone: '0815550142', password: 'krapao-demo' } as const;
/** A member whose bank account name is not in English, as the bank now requires. */
const DEMO_UNNAMED_PHONE = '0815550143';

/**
 * Demo operators: one per role, named after it, and a second administrator who approves requests of the first. `npm
 * run admin -- operator code` shows their codes.
 */
export const DEMO_OPERATORS = {
  password: 'krapao-demo-desk',
  roles: {
    'demo-support': 'support',
    'demo-finance': 'finance',
    'demo-finance-lead': 'finance-lead',
    'demo-marketing': 'marketing',
    'demo-risk': 'risk',
    'demo-admin': 'admin',
    'demo-admin-two': 'admin',
    'demo-auditor': 'auditor',
  },
} as const;

const SLOTS = [
  ['betflix', 'Naga Tales', 'slot', 1_000_000, 'naga'],
  ['areaslot', 'Lantern Night', 'slot', 10_000_000, 'lantern'],
  ['slotracha', 'Lotus Court', 'slot', 1_000_000, 'lotus'],
  ['circus', 'River Sail', 'slot', 5_000_000, 'sail'],
  ['pg', 'Golden Rice', 'slot', 1_000_000, 'rice', 'style-j'],
  ['pgslot', 'Silk Loom', 'slot', 2_000_000, 'loom', 'style-j'],
  ['joker2', 'Night Table', 'slot', 1_000_000, 'table', 'style-j'],
  ['imi', 'Kick-off', 'sport', 10_000_000, 'pitch'],
  ['usun', 'Half Court', 'sport', 1_000_000, 'court'],
  ['askmebet', 'Season Ticket', 'sport', 1_000_000, 'ticket', 'style-j'],
  ['huayhd', 'Drum Lotto', 'lotto', 1_000_000, 'drum'],
] as const;

/** Error codes of providers that do not know a member. */
const UNKNOWN_USER: Record<string, string> = { areaslot: 'NOT_AREASLOT', askmebet: 'NOT_UFABET' };

async function seedSlots(pool: Pool, variant: Variant): Promise<void> {
  for (const [index, [code, name, category, rateMicro, art, adapter = 'style-f']] of SLOTS.entries()) {
    await pool.query(
      `insert into slot (code, name, category, adapter, agent, launch_name, rate_micro, unknown_user_code, logo, background, position, rate_lak_micro)
       values ($1, $2, $3, $9, $1, $1, $4, $5, $6, $7, $8, $10) on conflict (code) do nothing`,
      [
        code,
        name,
        category,
        rateMicro,
        UNKNOWN_USER[code] ?? 'NO_USER',
        name
          .split(/[ -]/)
          .map((name) => name[0]!.toUpperCase())
          .join(''),
        `/art/${art}.svg`,
        index + 1,
        adapter,
        variant === 'la' ? rateMicro * KIP : null,
      ],
    );
  }
}

async function seedOperators(deps: RegistrationDeps): Promise<void> {
  const hash = await hashPassword(DEMO_OPERATORS.password, { lane: 'operator', address: null });
  for (const [name, role] of Object.entries(DEMO_OPERATORS.roles)) {
    await insertOperator(deps.pool, { name, role, now: deps.clock.now() }, newEnrolment(deps).stored);
    const operator = await findOperator(deps.pool, name);
    await finishEnrolment(deps.pool, operator!.id, hash);
  }
}

/**
 * Seeds an empty installation with games, a deposit account and one member, all matching the sandbox, and with
 * operators. Never called in production. A repeat adds nothing.
 */
export async function seedDemo(deps: RegistrationDeps & DemoWheelDeps): Promise<void> {
  const { pool, config } = deps;
  const filled = await pool.query('select 1 from slot limit 1');
  if (filled.rows.length > 0) return;
  await seedSlots(pool, config.variant);
  await pool.query(
    `insert into deposit_account (bank_code, bank_type, mode, account_name, account_no, currency, position)
     values ('KBANK', 'BANK', 'QR', 'บริษัท กระเป๋า จำกัด', '1112223334', 'BAHT', 1),
       ('WW', 'WW', 'QR', 'WW', '', 'BAHT', 2), ('ZAPMAN', 'ZAPMAN', 'QR', 'ZAPMAN', '', 'BAHT', 3),
       ('SCB', 'BANK', 'AUTO', 'บริษัท กระเป๋า จำกัด', '2223334445', 'BAHT', 4),
       ('KBANK', 'BANK', 'AUTO', 'บริษัท กระเป๋า จำกัด', '3334445556', 'BAHT', 5),
       ('GSB', 'BANK', 'AUTO', 'บริษัท กระเป๋า จำกัด', '020123456789', 'BAHT', 6),
       ('BCEL', 'BANK', 'AUTO', 'KRAPAO CO LTD', '010120008887', 'LAK', 7),
       ('TRUEMONEY', 'WALLET', 'AUTO', 'บริษัท กระเป๋า จำกัด', '0815550199', 'BAHT', 9) on conflict do nothing`,
  );
  await pool.query(
    `insert into deposit_account (bank_code, bank_type, mode, account_name, account_no, currency, position, static_qr)
     values ('BCEL', 'BANK', 'QR', 'KRAPAO CO LTD', '010120008887', 'LAK', 8, $1) on conflict do nothing`,
    [DEMO_LAO_QR],
  );
  const lao = config.variant === 'la';
  await storeMember(refuseAny, deps, {
    phone: lao ? DEMO_MEMBER.phone.replace(/^0/, '') : DEMO_MEMBER.phone,
    name: 'สมหญิง ใจดี',
    currency: 'BAHT',
    sourceCode: 'other',
    inviteCode: undefined,
    passwordHash: await hashPassword(DEMO_MEMBER.password, { lane: 'member', address: null }),
    bank: lao
      ? { bankCode: 'BCEL', bankAccountNo: '1234567890', bankAccountName: 'SOMYING JAIDEE' }
      : { bankCode: 'KBANK', bankAccountNo: '1234567890', bankAccountName: 'สมหญิง ใจดี' },
  });
  if (!lao)
    await storeMember(refuseAny, deps, {
      phone: DEMO_UNNAMED_PHONE,
      name: 'สมชาย ใจดี',
      currency: 'BAHT',
      sourceCode: 'other',
      inviteCode: undefined,
      passwordHash: await hashPassword(DEMO_MEMBER.password, { lane: 'member', address: null }),
      bank: { bankCode: 'BBL', bankAccountNo: '2345678901', bankAccountName: 'สมชาย ใจดี' },
    });
  await seedOperators(deps);
  await seedBonuses(pool, deps.clock.now());
  await seedWheel(deps);
}
