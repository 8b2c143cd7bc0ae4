import { MINUTE_MS } from '@krapao/contract/durations';
import { isWithinHours } from '../features/lookups/read.ts';
import { checkIdentity } from './identity.ts';
import { type DemoContext, type DemoMember, payOut, submitSlip } from './member.ts';
import { demoOperator } from './operator.ts';

/** Something that happens once: at an hour in Bangkok some days ago, or some minutes before the history ends. */
export interface Incident {
  when: { daysAgo: number; hour: number } | { minutesAgo: number };
  run(): Promise<unknown>;
}

/** The context with the members who have registered so far, in the order of the population. */
export interface DemoActors extends DemoContext {
  members: DemoMember[];
}

/** A deposit that is left unplayed and a withdrawal of it, which waits for review. */
async function withdrawUnplayed(
  { sandbox, app }: DemoActors,
  member: DemoMember,
  amount: number,
): Promise<string> {
  const { bankCode, accountNo } = member.persona;
  const to = { toBank: 'KBANK', toAccount: '3334445556' };
  await sandbox.control('transfer', { fromAccount: `${bankCode}:${accountNo}`, ...to, amount });
  await app.runJob('feeds.read');
  await sandbox.moveTo(sandbox.clock.now().getTime() + 4 * MINUTE_MS);
  return (await member.call('POST /api/wallet/withdraw', { amount }))?.id;
}

/** Approves what has waited since before today's round; the newest stays for whoever opens the console. */
export async function decideWaiting(actors: DemoActors): Promise<void> {
  const { pool } = actors.app.deps;
  const waiting = await pool.query("select id from withdrawal where status = 'REVIEW' and amount < 2000000");
  for (const { id } of waiting.rows) await decide(actors, id, 'approve');
}

async function decide(actors: DemoActors, id: string, how: 'approve' | 'reject'): Promise<void> {
  const finance = demoOperator(actors.app, 'demo-finance');
  const path = `POST /api/operator/withdrawals/${id}`;
  const reason = 'ฝากแล้วยังไม่ได้เล่น กรุณาเล่นให้ครบยอดฝากก่อนถอน';
  await actors.sandbox.moveTo(actors.sandbox.clock.now().getTime() + 12 * MINUTE_MS);
  await finance.call(`${path}/claim`, {});
  await finance.call(`${path}/${how}`, { status: 'REVIEW', reason });
  if (how === 'approve') return payOut(actors, id);
  // A decision can be undone for some seconds.
  await actors.sandbox.moveTo(actors.sandbox.clock.now().getTime() + MINUTE_MS);
  await actors.app.runJob('withdrawals.due');
}

interface Conversation {
  lines: readonly string[];
  /** Missing: nobody has answered yet. */
  reply?: string;
  isEnded?: boolean;
}

/** A member writes to support; support answers some minutes later. */
async function converse(
  { app, sandbox }: DemoActors,
  member: DemoMember,
  conversation: Conversation,
): Promise<void> {
  const later = (minutes: number) => sandbox.moveTo(sandbox.clock.now().getTime() + minutes * MINUTE_MS);
  const textOf = (message: string) => ({ message: { message_type: 'text', payload: { message } } });
  for (const line of conversation.lines) {
    await member.call('POST /api/chat/send-message', textOf(line));
    await later(1);
  }
  if (!conversation.reply) return;
  const support = demoOperator(app, 'demo-support');
  await later(4);
  const found = await support.call(`GET /api/operator/chats?member=${member.id}`);
  const chat = `/api/operator/chats/${found.chats[0].id}`;
  await support.call(`POST ${chat}/claim`, {});
  await support.call(`POST ${chat}/messages`, textOf(conversation.reply));
  await later(2);
  if (conversation.isEnded) await support.call(`POST ${chat}/end`, {});
}

/** Money of somebody who is no member arrives on the company's account. */
async function payAsNonMember({ app, sandbox }: DemoActors, name: string, amount: number): Promise<void> {
  const account = { bankCode: 'KTB', accountNo: '9801234567', accountName: name };
  await sandbox.control('persons', { name, phone: '0815550999', ...account, balance: 100_000 });
  const to = { toBank: 'SCB', toAccount: '2223334445' };
  await sandbox.control('transfer', { fromAccount: `KTB:${account.accountNo}`, ...to, amount });
  await app.runJob('feeds.read');
}

/** The bank's answer to a payout is lost, and its state stays unknown until an alert opens. */
async function losePayout(actors: DemoActors, member: DemoMember, amount: number): Promise<void> {
  const { app, sandbox } = actors;
  await sandbox.control('faults', { party: 'bank-a', call: 'payout', kind: 'cut-before', count: 1 });
  await sandbox.control('faults', { party: 'bank-a', call: 'payout-status', kind: '500', count: 3 });
  const id = (await member.call('POST /api/wallet/withdraw', { amount }))?.id;
  if (id) await payOut(actors, id);
  await app.runJob('withdrawals.sweep');
}

/** The bank leaves a transfer out of its statement, so that the books of the day differ. */
async function leaveOut(actors: DemoActors): Promise<void> {
  const { bankCode, accountNo } = actors.members[1]!.persona;
  const { transRef } = await actors.sandbox.control('transfer', {
    fromAccount: `${bankCode}:${accountNo}`,
    toBank: 'SCB',
    toAccount: '2223334445',
    amount: 450,
  });
  await actors.app.runJob('feeds.read');
  await actors.sandbox.control('misprint', { party: 'bank-b', reference: transRef });
}

/** The bank's feed does not respond for half an hour. */
async function silenceFeed({ app, sandbox }: DemoActors): Promise<void> {
  await app.runJob('feeds.read');
  await sandbox.control('faults', { party: 'bank-b', call: 'statement', kind: '500' });
  await sandbox.moveTo(sandbox.clock.now().getTime() + 30 * MINUTE_MS);
  await app.runJob('feeds.read');
  await sandbox.control('faults', { clear: true });
}

/** When the last slip is handed in: not in the hours around midnight, in which none is taken. */
const slipMinutesAgo = (): number =>
  isWithinHours(new Date(Date.now() - 80 * MINUTE_MS), { from: '23:40', to: '00:20' }) ? 120 : 80;

/** A slip whose sender neither the checker nor the bank's statement shows enough of: it waits for review. */
async function submitDoubtful(actors: DemoActors, member: DemoMember, amount: number): Promise<void> {
  const hide = (party: string, call: string) =>
    actors.sandbox.control('faults', { party, call, kind: 'masked-digits', count: 1 });
  await actors.app.runJob('feeds.read');
  await hide('slip', 'check');
  await submitSlip(actors, member, amount, 'good');
  await actors.app.runJob('slips.ask');
  await hide('bank-b', 'statement');
  await actors.app.runJob('feeds.read');
}

/** A QR is confirmed with another amount than was paid. */
async function misreport(actors: DemoActors): Promise<void> {
  const member = actors.members[0]!;
  const qr = await member.call('POST /api/qrcode/KBANK', { amount: 220 });
  await actors.sandbox.control('faults', {
    party: 'bank-a',
    call: 'confirmation',
    kind: 'wrong-amount',
    count: 1,
  });
  await actors.sandbox.control('pay-qr', { payload: qr.payload, phone: member.persona.phone, amount: 220 });
}

const chats = (actors: DemoActors): Incident[] => {
  const conversation = (when: Incident['when'], by: number, content: Conversation): Incident => ({
    when,
    run: () => converse(actors, actors.members[by]!, content),
  });
  return [
    conversation({ daysAgo: 41, hour: 14 }, 1, {
      lines: ['โอนเงินแล้วยอดยังไม่เข้าค่ะ', 'โอนจากไทยพาณิชย์ 500 บาท'],
      reply: 'ตรวจสอบแล้ว ยอด 500 บาทเข้ากระเป๋าเรียบร้อยแล้วค่ะ',
      isEnded: true,
    }),
    conversation({ daysAgo: 23, hour: 20 }, 4, {
      lines: ['อยากเปลี่ยนบัญชีธนาคาร ต้องทำอย่างไร'],
      reply: 'เปลี่ยนได้ที่เมนูบัญชีของฉันค่ะ การถอนครั้งแรกหลังเปลี่ยนจะรอตรวจสอบหนึ่งวัน',
      isEnded: true,
    }),
    conversation({ daysAgo: 9, hour: 11 }, 7, {
      lines: ['โบนัสต้อนรับต้องเล่นอีกเท่าไรจึงถอนได้'],
      reply: 'ดูยอดที่เหลือได้ที่หน้าโบนัสค่ะ',
      isEnded: true,
    }),
    conversation({ daysAgo: 1, hour: 16 }, 3, {
      lines: ['สลิปของฉันรอตรวจสอบนานแล้ว'],
      reply: 'กำลังตรวจสอบให้ค่ะ รอสักครู่นะคะ',
    }),
    conversation({ minutesAgo: 95 }, 10, { lines: ['ถอนเงินได้วันละกี่ครั้งคะ'] }),
  ];
};

const money = (actors: DemoActors): Incident[] => {
  const review = (
    when: Incident['when'],
    by: number,
    amount: number,
    how?: 'approve' | 'reject',
  ): Incident => ({
    when,
    run: async () => {
      const id = await withdrawUnplayed(actors, actors.members[by]!, amount);
      if (id && how) await decide(actors, id, how);
    },
  });
  return [
    review({ daysAgo: 10, hour: 13 }, 2, 1_500, 'reject'),
    review({ daysAgo: 16, hour: 13 }, 8, 4_000, 'approve'),
    review({ daysAgo: 1, hour: 13 }, 8, 25_000),
    review({ minutesAgo: 120 }, 4, 3_100),
    ...[35, 20, 4].map((daysAgo) => ({
      when: { daysAgo, hour: 19 },
      run: () =>
        submitSlip(actors, actors.members[6]!, 400, daysAgo === 20 ? 'edited-amount' : 'wrong-receiver'),
    })),
    { when: { daysAgo: 27, hour: 9 }, run: () => payAsNonMember(actors, 'SOMSAK RAKTHAI', 750) },
    { when: { daysAgo: 1, hour: 18 }, run: () => payAsNonMember(actors, 'SOMSAK RAKTHAI', 320) },
    { when: { daysAgo: 2, hour: 12 }, run: () => leaveOut(actors) },
    { when: { daysAgo: 6, hour: 4 }, run: () => silenceFeed(actors) },
    { when: { daysAgo: 3, hour: 17 }, run: () => misreport(actors) },
    { when: { daysAgo: 12, hour: 15 }, run: () => losePayout(actors, actors.members[0]!, 300) },
    { when: { minutesAgo: slipMinutesAgo() }, run: () => submitDoubtful(actors, actors.members[6]!, 600) },
  ];
};

const identities = (actors: DemoActors): Incident[] => {
  const check = (when: Incident['when'], by: number, isDecided: boolean): Incident => ({
    when,
    run: () => checkIdentity(actors, actors.members[by]!, { isDecided }),
  });
  return [check({ daysAgo: 10, hour: 15 }, 1, true), check({ minutesAgo: 70 }, 8, false)];
};

/** Lists what stands out in the history: conversations, reviews, refused slips, doubtful money, identity checks. */
export const incidentsOf = (actors: DemoActors): Incident[] => [
  ...chats(actors),
  ...money(actors),
  ...identities(actors),
];
