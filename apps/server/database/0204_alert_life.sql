-- Gives alerts a life: who investigates them, how they ended and why

alter table alert add column assignee_id bigint references operator;
alter table alert add column taken_at timestamptz;
-- Null while it is open, and for what was closed before there were two ways.
alter table alert add column outcome text check (outcome in ('RESOLVED', 'DISMISSED'));
alter table alert add check (outcome is null or closed_at is not null);
-- `operator:<name>`, or `system` when it ended with its cause.
alter table alert add column closed_by text;
alter table alert add column reason text;
alter table alert add column state text not null generated always as (
  case
    when closed_at is not null then coalesce(outcome, 'RESOLVED')
    when assignee_id is not null then 'INVESTIGATING'
    else 'OPEN'
  end) stored
  check (state in ('OPEN', 'INVESTIGATING', 'RESOLVED', 'DISMISSED'));

-- What was said of the same rule and subject before.
create index alert_past on alert (kind, subject, id) where closed_at is not null;

-- Open alerts name their subjects by kind and id, and those whose cause is gone end.
update alert set subject = 'slip:' || subject
where kind = 'slip-review' and closed_at is null and position(':' in subject) = 0;
update alert a set subject = 'doubt:' || e.id
from transfer_evidence e
where a.kind = 'transfer-unclear' and a.closed_at is null and a.subject = e.bank_code || ' ' || e.bank_reference
  and e.state = 'ASK';
update alert a set subject = 'deposit-account:' || d.id
from deposit_account d
where a.kind = 'feed-silent' and a.closed_at is null and a.subject = d.bank_code || ' ' || d.account_no
  and d.mode = 'AUTO';
update alert a set closed_at = now(), closed_by = 'system', outcome = 'RESOLVED'
where closed_at is null and (
  exists (select 1 from slip s where a.kind = 'slip-review' and a.subject = 'slip:' || s.id and s.status <> 'REVIEW')
  or exists (
    select 1 from withdrawal w
    where a.kind = 'payout-unknown' and a.subject = 'withdrawal:' || w.id and w.status in ('SUCCESS', 'FAILED'))
  or exists (
    select 1 from provider_transfer t
    where a.kind = 'transfer-unknown' and a.subject = 'transfer:' || t.id and t.state in ('DONE', 'FAILED'))
  or exists (
    select 1 from gift_redemption g
    where a.kind = 'gift-unknown' and a.subject = 'gift:' || g.id and g.state in ('DONE', 'FAILED')));
