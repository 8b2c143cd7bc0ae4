import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Permission } from '@krapao/contract/operator';
import * as groups from '@krapao/contract/operator';
import type { CallDeclaration } from '@krapao/contract/shared';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { madeFilm, uploadFile } from '../features/content/testing-files.ts';
import { verifyLedger } from '../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../testing/operator.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { ROLES } from './testing-roles.ts';
import {
  walkBanners,
  walkBonuses,
  walkChannels,
  walkChats,
  walkContent,
  walkGames,
  walkKeys,
  walkReconciliation,
  walkRecord,
  walkRejections,
  walkRequests,
  walkRewards,
  walkRun,
  walkSchedules,
  walkSettings,
  walkToday,
  walkViews,
  walkWebhooks,
  walkWheels,
} from './testing-walks.ts';

const env = await startTestEnv({
  jobs: false,
  environment: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'reports@krapao.example' },
});
const helpers = operatorHelpers(env);

const isCall = (value: unknown): value is CallDeclaration =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
/** Every declared call of the console, by "group.name". */
const CALLS = Object.fromEntries(
  Object.entries(groups).flatMap(([group, calls]) =>
    Object.entries(calls).flatMap(([name, call]) =>
      isCall(call) ? [[`${group}.${name}`, call] as const] : [],
    ),
  ),
);
const pathOf = (call: CallDeclaration, params: Record<string, string> = {}): string =>
  call.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? '1'));
const hasBody = (call: CallDeclaration): boolean => call.method === 'POST' || call.method === 'PUT';

describe('who may do what', () => {
  test.each(Object.entries(ROLES))(
    '%s: every call answers allowed or 403 as documented',
    async (role, permissions) => {
      const operator = await helpers.operator(role);
      for (const [name, call] of Object.entries(CALLS)) {
        if (call.access !== 'operator' || name === 'account.logout') continue;
        const response = await helpers.call(
          operator,
          call.method,
          pathOf(call),
          hasBody(call) ? { wrong: true } : undefined,
        );
        const isRefused = response.status === 403 && response.body.message === 'UNAUTHORIZED';
        const isAllowed = [call.permission, call.alsoNeeds ?? null].every(
          (needed) => needed === null || permissions.includes(needed as Permission),
        );
        expect([name, isRefused]).toEqual([name, !isAllowed]);
      }
    },
  );

  test('without a session every operator call answers 401', async () => {
    for (const call of Object.values(CALLS)) {
      if (call.access !== 'operator') continue;
      const response = await helpers.call(null, call.method, pathOf(call), hasBody(call) ? {} : undefined);
      expect([call.path, response.status]).toEqual([call.path, 401]);
    }
    expect((await helpers.call(null, 'GET', '/api/operator/live')).status).toBe(401);
  });
});

describe('the document', () => {
  test('at /docs of the console lists exactly the declared calls, and none of the member’s', async () => {
    const { body } = await helpers.call(null, 'GET', '/docs');
    const listed = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(body.openapi).toBe('3.1.0');
    expect(listed.toSorted()).toEqual(
      Object.values(CALLS)
        .map((call) => `${call.method} ${call.path}`)
        .toSorted(),
    );
  });
});

/** Calls that look, and words that are their own record. */
const SILENT = [
  'account.readEnrolment',
  'bonuses.estimateBonus',
  'mentions.seeMention',
  'risk.tryRiskSettings',
  'wheel.simulateWheel',
  'chat.sendMessage',
  'chat.readChatUpTo',
  'chat.reportTyping',
];

test('the trail takes no change and no deletion by the application', async () => {
  await helpers.operator('finance');
  for (const statement of ['delete from audit', "update audit set reason = 'x'", 'truncate audit'])
    await expect(env.pool.query(statement), statement).rejects.toThrow('permission denied');
});

describe("an operator's whole day", () => {
  const walked = new Set<string>();

  /** Makes one call that must succeed, and checks the answer against its declaration. */
  async function walk(
    as: TestOperator | null,
    name: string,
    input: { params?: Record<string, string>; body?: object; query?: string } = {},
  ) {
    const call = CALLS[name]!;
    const before = await lastAudit();
    const response = await helpers.call(
      as,
      call.method,
      pathOf(call, input.params) + (input.query ?? ''),
      input.body ?? (hasBody(call) && call.body ? {} : undefined),
    );
    expect([name, response.status, response.body]).toEqual([name, 200, response.body]);
    if (call.files) expect(call.files).toContain(response.headers['content-type']);
    const faults = [...Value.Errors(call.reply, call.files ? response.text : response.body)].map((fault) =>
      JSON.stringify(fault),
    );
    expect([name, faults]).toEqual([name, []]);
    // Every change leaves a row, and so does taking a file away; looking leaves none.
    const onlyReads = (call.method === 'GET' && !call.files) || SILENT.includes(name);
    expect([name, (await lastAudit()) > before]).toEqual([name, !onlyReads]);
    walked.add(name);
    return response.body;
  }
  const lastAudit = async (): Promise<bigint> =>
    (await env.owner.query('select coalesce(max(id), 0) as id from audit')).rows[0].id;

  async function withdrawal(amount: number) {
    const member = await env.member({ amountMinor: BigInt(amount) * 100n });
    const response = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
    return { params: { id: response.body.id as string }, member };
  }
  /** A payment without a deposit, booked as unmatched. */
  async function strayTransaction(): Promise<string> {
    const { rows: before } = await env.owner.query(
      'select count(*)::int as transactions from bank_transaction',
    );
    const member = await env.member();
    const { body } = await env.call('POST', '/api/qrcode/KBANK', { amount: 150 }, { token: member.token });
    await env.call('DELETE', '/api/qrcode/KBANK', undefined, { token: member.token });
    await env.control('pay-qr', { payload: body.payload });
    const { rows } = await until(async () => {
      const transactions = await env.owner.query('select id from bank_transaction order by id desc');
      return transactions.rows.length > before[0].transactions && transactions;
    });
    return String(rows[0].id);
  }

  /** A slip that waits for an operator, with what the bank said of it. */
  async function waitingSlip(transRef: string) {
    const member = await env.member();
    const payer = env.app.deps.secrets.encrypt('payer', JSON.stringify({ account: 'x-1234', name: 'ทดสอบ' }));
    await env.owner.query(
      `insert into slip (id, member_id, reference, image_hash, file, code, sending_bank, trans_ref, status, bank_code, account_no, currency, amount, payer_mask, payer_sealed, paid_at, created_at, updated_at)
       values ($1, $2, $1, 'x', 'none', 'code', '004', $1, 'REVIEW', 'KBANK', '1112223334', 'BAHT', 12300, 'xxx-x-x1234-x', $3, now(), now(), now())`,
      [transRef, member.id, payer],
    );
    return { params: { id: transRef } };
  }

  /** A gift taken whose answer was lost. */
  async function lostGift() {
    const member = await env.member();
    const { code, link } = await env.control('vouchers', { amount: 50, phone: '0815550142' });
    await env.fault({ party: 'gift', call: 'redeem', kind: 'cut-after', reference: code, count: 1 });
    const { body } = await env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
    return { params: { id: body.id as string } };
  }

  test('touches every declared call; each answer has the declared shape and each change its audit row', async () => {
    const [maker, checker, admin, second, risk, marketing] = await Promise.all(
      ['finance-lead', 'finance-lead', 'admin', 'admin', 'risk', 'marketing'].map((role) =>
        helpers.operator(role),
      ),
    );
    const approve = (by: TestOperator, approval: string) =>
      walk(by, 'overview.approve', { params: { id: approval }, body: {} });

    const { token, approval } = await walk(admin!, 'operators.createOperator', {
      body: { name: 'walker', role: 'finance', reason: 'joins us' },
    });
    await approve(second!, approval);
    await walk(null, 'account.readEnrolment', { body: { token } });
    await walk(null, 'account.enrol', {
      body: { token, password: 'a long enough password', code: await helpers.code('walker') },
    });
    await env.owner.query("update operator set totp_step = 0 where name = 'walker'");
    const sign = { name: 'walker', password: 'a long enough password' };
    await walk(null, 'account.login', { body: { ...sign, code: await helpers.code('walker') } });
    const walker = { params: { name: 'walker' } };
    for (const name of [
      'operators.listOperators',
      'operators.listRoles',
      'account.readMe',
      'account.listMySessions',
    ])
      await walk(admin!, name);
    const role = await walk(admin!, 'operators.setOperatorRole', {
      ...walker,
      body: { role: 'auditor', reason: 'moves on' },
    });
    await approve(second!, role.approval);
    const set = await walk(admin!, 'operators.setRole', {
      params: { code: 'night' },
      body: { permissions: ['today.read'], reason: 'night shift' },
    });
    await walk(second!, 'overview.refuse', { params: { id: set.approval }, body: { note: 'not now' } });
    const again = await walk(admin!, 'operators.setRole', {
      params: { code: 'night' },
      body: { permissions: ['today.read'], reason: 'night shift' },
    });
    await walk(admin!, 'overview.withdraw', { params: { id: again.approval } });
    const limits = await walk(admin!, 'operators.setOperatorLimits', {
      ...walker,
      body: { limits: [{ kind: 'pay', currency: 'BAHT', action: 10, day: null }], reason: 'new here' },
    });
    await approve(second!, limits.approval);
    await env.owner.query("insert into operator_role values ('spare', '{}', now())");
    const spare = { params: { code: 'spare' }, body: { reason: 'no member does it' } };
    await walk(admin!, 'operators.removeRole', spare);
    await walk(admin!, 'operators.setOperatorStatus', {
      ...walker,
      body: { status: 'SUSPENDED', reason: 'on leave' },
    });
    await walk(admin!, 'operators.endOperatorSessions', { ...walker, body: { reason: 'on leave' } });
    const reset = await walk(admin!, 'operators.resetOperator', {
      ...walker,
      body: { reason: 'phone lost' },
    });
    await approve(second!, reset.approval);

    const small = await withdrawal(3000);
    for (const name of ['takeWithdrawal', 'releaseWithdrawal', 'takeWithdrawal', 'readWithdrawal'])
      await walk(maker!, `withdrawals.${name}`, { params: small.params });
    await walk(maker!, 'withdrawals.approveWithdrawal', { params: small.params, body: { status: 'REVIEW' } });
    await env.control('settings', { payoutMode: 'manual' });
    await env.app.runJob('withdrawals.pay');
    await walk(maker!, 'withdrawals.retryWithdrawal', {
      params: small.params,
      body: { status: 'PROCESSING' },
    });
    const hand = await withdrawal(2500);
    await walk(maker!, 'withdrawals.takeWithdrawal', { params: hand.params });
    await walk(maker!, 'withdrawals.payWithdrawalManually', {
      params: hand.params,
      body: { status: 'REVIEW', proof: 'paper slip 7', bankCode: 'SCB' },
    });
    const sentBack = await walk(maker!, 'withdrawals.returnWithdrawal', {
      params: hand.params,
      body: { proof: 'SCB 9', reason: 'the account is closed' },
    });
    await approve(checker!, sentBack.approval);
    const many = await withdrawal(2500);
    await walk(maker!, 'withdrawals.approveWithdrawals', { body: { ids: [many.params.id] } });
    await walkRejections(walk, env, maker!, async () => (await withdrawal(2500)).params.id);
    const large = [(await withdrawal(24_000)).params.id, (await withdrawal(25_000)).params.id];
    await walkRequests(walk, [maker!, checker!], large);
    await walk(maker!, 'withdrawals.listBanks');
    await walk(maker!, 'withdrawals.listWithdrawals', {
      query: '?status=OPEN&sort=-amount&assigned=nobody&amountMin=1&amountMax=9999999',
    });

    const member = await env.member({ amountMinor: 50_000n });
    const transaction = { params: { id: await strayTransaction() } };
    for (const name of ['takeUnmatched', 'releaseUnmatched', 'takeUnmatched'])
      await walk(maker!, `money.${name}`, transaction);
    await walk(maker!, 'money.listBookings', { ...transaction, query: `?member=${member.id}` });
    await walk(maker!, 'money.assignUnmatched', {
      ...transaction,
      body: { member: String(member.id), reason: 'the slip shows it' },
    });
    const back = { params: { id: await strayTransaction() } };
    await walk(maker!, 'money.takeUnmatched', back);
    const returned = await walk(maker!, 'money.returnUnmatched', {
      ...back,
      body: { proof: 'KBANK 123', reason: 'wrong account' },
    });
    await approve(checker!, returned.approval);
    await walk(maker!, 'money.listUnmatched', { query: '?state=RETURNED' });
    await walk(maker!, 'money.listCandidates', { query: '?q=somchai' });
    const slip = await waitingSlip('SL1');
    for (const name of ['takeSlip', 'releaseSlip', 'takeSlip', 'readSlip'])
      await walk(maker!, `slips.${name}`, slip);
    const credited = await walk(maker!, 'slips.acceptSlip', {
      ...slip,
      body: { reason: 'the bank says so' },
    });
    expect(credited.state).toBe('SUCCESS');
    expect((await helpers.audit('slip:SL1')).at(-1)).toMatchObject({
      actor: `operator:${maker!.name}`,
      role: 'finance-lead',
      action: 'slip.success',
      address: '127.0.0.1',
    });
    const bad = await waitingSlip('SL2');
    await walk(maker!, 'slips.takeSlip', bad);
    await walk(maker!, 'slips.checkSlip', { ...bad, body: { reason: 'once more' } });
    await env.owner.query("update slip set status = 'REVIEW' where id = 'SL2'");
    await walk(maker!, 'slips.takeSlip', bad);
    await walk(maker!, 'slips.refuseSlip', { ...bad, body: { code: 'INVALID_SLIP', reason: 'edited' } });
    await walk(maker!, 'slips.listSlips', { query: '?status=FAILED' });
    const { deposits } = await walk(maker!, 'money.listDeposits', { query: '?channel=MANUAL' });
    const wrong = await walk(maker!, 'money.reverseDeposit', {
      params: { id: deposits[0].id },
      body: { reason: 'credited to the wrong one' },
    });
    await approve(checker!, wrong.approval);

    await env.call('GET', '/api/wallet/activate/betflix', undefined, { token: member.token });
    await walk(maker!, 'members.syncGame', { params: { id: String(member.id), game: 'betflix' } });
    await walkRun(walk, maker!, env);
    await env.fault({ party: 'game-f', kind: 'outage' });
    const moved = await env.call(
      'POST',
      '/api/wallet/transfer',
      { from: 'wallet', to: 'betflix', amount: 100 },
      { token: member.token },
    );
    const transfer = { params: { id: moved.body.id as string } };
    await env.control('faults', { clear: true });
    await walk(maker!, 'money.checkTransfer', transfer);
    const settled = await walk(maker!, 'money.settleTransfer', {
      ...transfer,
      body: { outcome: 'FAILED', evidence: 'their ledger has it not' },
    });
    await approve(checker!, settled.approval);
    await walk(maker!, 'money.listTransfers', { query: '?state=FAILED' });

    const gift = await lostGift();
    await walk(maker!, 'money.checkGift', gift);
    await walk(maker!, 'money.listGifts');
    const received = await walk(maker!, 'money.settleGift', {
      ...gift,
      body: { received: 50, evidence: 'our wallet shows it' },
    });
    await approve(checker!, received.approval);

    const one = { params: { id: String(member.id) } };
    for (const name of ['readMember', 'readLifetime', 'listMemberStatement', 'listMemberPostings'])
      await walk(risk!, `members.${name}`, one);
    await walk(risk!, 'members.listMembers', { query: `?q=${member.accountNo}` });
    await walk(risk!, 'members.revealMember', { ...one, body: {} });
    await walkRecord(env, walk, risk!, member.id);
    await walk(risk!, 'members.endMemberSessions', { ...one, body: { reason: 'requested' } });
    await walk(risk!, 'members.setMemberStatus', {
      ...one,
      body: { status: 'SUSPENDED', seen: 'ACTIVE', reason: 'requested' },
    });
    await env.set('deposit.manual', true);
    for (const end of ['creditReport', 'refuseReport']) {
      const reporter = await env.member();
      const { body } = await env.call('POST', '/api/wallet/add', { amount: 150 }, { token: reporter.token });
      const report = { params: { id: body.id as string } };
      for (const name of ['takeReport', 'releaseReport', 'takeReport'])
        await walk(maker!, `reports.${name}`, report);
      await walk(maker!, `reports.${end}`, { ...report, body: { reason: 'looked for it' } });
      if (end === 'refuseReport') continue;
      const transaction = { params: { id: await strayTransaction() } };
      await walk(maker!, 'money.takeUnmatched', transaction);
      const tie = { kind: 'report', booking: body.id, reason: 'its late transfer' };
      await approve(
        checker!,
        (await walk(maker!, 'money.tieUnmatched', { ...transaction, body: tie })).approval,
      );
    }
    await walk(maker!, 'reports.listReports', { query: '?state=FAILED' });
    await env.owner.query(
      `insert into transfer_evidence (source, bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, paid_at, seen_at, state)
       values ('FEED', 'KBANK', 'D1', '1112223334', 'BAHT', 4400, '004', 'x', $1, now(), now(), 'ASK')`,
      [env.app.deps.secrets.encrypt('payer', '{"account":"x","name":""}')],
    );
    const { ambiguousMatches } = await walk(maker!, 'reports.listAmbiguousMatches');
    const match = { params: { id: ambiguousMatches[0].id as string } };
    await walk(maker!, 'reports.takeAmbiguousMatch', match);
    await walk(maker!, 'reports.decideAmbiguousMatch', { ...match, body: { reason: 'one of its own' } });
    const mover = await env.member();
    const wanted = { bankCode: 'SCB', bankAccountName: 'ทดสอบ ระบบ', bankAccountNo: '8812345678' };
    await env.call('PUT', '/api/account/profile', { name: 'ทดสอบ', ...wanted }, { token: mover.token });
    const { rows: requested } = await env.owner.query('select id from approval where maker_member_id = $1', [
      mover.id,
    ]);
    await walk(checker!, 'overview.revealAccounts', { params: { id: requested[0].id } });
    await approve(checker!, requested[0].id);
    const entry = {
      direction: 'credit',
      amount: 5000,
      category: 'goodwill',
      reason: 'late payout',
      key: 'walk-0001',
    };
    const entered = await walk(maker!, 'members.enterManually', { ...one, body: entry });
    await approve(checker!, entered.approval);

    await walkReconciliation(walk, env, checker!);
    walked.add('reconciliation.uploadStatement');
    await walkContent(walk, admin!);
    await walkBanners(walk, admin!);
    const upload = await uploadFile(env, admin!, madeFilm(50));
    expect(Value.Check(groups.banners.addFile.reply, upload.body)).toBe(true);
    walked.add('banners.addFile');
    const sent = await uploadFile(env, maker!, madeFilm(50), 'film.mp4', '/api/operator/chat-file');
    expect(Value.Check(groups.chat.addChatFile.reply, sent.body)).toBe(true);
    walked.add('chat.addChatFile');
    await walkChats(env, walk, maker!, checker!);
    await walkChannels(walk, maker!, checker!);
    await walkSettings(walk, admin!);
    await walkBonuses(walk, marketing!, checker!);
    await walkWheels(walk, { marketing: marketing!, checker: checker!, maker: maker! }, env);
    await walkRewards(walk, marketing!, env);
    await walkGames(walk, admin!);
    await walkWebhooks(walk, admin!, env);
    await walkViews(walk, maker!);
    await walkSchedules(walk, maker!);

    await walk(checker!, 'overview.listApprovals', { query: '?whose=others&sort=madeAt' });
    for (const name of Object.keys(groups.figures).filter((key) => isCall(CALLS[`figures.${key}`])))
      await walk(checker!, `figures.${name}`);
    // The codes of a batch are walked with the batch.
    const lists = Object.keys(groups.exports).filter((key) => isCall(CALLS[`exports.${key}`]));
    for (const name of lists.filter((key) => key !== 'exportCodes'))
      for (const format of ['csv', 'xlsx']) await walk(checker!, `exports.${name}`, { params: { format } });
    await walk(checker!, 'overview.listAudit', { query: '?action=withdrawal' });
    await env.owner.query(
      "insert into alert (kind, subject, detail, opened_at) values ('payout-unknown', 'withdrawal:WD0', 'silent', now()), ('payout-unknown', 'withdrawal:WD00', 'silent', now())",
    );
    await walkToday(walk, checker!);
    await walk(checker!, 'overview.readSetup');
    const { alerts } = await walk(checker!, 'alerts.listAlerts', { query: '?assigned=nobody&sort=openedAt' });
    const [taken, left] = alerts.map(({ id }: { id: string }) => ({ params: { id } }));
    await walk(checker!, 'alerts.takeAlert', { ...taken, body: {} });
    await walk(checker!, 'alerts.releaseAlert', taken);
    await walk(checker!, 'alerts.resolveAlert', { ...taken, body: { reason: 'called the bank' } });
    await walk(checker!, 'alerts.dismissAlert', { ...left, body: { reason: 'known to the bank' } });
    await walk(checker!, 'overview.find', { query: '?q=5000' });
    await env.owner.query(
      "update operator set password_hash = o.password_hash from (select password_hash from operator where name = 'demo-finance') o where name = $1",
      [maker!.name],
    );
    await walk(maker!, 'account.changePassword', {
      body: {
        oldPassword: 'krapao-demo-desk',
        newPassword: 'another long password',
        code: await helpers.code(maker!.name),
      },
    });
    await walkKeys(walk, { maker: maker!, admin: admin!, password: 'another long password' }, env);
    const mine = await walk(maker!, 'account.listMySessions');
    await walk(maker!, 'account.endMySession', { params: { id: mine.sessions[0].id } });
    await walk(checker!, 'account.logout');
    expect([...walked].toSorted()).toEqual(Object.keys(CALLS).toSorted());
    expect(await verifyLedger(env.pool)).toEqual([]);
  });

  test('leaves no change or request whose fields the console has no names for', async () => {
    const texts = await readFile(join(import.meta.dirname, '../../../console/src/locales/en.po'), 'utf8');
    const names = [...texts.matchAll(/^msgid "sum\.(.+)"$/gm)].map(([, name]) => name);
    const { rows } = await env.owner.query(
      `select a.action, f.name
       from audit a
       cross join lateral (values (a.before), (a.after)) v(fields)
       cross join lateral jsonb_path_query(v.fields, '$.** ? (@.type() == "object")') part(fields)
       cross join lateral jsonb_object_keys(part.fields) f(name)
       -- Games stand under their codes.
       where f.name <> all($1) and not exists (select 1 from slot g where g.code = f.name)
       group by 1, 2`,
      [names],
    );
    expect(rows).toEqual([]);
  });
});

test("the console's origin says that it is alive and ready, and shows no figures", async () => {
  const request = (path: string) => helpers.call(null, 'GET', path);
  expect((await request('/healthz')).body).toMatchObject({ status: 'ok' });
  expect((await request('/readyz')).body).toEqual({ status: 'ready' });
  expect((await request('/metrics')).body).toMatchObject({ message: 'NO_DATA' });
});
