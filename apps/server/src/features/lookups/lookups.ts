import { lookups, site } from '@krapao/contract/member';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { owesBets } from '../coins/read.ts';
import { pictureAddress, readContent, readRevision } from '../content/read.ts';
import { findOpenQrBank, hasOpenReport, qrMaximum, readRecent } from '../deposits/read.ts';
import { verifyFromMinor } from '../kyc/read.ts';
import { requireMayDeposit } from '../limits/read.ts';
import { payoutsFrom } from '../profile/read.ts';
import { hasOpenWithdrawal, lastPaid, readAutomaticMax } from '../withdrawals/read.ts';
import {
  type DepositAccountRow,
  listBanks,
  listDepositAccounts,
  listSources,
  takesSlips,
} from './queries.ts';
import { bankNamesOf, isWithinHours, SLIP_MEGABYTES_MAX } from './read.ts';

export interface LookupDeps {
  pool: Pool;
  config: Config;
  settings: Settings;
  clock: Clock;
  /** Who makes QRs for a bank code; null when that partner is not connected. */
  qrMakerOf(bankCode: string): unknown;
  /** The wallet gift links are taken into; null when none is connected. */
  gift: { name: string } | null;
}

async function readVerifyFrom(deps: LookupDeps, member: Member): Promise<number | null> {
  const fromAmount = await verifyFromMinor(deps, member);
  return fromAmount === null ? null : fromMinor(fromAmount, member.currency);
}

function declareContent(declare: Declare, { pool, config, settings }: LookupDeps): void {
  const content = (request: FastifyRequest, key: Parameters<typeof readContent>[1]) =>
    readContent(pool, key, languageOf(request, config.variant), config.variant);
  declare(lookups.info, async ({ request }) => {
    const info = (await content(request, 'info')) as { name: string; website: string } | null;
    return {
      name: info?.name ?? 'Krapao',
      website: info?.website ?? '',
      sandbox: config.sandbox,
      agreement: await readRevision(pool, 'agreements'),
      registerAge: settings.get('register.age'),
    };
  });
  declare(lookups.contact, async ({ request }) => {
    const contact = (await content(request, 'contact')) as {
      contactText: string;
      lineLink: string;
      lineName: string;
      picture?: string;
    } | null;
    const lineLink = contact?.lineLink ?? '';
    const drawn = lineLink
      ? `data:image/svg+xml,${encodeURIComponent(renderSVG(lineLink, { border: 2 }))}`
      : '';
    return {
      contactText: contact?.contactText ?? '',
      lineLink,
      lineName: contact?.lineName ?? '',
      lineQR: (contact?.picture && (await pictureAddress(pool, contact.picture))) || drawn,
    };
  });
  declare(lookups.conditions, async ({ request }) => ({
    conditions: ((await content(request, 'conditions')) ?? []) as string[],
  }));
  declare(
    lookups.agreements,
    async ({ request }) => ((await content(request, 'agreements')) ?? []) as string[],
  );
  declare(site.help, async ({ request }) => ({
    help: ((await content(request, 'help')) ?? []) as string[],
  }));
  declare(lookups.notice, async ({ request }) => ({
    notice: ((await content(request, 'notice')) ?? '') as string,
  }));
  declare(lookups.sources, async ({ request }) => listSources(pool, languageOf(request, config.variant)));
}

/** Wallets of ours that a member sends to from their own. */
const watchedWallets = (rows: readonly DepositAccountRow[]) =>
  rows
    .filter((row) => row.bank_type === 'WALLET')
    .map((row) => ({
      mode: 'AUTO' as const,
      walletAccountName: row.account_name,
      walletAccountNo: row.account_no,
    }));

/** The wallet that gift links are taken into, while they are. */
const giftWallet = ({ gift, settings }: LookupDeps, currency: Currency) =>
  gift && settings.get('deposit.open') && settings.get('gift.open') && currency === 'BAHT'
    ? [{ mode: 'LINK' as const, walletAccountName: gift.name, walletAccountNo: null }]
    : [];

/** What the withdrawal sheet needs: the limits, what is paid without a review, and what the next withdrawal waits for. */
const withdrawLookup = async (deps: LookupDeps, member: Member) => {
  const { pool, settings } = deps;
  return {
    isOpen: settings.get('withdraw.open'),
    withdrawMin: settings.get('withdraw.minimum')[member.currency],
    withdrawMax: settings.get('withdraw.maximum')[member.currency],
    automaticMax: await readAutomaticMax(deps, member),
    owesBets: await owesBets(deps, member.id),
    playedTimes: settings.get('withdraw.playedTimes'),
    payoutsFrom: await payoutsFrom(deps, member.id),
    needsPin: member.hasPin,
    hasOpen: settings.get('withdraw.oneOpen') && (await hasOpenWithdrawal(pool, member.id)),
    last: await lastPaid(pool, member),
    verifyFrom: await readVerifyFrom(deps, member),
  };
};

/** Serves the lookups: what the app needs before the first action. */
export function lookupCalls(declare: Declare, deps: LookupDeps): void {
  const { pool, config, settings, clock } = deps;
  declareContent(declare, deps);
  declare(lookups.banks, async () => {
    const rows = await listBanks(pool, config.variant);
    return rows.map((row) => ({
      code: row.code,
      ...bankNamesOf(row),
      color: row.color,
    }));
  });
  declare(lookups.deposit, async ({ member, refuse }) => {
    const openQr = (await findOpenQrBank(pool, member.id, clock.now())) ?? null;
    const leftMinor = await requireMayDeposit(refuse, deps, member, openQr === null ? 1n : 0n);
    const isOpen = settings.get('deposit.open');
    // The open QR has used the member's limit up, or deposits were stopped since: it is all that can be paid.
    const isOnlyQr = leftMinor === 0n || !isOpen;
    const rows = await listDepositAccounts(pool, member.currency, openQr, clock.now());
    const offered = rows.flatMap(({ bank_type, ...row }) =>
      bank_type !== 'WALLET' &&
      (row.mode !== 'QR' || deps.qrMakerOf(row.bank_code)) &&
      (!isOnlyQr || (row.mode === 'QR' && row.bank_code === openQr))
        ? [{ ...row, bank_type }]
        : [],
    );
    const banks = offered.map((row) => ({
      bankCode: row.bank_code,
      bankType: row.bank_type,
      mode: row.mode,
      bankAccountName: row.account_name,
      bankAccountNo: row.account_no,
      currency: row.currency,
      minimum:
        row.mode === 'QR'
          ? settings.get(row.bank_type === 'BANK' ? 'qr.minimum' : 'qr.gatewayMinimum')[member.currency]
          : null,
      maximum: row.mode === 'QR' ? qrMaximum(settings, member.currency) : null,
      bank: bankNamesOf(row),
    }));
    return {
      banks,
      wallets: isOnlyQr ? [] : [...watchedWallets(rows), ...giftWallet(deps, member.currency)],
      giftMinimum: settings.get('gift.minimum')[member.currency],
      isManual: settings.get('deposit.manual'),
      qrMinutes: settings.get('qr.minutes'),
      left: leftMinor === null ? null : fromMinor(leftMinor, member.currency),
      hasReport: await hasOpenReport(pool, member.id),
      openQr,
      takesSlips: await takesSlips(pool, member.currency),
      recent: await readRecent(pool, member),
    };
  });
  declare(lookups.withdraw, ({ member }) => withdrawLookup(deps, member));
  declare(lookups.slip, async () => {
    const closedHours = settings.get('slip.closedHours');
    return {
      open: !closedHours.some((window) => isWithinHours(clock.now(), window)),
      isManual: settings.get('deposit.manual'),
      windowMinutes: settings.get('slip.windowMinutes'),
      closedHours,
      maxSizeMB: SLIP_MEGABYTES_MAX,
    };
  });
  declare(lookups.active, async () => {
    const terminated = settings.get('service.terminated');
    return { active: terminated === false, terminated };
  });
  declare(lookups.registerOtp, async () => settings.get('register.otp'));
  declare(lookups.enableChatWidget, async () => settings.get('chat.widget'));
}
