/**
 * A million generated requests, valid and invalid, by guests, members and every role, over all calls of both APIs. Holds
 * when no answer is a fault (5xx, unknown code, broken connection), the server has not restarted, the wallets of members
 * who took no part are unchanged but for what operators booked there by valid requests, and the books balance.
 * Usage: npm run bench -- fuzz [requests] [seed]
 */
import { watchBystanders } from '../apps/server/src/testing/fuzz/bystanders.ts';
import { restore, takeSnapshot } from '../apps/server/src/testing/fuzz/callers.ts';
import { runFuzz } from '../apps/server/src/testing/fuzz/run.ts';
import { fuzzSockets } from '../apps/server/src/testing/fuzz/sockets.ts';
import { numberArgument } from './src/arguments.ts';
import { startInstallation, watchServers } from './src/installation.ts';
import { registerMember } from './src/register-member.ts';

const count = numberArgument(0, 1_000_000);
const seed = numberArgument(1, 1);
/** One request in twenty is an event on a socket. */
const eventCount = Math.floor(count / 20);

const place = await startInstallation({
  settings: { 'register.otp': false },
  env: { TRUSTED_PROXIES: '127.0.0.1' },
});
const isSame = watchServers(place);
const people = [];
for (let at = 0; at < 6; at++) people.push(await registerMember(place, at));
const members = await place.asOwner<{ id: string; phone: string }>(
  'select id, phone from member where phone = any($1) order by id',
  [people.map(({ phone }) => phone)],
);
const [actors, bystanders] = [members.slice(0, 3), members.slice(3)];

/** Gives every member money by QR deposits. */
for (const { phone, password } of people) {
  const call = async (path: string, body: object, token?: string) =>
    (
      await fetch(place.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-requested-with': 'wallet-user',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify(body),
      })
    ).json() as Promise<Record<string, string>>;
  const { token } = await call('/api/login', { username: phone, password });
  const { payload } = await call('/api/qrcode/KBANK', { amount: 5000 }, token);
  await place.control('pay-qr', { payload, phone });
}
const bystanderIds = bystanders.map(({ id }) => BigInt(id));
const balances = () =>
  place.asOwner<{ balance: string }>(
    'select a.balance from ledger_account a join member m on m.wallet_account = a.id where m.id = any($1) order by m.id',
    [bystanderIds],
  );
while ((await balances()).some(({ balance }) => Number(balance) === 0))
  await new Promise((resume) => setTimeout(resume, 100));
const entriesSince = await watchBystanders(place.owner, bystanderIds);

const snapshot = await takeSnapshot(
  place.owner,
  actors.map(({ id }) => BigInt(id)),
);
const started = performance.now();
const result = await runFuzz({
  origins: { member: place.url, console: place.consoleUrl },
  seed,
  count: count - eventCount,
  inFlight: 32,
  repairEvery: 1_000,
  repair: () => restore(place.owner, snapshot, new Date()),
  onProgress: (done) => {
    const seconds = (performance.now() - started) / 1000;
    if (done % 50_000 === 0) console.log(`${done} requests, ${Math.round(done / seconds)}/s`);
  },
});
const sockets = await fuzzSockets({ url: place.url, seed, count: eventCount });

console.log(
  `${result.sent} requests and ${sockets.sent} events in ${Math.round((performance.now() - started) / 1000)} s`,
);
console.log(
  [...result.statuses]
    .sort()
    .map(([status, times]) => `${status}: ${times}`)
    .join(', '),
);
console.log(
  `${result.reached.size} calls succeeded at least once; never: ${result.missed.join(', ') || 'none'}`,
);
console.log(
  `events answered: ${[...sockets.responses].map(([code, times]) => `${code} ${times}`).join(', ')}`,
);
const slowest = [...result.spentMs].sort(([, one], [, other]) => other - one).slice(0, 8);
console.log(
  `most time went to: ${slowest.map(([name, ms]) => `${name} ${Math.round(ms / 1000)} s`).join(', ')}`,
);
for (const [fault, { count: times, example }] of result.faults)
  console.log(`FAULT  ${times} × ${fault}\n       ${example}`);
for (const fault of sockets.faults) console.log(`FAULT  ${fault}`);
const later = await entriesSince();
const unexplained = later.filter(({ isOperators }) => !isOperators).map(({ kind }) => kind);
const isUninterrupted = isSame();
const verdict = place.verify();
console.log(verdict.text);
console.log(
  `server restarted: ${isUninterrupted ? 'no' : 'YES'}; wallets of others: ${later.length - unexplained.length} entries by operators, ` +
    `${unexplained.length} without a caller ${unexplained.join(', ')}`,
);
await place.stop();
const holds =
  result.faults.size === 0 &&
  sockets.faults.length === 0 &&
  unexplained.length === 0 &&
  isUninterrupted &&
  verdict.good;
console.log(holds ? 'holds' : 'MISSED');
process.exit(holds ? 0 : 1);
