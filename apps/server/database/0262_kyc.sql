-- Keeps the identity checks of members with their documents, and lets them send withdrawals to review

create table kyc_check (
  member_id bigint primary key references member(id),
  state text not null check (state in ('REQUESTED', 'SUBMITTED', 'VERIFIED', 'REFUSED')),
  -- Grows with every request and decision. Documents belong to the round in which they came.
  round int not null check (round > 0),
  wanted text[] not null check (wanted <@ array['identity', 'selfie', 'bankBook', 'address']),
  refusal text check (refusal in ('UNREADABLE', 'INCOMPLETE', 'EXPIRED', 'NAME', 'WRONG_DOCUMENT')),
  requested_by text,
  requested_at timestamptz,
  submitted_at timestamptz,
  decided_by text,
  decided_at timestamptz
);
create index kyc_check_state on kyc_check (state, submitted_at);
grant select, insert, update on kyc_check to krapao_app;

create table kyc_document (
  id bigint generated always as identity primary key,
  member_id bigint not null references kyc_check(member_id),
  round int not null,
  kind text not null check (kind in ('identity', 'selfie', 'bankBook', 'address')),
  -- The key of the picture in the file store.
  file text not null unique,
  received_at timestamptz not null,
  unique (member_id, round, kind)
);
grant select, insert, update (file, received_at) on kyc_document to krapao_app;

alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check
  check (kind in ('deposit', 'withdraw', 'bonus', 'chat', 'login', 'kyc')) not valid;

alter table risk_assessment drop constraint risk_assessment_reasons_check;
alter table risk_assessment add constraint risk_assessment_reasons_check check (
  reasons <@ array[
    'SCORE', 'HELD', 'UNPLAYED', 'UNPLAYED_UNKNOWN', 'UNVERIFIED', 'AMOUNT', 'DAY', 'COOLING']) not valid;

update operator_role
set permissions = permissions || '{member.kyc}', updated_at = now()
where code in ('admin', 'risk', 'finance-lead');
