/**
 * The events of GET /api/operator/live (server-sent events, one JSON object each): something in a page
 * has changed, or a new row waits there. A hint without content; the next read is the truth.
 */
export interface ConsoleEvent {
  pageName:
    | 'withdrawals'
    | 'unmatched'
    | 'reports'
    | 'slips'
    | 'deposits'
    | 'members'
    | 'kyc'
    | 'mentions'
    | 'transfers'
    | 'approvals'
    | 'alerts'
    | 'assignments'
    | 'reconciliation'
    | 'chats'
    | 'wheels'
    | 'coupons';
  /** Something new waits; the console rings. */
  isNew: boolean;
  /**
   * Names what arrived, the same for every listener; pages of one browser ring for it once between them. In `members`
   * the member whose page the stream was opened for (`?member=ID`); no other member is named.
   */
  arrival?: string;
  /** What happened, where a page tells it: in `chats`, `typing` with the conversation as arrival. */
  word?: string | null;
}
