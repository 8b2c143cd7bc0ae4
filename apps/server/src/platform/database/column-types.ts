import type { banners, ReviewReason, RiskPartCode } from '@krapao/contract/operator';
import type { Currency, KycDocument, Language, LocalizedText } from '@krapao/contract/shared';
import type { Static } from 'typebox';

/** A whole number as a parameter. */
export type Whole = bigint | number | string;
/** A list as a parameter, as PostgreSQL writes it. */
export type ListText = `{${string}}`;
/** JSON as a parameter: an object, or the text of any JSON value. */
export type Json = object | string;

/**
 * What columns hold beyond what PostgreSQL knows, by `table.column` or `routine.column`: the fields of JSON, and texts without a check.
 * Nothing proves these lines, so each stands for what the code that writes the column keeps to.
 */
export interface ColumnTypes {
  'approval.lapsed_because': 'MAKER' | 'PASSWORD';
  'approval.summary': Record<string, unknown>;
  'banner.place': Static<typeof banners.addBanner.body>['place'];
  'banner.words': Static<typeof banners.addBanner.body>['words'];
  'bonus.banners': { image: string; html: LocalizedText }[];
  'bonus.description': LocalizedText;
  'bonus.games': Record<string, number>;
  'bonus.title': LocalizedText;
  'bonus_version.row': Record<string, unknown>;
  'bonus_run.games': Record<string, number>;
  'chat_conversation.last_sender': 'customer' | 'agent';
  'chat_message.message': { message_type: string; [field: string]: unknown };
  'content_draft.words': Record<Language, unknown>;
  'content_revision.words': Record<Language, unknown>;
  'howto_guide.titles': LocalizedText;
  'kyc_check.wanted': KycDocument[];
  'ledger_asset.code': Currency | 'COIN';
  'ledger_post_batch.states': (
    | 'posted'
    | 'repeated'
    | 'insufficient'
    | 'refused'
    | 'hold-closed'
    | 'answered'
    | 'impossible'
  )[];
  'notification.status': 'SUCCESS' | 'FAILED' | 'FORFEITED' | 'EXPIRED';
  'outbox.event': 'wallet' | 'notice';
  'outbox.payload': {
    balance?: number;
    version?: number;
    currency?: Currency;
    kind?: string;
    minor?: number;
    [field: string]: unknown;
  };
  'prize.games': Record<string, number>;
  'prize.name': LocalizedText;
  'risk_assessment.evidence': Record<string, unknown>;
  'risk_assessment.parts': {
    code: RiskPartCode;
    points: number;
    count: number | null;
    amount: number | null;
    usual: number | null;
    members: string[];
    withdrawal: string | null;
    /** Absent in those of before. */
    transfer?: string | null;
  }[];
  'risk_assessment.reasons': ReviewReason[];
  'statement_block.counts': Record<string, number>;
  'rejection_reason.notice': LocalizedText;
  'wheel_slice.html': LocalizedText;
  'wheel_slice.label': LocalizedText;
  'wheel_version.name': LocalizedText;
}
