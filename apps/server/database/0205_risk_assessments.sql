-- Stores the risk score of a withdrawal with what it was computed from

-- 0 to 100; null for a withdrawal of an earlier release and for one that is sent again.
alter table withdrawal add column risk_score smallint;

-- Why a withdrawal was paid automatically or waited, as it was known when it was requested.
create table risk_assessment (
  withdrawal_id text primary key,
  score smallint not null check (score between 0 and 100),
  -- What the score is made of, and the figures behind every part, those of parts without points included.
  parts jsonb not null,
  evidence jsonb not null,
  -- Why it waits; empty when it was paid automatically.
  reasons text[] not null check (
    reasons <@ array['SCORE', 'HELD', 'UNPLAYED', 'UNPLAYED_UNKNOWN', 'AMOUNT', 'DAY', 'COOLING']),
  -- The settings that decided; amounts in minor units. `day_total` was paid automatically in the 24 hours before.
  review_score integer not null,
  hold_score integer not null,
  automatic_max bigint not null,
  automatic_day_max bigint not null,
  day_total bigint not null,
  created_at timestamptz not null
);

-- only_one: rejected while another withdrawal is open. reasons: why it needs review whatever its amount.
create type withdrawal_request_row as (
  id text, member_id bigint, bank_account_id bigint, bank_code text, amount bigint, only_one boolean,
  unplayed bigint, unbet_needed bigint, unbet_since timestamptz, automatic_max bigint, automatic_day_max bigint,
  reasons text[], score smallint, parts jsonb, evidence jsonb, review_score integer, hold_score integer,
  alert_score integer
);

-- The IPv4 address, or the IPv6 /64, of a public address; null for a private one and for logins of earlier releases.
alter table session add column network text;
create index session_of_network on session (network, created_at) where network is not null;
create index session_of_network_browser on session (network, hashtext(user_agent), created_at)
  where network is not null and user_agent is not null;
create index bank_account_number on bank_account (bank_code, account_no_fingerprint);
create index bank_account_member on bank_account (member_id);

update operator_role
set permissions = permissions || '{risk.manage}', updated_at = now()
where code in ('admin', 'risk');
update operator_role
set permissions = permissions || '{setting.read}', updated_at = now()
where code = 'risk';

grant select on risk_assessment to krapao_app;
