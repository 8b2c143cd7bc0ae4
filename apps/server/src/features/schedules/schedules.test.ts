import { HOUR_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { smtpMailer } from '../../outside/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { SCHEDULES_MAX } from './queries.ts';
import { scheduleJobs } from './schedules.ts';
import { startMailServer } from './testing-mail.ts';

const mail = await startMailServer();
afterAll(mail.stop);
const env = await startTestEnv({
  jobs: false,
  environment: { SMTP_URL: mail.url, MAIL_FROM: 'reports@krapao.example' },
});
const operators = operatorHelpers(env);
const [lead, support] = await Promise.all(
  ['finance-lead', 'support'].map((role) => operators.operator(role)),
);
const mailer = smtpMailer({ url: mail.url, from: 'reports@krapao.example', timeoutMs: 5_000 });

const PATH = '/api/operator/report-schedules';
const call = (method: string, path = '', body?: object) => operators.call(lead!, method, PATH + path, body);
const weekly = {
  report: 'cash',
  format: 'xlsx',
  period: 'WEEK',
  language: 'th',
  recipients: ['books@krapao.example', 'owner@krapao.example'],
};

/** The jobs of a server whose clock shows a time, with a mail server or without one. */
const jobsAt = (at: Date, hasMail = true) =>
  scheduleJobs({
    ...env.app.deps,
    backgroundPool: env.pool,
    clock: { ...env.app.deps.clock, now: () => at },
    mailer: hasMail ? mailer : null,
  }).tasks;
const rowOf = async (id: string) =>
  (await call('GET')).body.schedules.find((row: { id: string }) => row.id === id);

test('a report is sent once when it is due, to all receivers, with the file of the period before', async () => {
  const { id } = (await call('POST', '', weekly)).body;
  const { dueAt } = await rowOf(id);
  const due = new Date(dueAt);
  await jobsAt(new Date(due.getTime() - 1))['reports.send']!({});
  await jobsAt(due, false)['reports.send']!({});
  expect(mail.received).toEqual([]);
  await jobsAt(due)['reports.send']!({});
  await jobsAt(due)['reports.send']!({});
  expect(mail.received).toHaveLength(1);
  const [{ to, raw }] = mail.received.splice(0) as [{ to: string[]; raw: string }];
  expect(to).toEqual(weekly.recipients);
  expect(raw).toContain('From: reports@krapao.example');
  expect(raw).toMatch(/filename="?cash-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.xlsx/);
  expect(raw).toContain('spreadsheetml');
  const after = await rowOf(id);
  expect(after).toMatchObject({ failure: null, sentAt: due.toISOString() });
  expect(Date.parse(after.dueAt) - due.getTime()).toBe(7 * 24 * HOUR_MS);
  expect((await operators.audit(`schedule:${id}`)).map(({ action }) => action)).toEqual(['report.schedule']);
  await call('POST', `/${id}/remove`);
});

test('two workers at once, with a slow mail server between, send a report once', async () => {
  const { id } = (await call('POST', '', weekly)).body;
  const due = new Date((await rowOf(id)).dueAt);
  await Promise.all(Array.from({ length: 4 }, () => jobsAt(due)['reports.send']!({})));
  expect(mail.received.splice(0)).toHaveLength(1);
  await call('POST', `/${id}/remove`);
});

test('a refused mail stays due, names the reason, and is tried again after a quarter of an hour', async () => {
  mail.refused.add('gone@krapao.example');
  const recipients = ['gone@krapao.example'];
  const { id } = (await call('POST', '', { ...weekly, period: 'DAY', format: 'csv', recipients })).body;
  const due = new Date((await rowOf(id)).dueAt);
  await jobsAt(due)['reports.send']!({});
  expect(await rowOf(id)).toMatchObject({ sentAt: null, dueAt: due.toISOString() });
  expect((await rowOf(id)).failure).toContain('no such mailbox');
  mail.refused.clear();
  await jobsAt(new Date(due.getTime() + 60_000))['reports.send']!({});
  expect(mail.received).toEqual([]);
  await jobsAt(new Date(due.getTime() + HOUR_MS))['reports.send']!({});
  expect(mail.received.splice(0)).toHaveLength(1);
  expect((await rowOf(id)).failure).toBeNull();
  await call('POST', `/${id}/remove`);
});

test('a refused receiver is tried again alone, five times, and then the next period is due', async () => {
  mail.refused.add('gone@krapao.example');
  const recipients = ['books@krapao.example', 'gone@krapao.example'];
  const { id } = (await call('POST', '', { ...weekly, period: 'DAY', format: 'csv', recipients })).body;
  const due = new Date((await rowOf(id)).dueAt);
  const at = (quarters: number) => new Date(due.getTime() + quarters * 15 * 60_000 + quarters);
  const failure = expect.stringMatching(/^refused for gone@krapao.example: .*no such mailbox/);
  for (let attempt = 1; attempt <= 4; attempt++) {
    await jobsAt(at(attempt - 1))['reports.send']!({});
    expect(await rowOf(id)).toMatchObject({ failure, dueAt: due.toISOString(), sentAt: due.toISOString() });
  }
  await jobsAt(at(4))['reports.send']!({});
  const next = new Date(due.getTime() + 24 * HOUR_MS);
  expect(await rowOf(id)).toMatchObject({ failure, dueAt: next.toISOString(), sentAt: due.toISOString() });
  for (const quarters of [5, 6, 20]) await jobsAt(at(quarters))['reports.send']!({});
  expect(mail.received.splice(0).map(({ to }) => to)).toEqual([['books@krapao.example']]);
  mail.refused.clear();
  await jobsAt(next)['reports.send']!({});
  expect(mail.received.splice(0).map(({ to }) => to)).toEqual([recipients]);
  expect((await rowOf(id)).failure).toBeNull();
  await call('POST', `/${id}/remove`);
});

test('a report that the mail server takes for no receiver stays due until it does', async () => {
  const recipients = ['books@krapao.example', 'till@krapao.example'];
  for (const address of recipients) mail.refused.add(address);
  const { id } = (await call('POST', '', { ...weekly, period: 'DAY', format: 'csv', recipients })).body;
  const due = new Date((await rowOf(id)).dueAt);
  const at = (quarters: number) => new Date(due.getTime() + quarters * 15 * 60_000 + quarters);
  for (let attempt = 0; attempt < 7; attempt++) await jobsAt(at(attempt))['reports.send']!({});
  expect(await rowOf(id)).toMatchObject({ dueAt: due.toISOString(), sentAt: null });
  mail.refused.clear();
  await jobsAt(at(7))['reports.send']!({});
  expect(mail.received.splice(0).map(({ to }) => to)).toEqual([recipients]);
  expect((await rowOf(id)).failure).toBeNull();
  await call('POST', `/${id}/remove`);
});

test('a receiver refused for a while gets the report, and the others no second one', async () => {
  const recipients = ['books@krapao.example', 'busy@krapao.example'];
  const { id } = (await call('POST', '', { ...weekly, period: 'DAY', format: 'csv', recipients })).body;
  const due = new Date((await rowOf(id)).dueAt);
  mail.refused.add('busy@krapao.example');
  await jobsAt(due)['reports.send']!({});
  mail.refused.clear();
  await jobsAt(new Date(due.getTime() + HOUR_MS))['reports.send']!({});
  expect(mail.received.splice(0).map(({ to }) => to)).toEqual(recipients.map((one) => [one]));
  expect(await rowOf(id)).toMatchObject({
    failure: null,
    dueAt: new Date(due.getTime() + 24 * HOUR_MS).toISOString(),
  });
  await call('POST', `/${id}/remove`);
});

test('a report sent on request names who was refused, and leaves what is due as it was', async () => {
  mail.refused.add('gone@krapao.example');
  const recipients = ['books@krapao.example', 'gone@krapao.example'];
  const { id } = (await call('POST', '', { ...weekly, format: 'csv', recipients })).body;
  const { dueAt } = await rowOf(id);
  await jobsAt(env.app.deps.clock.now())['reports.sendNow']!({ id });
  expect(await rowOf(id)).toMatchObject({ dueAt, failure: expect.stringContaining('gone@krapao.example') });
  mail.refused.clear();
  await jobsAt(new Date(dueAt))['reports.send']!({});
  expect(mail.received.splice(0).map(({ to }) => to)).toEqual([['books@krapao.example'], recipients]);
  await call('POST', `/${id}/remove`);
});

test('a report sent on request neither hides nor delays one that is due and fails', async () => {
  mail.refused.add('gone@krapao.example');
  const recipients = ['gone@krapao.example'];
  const { id } = (await call('POST', '', { ...weekly, period: 'DAY', format: 'csv', recipients })).body;
  const due = new Date((await rowOf(id)).dueAt);
  const at = (minutes: number) => new Date(due.getTime() + minutes * 60_000);
  await jobsAt(due)['reports.send']!({});
  const { failure } = await rowOf(id);
  expect(failure).toContain('no such mailbox');
  await jobsAt(at(14))['reports.sendNow']!({ id });
  mail.refused.clear();
  await jobsAt(at(14))['reports.sendNow']!({ id });
  expect(await rowOf(id)).toMatchObject({ failure, dueAt: due.toISOString(), sentAt: at(14).toISOString() });
  await jobsAt(at(16))['reports.send']!({});
  expect(mail.received.splice(0)).toHaveLength(2);
  expect((await rowOf(id)).failure).toBeNull();
  await call('POST', `/${id}/remove`);
});

test('a failure of a report sent on request ends with the next that is sent on request', async () => {
  mail.refused.add('gone@krapao.example');
  const recipients = ['gone@krapao.example'];
  const { id } = (await call('POST', '', { ...weekly, format: 'csv', recipients })).body;
  const now = env.app.deps.clock.now();
  await jobsAt(now)['reports.sendNow']!({ id });
  expect((await rowOf(id)).failure).toContain('no such mailbox');
  mail.refused.clear();
  await jobsAt(now)['reports.sendNow']!({ id });
  expect(mail.received.splice(0)).toHaveLength(1);
  expect((await rowOf(id)).failure).toBeNull();
  await call('POST', `/${id}/remove`);
});

test('each report on request has a message id of its own, the same for each attempt, and so has the one that is due', async () => {
  const { id } = (await call('POST', '', { ...weekly, period: 'DAY', format: 'csv' })).body;
  const due = new Date((await rowOf(id)).dueAt);
  const request = async () => {
    await call('POST', `/${id}/send`);
    const [job] = (
      await env.owner.query('delete from graphile_worker._private_jobs where key = $1 returning payload', [
        `reports.sendNow:${id}`,
      ])
    ).rows;
    return job.payload;
  };
  const messageIds = () => mail.received.splice(0).map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
  const [early, late] = [await request(), await request()];
  // All of them cover the day before.
  await jobsAt(due)['reports.sendNow']!(early);
  await jobsAt(due)['reports.send']!({});
  await jobsAt(due)['reports.sendNow']!(late);
  const sent = messageIds();
  expect(new Set(sent).size).toBe(3);
  await jobsAt(due)['reports.sendNow']!(late);
  expect(messageIds()).toEqual([sent[2]]);
  await call('POST', `/${id}/remove`);
});

test('without a mail server a report on request is refused instead of being dropped', async () => {
  const silent = await startTestEnv({ jobs: false });
  const staff = operatorHelpers(silent);
  const maker = await staff.operator('finance-lead');
  const { id } = (await staff.call(maker, 'POST', PATH, weekly)).body;
  expect((await staff.call(maker, 'GET', PATH)).body.hasMail).toBe(false);
  expect(await staff.call(maker, 'POST', `${PATH}/${id}/send`)).toMatchObject({
    status: 409,
    body: { message: 'NO_MAIL' },
  });
  expect((await staff.audit(`schedule:${id}`)).map(({ action }) => action)).toEqual(['report.schedule']);
});

test.each([
  ['is suspended', 'status', 'SUSPENDED'],
  ['may not export any more', 'role', 'support'],
])('export after its permission: nothing is sent for an operator who %s', async (_what, column, value) => {
  const maker = await operators.operator('finance-lead');
  const { id } = (await operators.call(maker, 'POST', PATH, weekly)).body;
  const due = new Date((await rowOf(id)).dueAt);
  await env.owner.query(`update operator set ${column} = $2 where name = $1`, [maker.name, value]);
  await jobsAt(due)['reports.send']!({});
  expect(mail.received).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ sentAt: null, failure: 'UNAUTHORIZED' });
  await call('POST', `/${id}/remove`);
});

test('a report is sent at once on request, besides its schedule, for each kind of report', async () => {
  const now = env.app.deps.clock.now();
  for (const report of ['liabilities', 'waiting', 'agents']) {
    const { id } = (await call('POST', '', { ...weekly, report, language: 'en', format: 'csv' })).body;
    const before = await rowOf(id);
    expect((await call('POST', `/${id}/send`)).status).toBe(200);
    await jobsAt(now)['reports.sendNow']!({ id });
    expect((await rowOf(id)).dueAt).toBe(before.dueAt);
    expect((await rowOf(id)).sentAt).toBe(now.toISOString());
    await call('POST', `/${id}/remove`);
  }
  const subjects = mail.received.splice(0).map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]);
  expect(subjects).toEqual([
    expect.stringMatching(/Owed.to.members/),
    expect.stringMatching(/Withdrawal.times/),
    expect.stringMatching(/Work.of.operators/),
  ]);
});

test('schedules need leave to export, a known report, and addresses', async () => {
  const add = async (as: typeof lead, body: object) =>
    (await operators.call(as!, 'POST', PATH, body)).body.message;
  expect(await add(support, weekly)).toBe('UNAUTHORIZED');
  for (const wrong of [
    { report: 'members' },
    { recipients: [] },
    { recipients: ['no address'] },
    { recipients: ['a@b.example\r\nBcc: c@d.example'] },
    { period: 'HOUR' },
  ])
    expect([wrong, await add(lead, { ...weekly, ...wrong })]).toEqual([wrong, 'INVALID_REQUEST']);
  for (const what of ['remove', 'send'])
    expect((await call('POST', `/RS0/${what}`)).body.message).toBe('NO_DATA');
  expect((await call('GET')).body).toMatchObject({ hasMail: true, schedules: [] });
});

test('there are as many schedules as the list has and no more, also when several are added at once', async () => {
  await env.owner.query(
    `insert into report_schedule (id, report, format, period, language, recipients, operator_id, created_at, due_at)
     select 'RSFULL' || n, 'cash', 'csv', 'DAY', 'th', '{a@b.example}', id, now(), now()
     from operator, generate_series(1, $2) n where name = $1`,
    [lead!.name, SCHEDULES_MAX - 2],
  );
  const added = await Promise.all(Array.from({ length: 5 }, () => call('POST', '', weekly)));
  const refused = added.filter(({ status }) => status !== 200);
  expect(refused.map(({ body }) => body)).toEqual(
    Array(3).fill({ message: 'LIST_FULL', data: { max: SCHEDULES_MAX } }),
  );
  expect((await call('GET')).body.schedules).toHaveLength(SCHEDULES_MAX);
  await call('POST', '/RSFULL1/remove');
  expect((await call('POST', '', weekly)).status).toBe(200);
});

test('a message of a sender with a name has an id of the domain of their address', async () => {
  const named = smtpMailer({ url: mail.url, from: 'Krapao <reports@krapao.example>', timeoutMs: 5_000 });
  mail.received.splice(0);
  const file = { name: 'a.csv', type: 'text/csv', bytes: Buffer.from('a') };
  await named.send({ id: 'one', to: ['books@krapao.example'], subject: 'x', text: 'x', file });
  const raw = mail.received.splice(0).at(0)?.raw;
  expect(raw).toMatch(/^From: Krapao <reports@krapao\.example>\r?$/m);
  expect(raw).toMatch(/^Message-ID: <one@krapao\.example>\r?$/m);
});
