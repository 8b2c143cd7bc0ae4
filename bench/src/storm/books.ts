import type { Site } from '../installation.ts';

/** Something our books and the sandbox's say differently. */
export interface Difference {
  what: string;
  ours: string;
  theirs: string;
}

/** Compares our books with the sandbox's, and lists the differences that alerts report. */
export interface Comparison {
  differences: Difference[];
  /** Payouts that the bank made after we had given the money back, each with its open alert. */
  contradicted: string[];
  /** Payouts the bank has never seen although it refused a repeat as a duplicate, each with its open alert. */
  unsure: string[];
}

interface Books {
  accounts: { owner: string; in: string; out: string }[];
  vouchers: { tickets: { phone: string; amount: string }[] }[];
  players: { agent: string; username: string; balance: string }[];
  payouts: { reference: string; amount: string; state: string }[];
}

type Place = Pick<Site, 'asOwner' | 'control' | 'env'>;

const minor = (text: string): bigint => BigInt(Math.round(Number(text) * 100));
const sumOf = (amounts: bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

interface WithdrawalRow {
  id: string;
  status: string;
  amount: string;
  refused_code: string | null;
  /** Kinds of its open alerts. */
  alerts: string[];
}
const WITHDRAWALS = `select w.id, w.status, w.amount::text as amount, p.refused_code, array(select a.kind from alert a
    where a.subject = 'withdrawal:' || w.id and a.closed_at is null)::text[] as alerts
  from withdrawal w left join payout p on p.withdrawal_id = w.id`;

/**
 * Every withdrawal against the bank's payout of its reference. A payout of money that was given back differs too,
 * unless an open alert tells operators.
 */
async function comparePayouts({ asOwner }: Place, { payouts }: Books) {
  const rows = await asOwner<WithdrawalRow>(WITHDRAWALS);
  const theirs = new Map(payouts.map((payout) => [payout.reference, payout]));
  const differences: Difference[] = [];
  const contradicted: { id: string; amountMinor: bigint }[] = [];
  const unsure: string[] = [];
  for (const { id, status, amount, refused_code, alerts } of rows) {
    const payout = theirs.get(id);
    theirs.delete(id);
    const isPaid = payout?.state === 'PAID';
    const isSame = !isPaid || minor(payout.amount) === BigInt(amount);
    if (isPaid && isSame && status === 'FAILED' && alerts.includes('payout-contradicts'))
      contradicted.push({ id, amountMinor: BigInt(amount) });
    else if (!isSame || isPaid !== (status === 'SUCCESS'))
      differences.push({
        what: `withdrawal ${id}`,
        ours: `${status} ${amount}`,
        theirs: payout ? `${payout.state} ${payout.amount}` : 'never seen',
      });
    else if (!payout && refused_code === 'DUPLICATE' && alerts.includes('payout-unknown')) unsure.push(id);
  }
  for (const { reference, state } of theirs.values())
    differences.push({ what: `payout ${reference}`, ours: 'no withdrawal', theirs: state });
  return { differences, contradicted, unsure };
}

async function compareCredits({ asOwner }: Place, { players }: Books): Promise<Difference[]> {
  const accounts = await asOwner<{ slot_code: string; username: string; credits: string }>(
    "select slot_code, username, credits::text from game_account where state = 'ACTIVE'",
  );
  return accounts.map(({ slot_code, username, credits }) => {
    const player = players.find((one) => one.agent === slot_code && one.username === username);
    const theirs = String(minor(player?.balance ?? '0'));
    return { what: `credits of ${username} at ${slot_code}`, ours: credits, theirs };
  });
}

/** Where our books and the sandbox's differ. */
export async function compareBooks(place: Place): Promise<Comparison> {
  const books: Books = await place.control('books');
  const own = books.accounts.filter(({ owner }) => owner === 'house');
  const atBanks = sumOf(own.map((account) => minor(account.in) - minor(account.out)));
  const ourMobile = place.env.GIFT_MOBILE || '0815550199';
  const tickets = books.vouchers.flatMap((voucher) => voucher.tickets);
  const inGifts = sumOf(
    tickets.filter(({ phone }) => phone === ourMobile).map(({ amount }) => minor(amount)),
  );
  const [sums] = await place.asOwner<{ banks: string; gifts: string }>(
    `select coalesce(-sum(balance) filter (where kind like 'bank:%'), 0)::text as banks,
       coalesce(-sum(balance) filter (where kind = 'gift'), 0)::text as gifts from ledger_account where member_id is null and asset = 1`,
  );
  const { differences, contradicted, unsure } = await comparePayouts(place, books);
  const paidTwice = sumOf(contradicted.map(({ amountMinor }) => amountMinor));
  const totals = [
    { what: 'money at banks and gateways', ours: sums!.banks, theirs: String(atBanks + paidTwice) },
    { what: 'money in the gift wallet', ours: sums!.gifts, theirs: String(inGifts) },
    ...(await compareCredits(place, books)),
  ];
  return {
    differences: [...totals.filter(({ ours, theirs }) => ours !== theirs), ...differences],
    contradicted: contradicted.map(({ id }) => id),
    unsure,
  };
}
