/** Parts of the walk through every operators' call, by page. */
import sharp from 'sharp';
import { bonusHelpers, WRITTEN } from '../features/bonuses/testing-bonuses.ts';
import { gameHelpers } from '../features/games/testing-games.ts';
import { inviteHelpers } from '../features/invites/testing-invites.ts';
import { uploadStatement } from '../features/reconciliation/testing-statements.ts';
import { refundHelpers } from '../features/refunds/testing-refunds.ts';
import { PLAN, wheelHelpers } from '../features/wheel/testing-wheel.ts';
import { operatorHelpers, type TestOperator } from '../testing/operator.ts';
import type { TestEnv } from '../testing/test-env.ts';

/** Makes one call that must succeed, and answers its body. */
type Walk = (
  as: TestOperator,
  name: string,
  input?: { params?: Record<string, string>; body?: object; query?: string },
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
) => Promise<any>;

/** Words are drafted, published and brought back; what the registration form offers is changed. */
export async function walkContent(walk: Walk, admin: TestOperator): Promise<void> {
  const { content: all } = await walk(admin, 'content.listContent');
  const notice = { params: { key: 'notice' } };
  const words = all.find((row: { key: string }) => row.key === 'notice').words;
  const first = await walk(admin, 'content.saveDraft', { ...notice, body: { words, after: null } });
  await walk(admin, 'content.discardDraft', { ...notice, body: { draft: first.id } });
  const { id } = await walk(admin, 'content.saveDraft', { ...notice, body: { words, after: null } });
  await walk(admin, 'content.publishDraft', { ...notice, body: { draft: id, reason: 'as before' } });
  await walk(admin, 'content.listRevisions', notice);
  await walk(admin, 'content.revertContent', {
    ...notice,
    body: { revision: 1, now: 2, reason: 'as it was' },
  });
  const picture = (await sharp({ create: { width: 80, height: 80, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()) as Buffer;
  await walk(admin, 'content.addPicture', { body: { picture: picture.toString('base64') } });
  const { sources, banks } = await walk(admin, 'content.listChoices');
  const codes = (rows: { code: string }[]) => ({ body: { codes: rows.map((row) => row.code) } });
  const [{ code: source, ...texts }, { code: bank, ...names }] = [sources[0], banks[0]];
  const reason = 'named anew';
  await walk(admin, 'content.saveSource', { params: { code: source }, body: { ...texts, reason } });
  await walk(admin, 'content.saveBank', { params: { code: bank }, body: { ...names, reason } });
  await walk(admin, 'content.orderSources', codes(sources));
  await walk(admin, 'content.orderBanks', codes(banks));
}

/** Banners are put up, changed and ordered; guides get another title. The upload of a file has a test of its own. */
export async function walkBanners(walk: Walk, admin: TestOperator): Promise<void> {
  const text = { title: 'ข่าว', html: '<p>ข่าว</p>', picture: null };
  const words = { th: text, la: text, en: text };
  const banner = { words, link: '', isOpen: true, startsAt: null, endsAt: null };
  const reason = 'as agreed';
  const { id } = await walk(admin, 'banners.addBanner', { body: { place: 'home', ...banner, reason } });
  const change = { ...banner, isOpen: false, version: 1, reason };
  await walk(admin, 'banners.changeBanner', { params: { id }, body: change });
  await walk(admin, 'banners.orderBanners', { body: { place: 'home', ids: [id] } });
  await walk(admin, 'banners.listBanners');
  const { guides } = await walk(admin, 'banners.listGuides');
  const { name, ...guide } = guides[0];
  await walk(admin, 'banners.changeGuide', { params: { name }, body: { ...guide, reason } });
  await walk(admin, 'banners.orderGuides', {
    body: { names: guides.map((row: { name: string }) => row.name) },
  });
}

/** Accounts members pay into are ordered, limited and added by two. */
export async function walkChannels(walk: Walk, maker: TestOperator, checker: TestOperator): Promise<void> {
  const { channels: all } = await walk(maker, 'depositAccounts.listChannels');
  const ids = all.map((row: { id: string }) => row.id);
  await walk(maker, 'depositAccounts.orderChannels', { body: { ids } });
  await walk(maker, 'depositAccounts.setChannel', {
    params: { id: ids[0] },
    body: { state: 'OPEN', ceiling: 500_000, version: 1, reason: 'as agreed' },
  });
  const requested = await walk(maker, 'depositAccounts.addChannel', {
    body: {
      bankCode: 'BBL',
      bankType: 'BANK',
      mode: 'AUTO',
      accountName: 'บริษัท กระเป๋า จำกัด',
      accountNo: '4445556667',
      currency: 'BAHT',
      staticQr: null,
      replaces: null,
      reason: 'a second bank',
    },
  });
  await walk(checker, 'overview.approve', { params: { id: requested.approval }, body: {} });
}

/** A setting is read, changed and looked up in its history. */
export async function walkSettings(walk: Walk, admin: TestOperator): Promise<void> {
  await walk(admin, 'settings.listSettings');
  const minutes = { params: { key: 'qr.minutes' } };
  await walk(admin, 'settings.changeSetting', {
    ...minutes,
    body: { value: 12, version: 0, reason: 'longer' },
  });
  await walk(admin, 'settings.readSettingHistory', minutes);
  await walk(admin, 'risk.tryRiskSettings', { body: { values: { 'risk.slips': 2 } } });
  const body = { value: 2, version: 0, reason: 'as tried' };
  await walk(admin, 'risk.changeRiskSetting', { params: { key: 'risk.slips' }, body });
}

/** A game is changed, all are put in order, and a provider stops for a moment. */
export async function walkGames(walk: Walk, admin: TestOperator): Promise<void> {
  const { games } = await walk(admin, 'games.listGames');
  const [{ code, name, state, rate, rateLak, least, version }] = games;
  const body = { name, state, rate, rateLak, least, version, reason: 'as before' };
  await walk(admin, 'games.changeGame', { params: { code }, body });
  const codes = games.map((game: { code: string }) => game.code);
  const { provider, agent, category } = games[0];
  await walk(admin, 'games.testGame', { body: { provider, agent } });
  const none = { nameLa: null, nameEn: null, picture: '', web: '', android: '', ios: '', rateLak: null };
  const walked = { code: 'walked', agent: 'walked' };
  const added = { ...walked, category, provider, name, rate, least: null, reason: 'one more' };
  await walk(admin, 'games.addGame', { body: { ...none, ...added } });
  const removed = { version: 1, reason: 'one too many' };
  await walk(admin, 'games.removeGame', { params: { code: 'walked' }, body: removed });
  const names = { th: 'ค่าย', la: '', en: '' };
  const named = { params: { code: provider }, body: { names, reason: 'as they sign' } };
  await walk(admin, 'games.nameProvider', named);
  await walk(admin, 'games.orderGames', { body: { codes } });
  for (const provider of ['MAINTENANCE', 'OPEN'])
    await walk(admin, 'games.changeProvider', {
      params: { code: games[0].provider },
      body: { state: provider, reason: 'new servers' },
    });
}

/** A member's bonus run is ended. */
export async function walkRun(walk: Walk, maker: TestOperator, env: TestEnv): Promise<void> {
  const { offer, activate } = bonusHelpers(env);
  const member = await env.member();
  await activate(member, await offer({ award: 'fixed', award_amount: 1_000n, deposit_min: null }));
  const { rows } = await env.pool.query(
    "select id from bonus_run where member_id = $1 and state = 'ACTIVE'",
    [member.id],
  );
  const body = { run: rows[0]!.id, outcome: 'forfeit', figures: 'fresh', reason: 'requested' };
  await walk(maker, 'members.endRun', { params: { id: String(member.id) }, body });
}

/** A bonus is estimated, published by two, ordered, stopped and brought back; its runs are listed. */
export async function walkBonuses(walk: Walk, maker: TestOperator, checker: TestOperator): Promise<void> {
  const reason = 'as agreed';
  const params = { code: WRITTEN.code };
  await walk(maker, 'bonuses.estimateBonus', { body: { terms: WRITTEN } });
  const requested = await walk(maker, 'bonuses.publishBonus', {
    body: { terms: WRITTEN, version: 0, reason },
  });
  await walk(checker, 'overview.approve', { params: { id: requested.approval } });
  const { bonuses } = await walk(maker, 'bonuses.listBonuses');
  await walk(maker, 'bonuses.readBonus', { params });
  await walk(maker, 'bonuses.orderBonuses', {
    body: { codes: bonuses.map((row: { code: string }) => row.code) },
  });
  await walk(maker, 'bonuses.stopBonus', { params, body: { version: 1, reason } });
  await walk(maker, 'bonuses.revertBonus', { params, body: { to: 1, version: 2, reason } });
  await walk(maker, 'bonuses.listRuns');
  const single = { ...WRITTEN, code: 'BYCODE', kind: 'promotion', codes: 'single' };
  const promotion = await walk(maker, 'bonuses.publishBonus', {
    body: { terms: single, version: 0, reason },
  });
  await walk(checker, 'overview.approve', { params: { id: promotion.approval } });
  const one = { params: { code: single.code } };
  const batch = await walk(maker, 'bonuses.makeBatch', { ...one, body: { count: 3, reason } });
  await walk(checker, 'overview.approve', { params: { id: batch.approval } });
  const { batches } = await walk(maker, 'bonuses.listBatches', one);
  const { id } = batches[0];
  for (const format of ['csv', 'xlsx'])
    await walk(maker, 'exports.exportCodes', { params: { format }, query: `?batch=${id}` });
  await walk(maker, 'bonuses.revokeBatch', { params: { id }, body: { reason } });
}

/** A wheel is written, simulated, published by two, stopped and brought back; coupons and coins are given. */
export async function walkWheels(
  walk: Walk,
  { marketing, checker, maker }: Record<'marketing' | 'checker' | 'maker', TestOperator>,
  env: TestEnv,
): Promise<void> {
  const reason = 'as agreed';
  const slices = PLAN.slices.map(({ weight, stock: left }) => ({ weight, left }));
  await walk(marketing, 'wheel.simulateWheel', { body: { slices } });
  const wheel = { body: { currency: 'BAHT', plan: PLAN, reason } };
  const params = { id: (await walk(marketing, 'wheel.createWheel', wheel)).id as string };
  await walk(marketing, 'wheel.saveWheel', { params, body: { plan: PLAN, after: 1, reason } });
  await walk(marketing, 'wheel.revertWheel', { params, body: { to: 1, after: 2, reason } });
  const publication = { version: 3, seen: null, reason };
  const requested = await walk(marketing, 'wheel.publishWheel', { params, body: publication });
  await walk(checker, 'overview.approve', { params: { id: requested.approval } });
  await walk(marketing, 'wheel.listWheels');
  await walk(marketing, 'wheel.readWheel', { params });
  await walk(marketing, 'wheel.stopWheel', { params, body: { reason } });
  const member = await env.member();
  const item = { ...PLAN.slices[0]!.prize!, kind: 'ITEM', value: 0, terms: null };
  const intent = { prize: { currency: 'BAHT', prize: item }, members: [member.phone], check: false, reason };
  const { batch } = await walk(marketing, 'coupons.grantCoupons', { body: { ...intent, key: 'walk-items' } });
  const [coupon] = (await walk(marketing, 'coupons.listCoupons', { query: `?batch=${batch}` })).coupons;
  await wheelHelpers(env).redeem(member, `CP${coupon.prize.id}-${member.id}`);
  await walk(marketing, 'coupons.deliverCoupon', { params: { id: coupon.id }, body: { reason } });
  await walk(marketing, 'coupons.revokeCoupons', { body: { coupons: { batch }, reason } });
  await walk(marketing, 'coupons.listPrizes');
  const prize = { params: { id: coupon.prize.id }, body: { isWithdrawn: true, reason } };
  await walk(marketing, 'coupons.withdrawPrize', prize);
  await walk(maker, 'exports.exportCoupons', { params: { format: 'csv' } });
  const coins = { coins: 5, reason, key: 'walk-coins' };
  await walk(maker, 'coupons.grantCoins', { params: { id: String(member.id) }, body: coins });
}

/** What invites and refunds brought is listed, and one of their settings changed. */
export async function walkRewards(walk: Walk, marketing: TestOperator, env: TestEnv): Promise<void> {
  const inviter = await env.member({ amountMinor: 10_000n });
  await inviteHelpers(env).earner(inviter, 100);
  await inviteHelpers(env).receive(inviter);
  const loser = await env.member({ amountMinor: 10_000n });
  const games = gameHelpers(env);
  await games.open(loser, 'betflix');
  await games.transfer(loser, 'wallet', 'betflix', 100);
  await games.play(loser, 'betflix', 100, 'lose');
  await refundHelpers(env).receive(loser);
  await walk(marketing, 'invites.listInvites', { query: `?inviter=${inviter.id}&state=RECEIVED` });
  await walk(marketing, 'refunds.listRefunds', { query: `?member=${loser.id}` });
  const body = { value: 4, version: 0, reason: 'a harder one' };
  await walk(marketing, 'settings.changePromotionSetting', { params: { key: 'invite.betTimes' }, body });
}

/** A guest is answered, handed on, put aside, ended, taken up again and merged with their second conversation. */
export async function walkChats(
  env: TestEnv,
  walk: Walk,
  som: TestOperator,
  lead: TestOperator,
): Promise<void> {
  const message = { message_type: 'text', payload: { message: 'hello' } };
  const guestId = crypto.randomUUID();
  await env.call('POST', '/api/chat/send-message', { guestId, message });
  const { chats } = await walk(som, 'chat.listChats', { query: '?box=unassigned' });
  const one = { params: { id: chats[0].id } };
  await walk(som, 'chat.takeChat', { ...one, body: {} });
  await walk(som, 'chat.readChatUpTo', { ...one, body: {} });
  await walk(som, 'chat.reportTyping', { ...one, body: {} });
  await walk(som, 'chat.sendMessage', { ...one, body: { message } });
  await walk(som, 'chat.addNote', { ...one, body: { text: 'a regular customer' } });
  await walk(som, 'chat.tagChat', { ...one, body: { added: ['deposit'], removed: [] } });
  await walk(som, 'chat.transferChat', { ...one, body: { operator: String(lead.id) } });
  await walk(lead, 'chat.snoozeChat', { ...one, body: { until: null } });
  await walk(lead, 'chat.holdChat', { ...one, body: { isHeld: true } });
  const macro = { params: { name: 'thanks' } };
  const does = { text: 'thank you', tags: ['thanked'], isTaken: true, ending: 'NONE' };
  await walk(lead, 'chat.saveMacro', { ...macro, body: does });
  await walk(lead, 'chat.listMacros');
  await walk(lead, 'chat.runMacro', {
    params: { ...one.params, name: 'thanks' },
    body: { key: 'walk-macro' },
  });
  await walk(lead, 'chat.removeMacro', macro);
  const { id: team } = await walk(lead, 'chat.addTeam', { body: { name: 'Lao desk', members: [] } });
  const payments = { params: { id: team } };
  await walk(lead, 'chat.saveTeam', { ...payments, body: { name: 'Payments', members: [String(som.id)] } });
  await walk(lead, 'chat.listTeams');
  await walk(som, 'chat.giveChatToTeam', { ...one, body: { team } });
  await walk(som, 'chat.listChats', { query: '?box=team' });
  await walk(lead, 'chat.removeTeam', payments);
  await walk(lead, 'chat.endChat', { ...one, body: {} });
  await walk(lead, 'chat.reopenChat', { ...one, body: {} });
  await walk(lead, 'chat.readChat', one);
  await walk(lead, 'chat.listMessages', one);
  await env.call('POST', '/api/chat/send-message', { guestId: crypto.randomUUID(), message });
  const waiting = await walk(lead, 'chat.listChats', { query: '?box=unassigned' });
  const again = { params: { id: waiting.chats[0].id } };
  await walk(lead, 'chat.mergeChat', { ...again, body: { into: chats[0].id, reason: 'the same person' } });
  const hello = { params: { shortcut: 'hello' } };
  await walk(lead, 'chat.saveCanned', { ...hello, body: { text: 'สวัสดีค่ะ' } });
  await walk(lead, 'chat.listCanned');
  await walk(lead, 'chat.removeCanned', hello);
  await walk(lead, 'chat.readChatFigures');
}

/** A webhook is added, tried, changed, looked into, replayed and removed. */
export async function walkWebhooks(walk: Walk, admin: TestOperator, env: TestEnv): Promise<void> {
  const fields = {
    url: 'https://hooks.example/',
    description: 'books',
    events: ['deposit.credited'],
    currency: null,
  };
  const reason = 'the bookkeeping listens';
  const { id } = await walk(admin, 'webhooks.createWebhook', { body: { ...fields, reason } });
  const params = { id };
  await walk(admin, 'webhooks.changeWebhook', { params, body: { ...fields, currency: 'BAHT', reason } });
  await walk(admin, 'webhooks.rotateWebhookSecret', { params, body: { reason } });
  const { deliveryId } = await walk(admin, 'webhooks.testWebhook', { params });
  await walk(admin, 'webhooks.listWebhooks');
  await walk(admin, 'webhooks.setWebhookState', { params, body: { state: 'DISABLED', reason } });
  await walk(admin, 'webhooks.setWebhookState', { params, body: { state: 'ENABLED', reason } });
  await walk(admin, 'webhooks.listWebhookDeliveries', { params });
  // No sender runs here: the delivery ends as one that was not sent.
  const end = "update webhook_delivery set state = 'SKIPPED', ended_at = now() where id = $1";
  await env.owner.query(end, [deliveryId]);
  await walk(admin, 'webhooks.replayWebhookDelivery', { params: { id: deliveryId } });
  await walk(admin, 'webhooks.readWebhookDelivery', { params: { id: deliveryId } });
  const range = { from: '2026-01-01', to: '2027-01-01', states: ['SKIPPED'], reason };
  await walk(admin, 'webhooks.replayWebhook', { params, body: range });
  await walk(admin, 'webhooks.removeWebhook', { params, body: { reason } });
}

/** A day is compared again, and what does not agree is explained. */
export async function walkReconciliation(walk: Walk, env: TestEnv, lead: TestOperator): Promise<void> {
  const { today: day } = await walk(lead, 'reconciliation.readReconciliation');
  await walk(lead, 'reconciliation.runReconciliation', { body: { day } });
  await env.owner.query(
    `with run as (insert into reconciliation_run (day, source, currency, state) values ($1, 'gateway:OLD', 'BAHT', 'COMPARED') returning day, source)
     insert into reconciliation_difference (day, source, currency, kind, mark, direction, their_reference, their_amount, their_at, state, found_at)
     select day, source, 'BAHT', 'MISSING_OURS', 'theirs', 'IN', 'T1', 100, now(), 'OPEN', now() from run`,
    [day],
  );
  const { differences } = await walk(lead, 'reconciliation.listDifferences', { query: `?day=${day}` });
  await walk(lead, 'reconciliation.explainDifference', {
    params: { id: differences[0].id },
    body: { reason: 'an old test of theirs' },
  });
  await walk(lead, 'reconciliation.readReconciliation', { query: `?day=${day}` });
  const file = { source: 'bank:SCB:2223334445', name: 'scb.csv', text: 'Date,Amount\n2026-01-05,10.00\n' };
  const { body } = await uploadStatement(env, lead, file);
  await walk(lead, 'reconciliation.listStatements', { query: '?source=bank:SCB:2223334445' });
  await walk(lead, 'reconciliation.removeStatement', {
    params: { id: body.id },
    body: { reason: 'the wrong month' },
  });
}

/** A withdrawal is rejected for a reason and the decision undone; reasons are prepared and removed. */
export async function walkRejections(
  walk: Walk,
  env: TestEnv,
  operator: TestOperator,
  withdrawal: () => Promise<string>,
): Promise<void> {
  const id = await withdrawal();
  await env.set('desk.undoSeconds', 5);
  const ids = [id];
  const [colleague] = (await walk(operator, 'withdrawals.listAssignees')).operators;
  const given = await withdrawal();
  await walk(operator, 'withdrawals.assignWithdrawal', {
    params: { id: given },
    body: { operator: colleague.id },
  });
  await walk(operator, 'withdrawals.rejectWithdrawals', { body: { ids, reason: 'another name' } });
  // Undone, it is with who decided again.
  await walk(operator, 'withdrawals.undoWithdrawals', { body: { ids } });
  await env.set('desk.undoSeconds', 0);
  const body = { status: 'REVIEW', reason: 'another name' };
  await walk(operator, 'withdrawals.rejectWithdrawal', { params: { id }, body });
  const prepared = { params: { id: 'call-us' } };
  const notice = { th: 'กรุณาติดต่อเรา', la: 'ກະລຸນາຕິດຕໍ່ພວກເຮົາ', en: 'Please contact us' };
  await walk(operator, 'withdrawals.saveRejectionReason', { ...prepared, body: { notice } });
  await walk(operator, 'withdrawals.listRejectionReasons');
  await walk(operator, 'withdrawals.removeRejectionReason', prepared);
}

/** A key is made, revoked by its owner, and with all others by an administrator. */
export async function walkKeys(
  walk: Walk,
  { maker, admin, password }: { maker: TestOperator; admin: TestOperator; password: string },
  env: TestEnv,
): Promise<void> {
  await env.owner.query('update operator set totp_step = 0 where name = $1', [maker.name]);
  const code = await operatorHelpers(env).code(maker.name);
  const body = { name: 'books', permissions: ['deposit.read'], days: 30, password, code };
  const { id } = await walk(maker, 'keys.createKey', { body });
  await walk(maker, 'keys.listKeys');
  await walk(maker, 'keys.revokeKey', { params: { id } });
  const everything = { params: { name: maker.name }, body: { reason: 'they left' } };
  await walk(admin, 'keys.revokeOperatorKeys', everything);
}

/** A request is read and written about; others are decided together. */
export async function walkRequests(
  walk: Walk,
  [maker, checker]: readonly TestOperator[],
  withdrawals: readonly string[],
): Promise<void> {
  const ids = [];
  for (const id of withdrawals) {
    await walk(maker!, 'withdrawals.takeWithdrawal', { params: { id } });
    const body = { status: 'REVIEW' };
    ids.push((await walk(maker!, 'withdrawals.approveWithdrawal', { params: { id }, body })).approval);
  }
  const request = { params: { id: ids[0] } };
  await walk(checker!, 'overview.commentApproval', { ...request, body: { text: 'Which document?' } });
  await walk(checker!, 'overview.readApproval', request);
  await walk(checker!, 'overview.listApprovalKinds');
  await walk(checker!, 'overview.approveMany', { body: { ids: [ids[0]] } });
  await walk(checker!, 'overview.refuseMany', { body: { ids: [ids[1]], note: 'not now' } });
}

/** The first page: what waits, what is next, today beside other days, and how partners do. */
export async function walkToday(walk: Walk, operator: TestOperator): Promise<void> {
  for (const name of ['overview.readToday', 'today.readWork', 'today.readHours', 'today.readPartners'])
    await walk(operator, name);
}

/** What operators keep about a member: notes, pins and tags. */
export async function walkRecord(env: TestEnv, walk: Walk, by: TestOperator, id: bigint): Promise<void> {
  const one = { params: { id: String(id) } };
  await walk(by, 'members.addNote', { ...one, body: { text: 'calls at night' } });
  const [note] = (await walk(by, 'members.readMember', one)).notes;
  await walk(by, 'members.pinNote', {
    params: { ...one.params, note: note.id },
    body: { isPinned: true },
  });
  await walk(by, 'members.tagMember', { ...one, body: { added: ['regular'], removed: [] } });
  await walk(by, 'members.listMemberTags');
  await walk(by, 'members.listTimeline', one);
  await walk(by, 'members.listShared', one);
  await walk(by, 'members.readInviteTree', one);
  await walkKyc(env, walk, by, id);
  await walk(by, 'mentions.listColleagues');
  const other = await operatorHelpers(env).operator('support');
  await walk(by, 'members.addNote', { ...one, body: { text: `@${other.name} knows more` } });
  const [mention] = (await walk(other, 'mentions.listMentions')).mentions;
  await walk(other, 'mentions.seeMention', { params: { id: mention.id } });
}

/** A member is verified, asked for a document all the same, and it is refused. */
async function walkKyc(env: TestEnv, walk: Walk, by: TestOperator, id: bigint): Promise<void> {
  const one = { params: { id: String(id) } };
  const { round, state } = await walk(by, 'kyc.readKyc', one);
  await walk(by, 'kyc.verifyKyc', { ...one, body: { seen: { round, state }, reason: 'came to the office' } });
  const documents = ['identity'];
  const verified = { round: round + 1, state: 'VERIFIED' };
  await walk(by, 'kyc.requestKyc', { ...one, body: { seen: verified, documents, reason: 'large sums' } });
  await env.owner.query(
    "update kyc_check set state = 'SUBMITTED', submitted_at = now() where member_id = $1",
    [id],
  );
  const submitted = { round: round + 2, state: 'SUBMITTED' };
  await walk(by, 'kyc.refuseKyc', { ...one, body: { seen: submitted, documents, refusal: 'NAME' } });
}

/** A list is stored as a view with its own columns and size. */
export async function walkViews(walk: Walk, by: TestOperator): Promise<void> {
  const stored = await walk(by, 'views.saveView', {
    body: { pageName: 'withdrawals', name: 'large ones', address: 'sort=-amount', audience: 'all' },
  });
  await walk(by, 'views.chooseColumns', { body: { pageName: 'withdrawals', shown: ['amount'] } });
  await walk(by, 'views.choosePageSize', { body: { pageName: 'withdrawals', size: 50 } });
  await walk(by, 'views.chooseDefaultView', { body: { pageName: 'withdrawals', id: stored.id } });
  await walk(by, 'views.listViews');
  await walk(by, 'views.removeView', { params: { id: stored.id } });
}

/** A report is scheduled, sent at once, and no more. */
export async function walkSchedules(walk: Walk, by: TestOperator): Promise<void> {
  const recipients = ['books@krapao.example'];
  const body = { report: 'cash', format: 'csv', period: 'MONTH', language: 'la', recipients };
  const { id } = await walk(by, 'schedules.addSchedule', { body });
  await walk(by, 'schedules.listSchedules');
  await walk(by, 'schedules.sendSchedule', { params: { id } });
  await walk(by, 'schedules.removeSchedule', { params: { id } });
}
