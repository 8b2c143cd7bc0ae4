-- Operators' accounts: roles as editable sets of permissions, a second factor, sessions of their own.

create table operator_role (
  code text primary key,
  permissions text[] not null,
  updated_at timestamptz not null
);
insert into operator_role values
  ('support', '{today.read,member.read,member.note,deposit.read}', now()),
  ('finance', '{today.read,withdrawal.read,withdrawal.decide,withdrawal.pay,deposit.read,unmatched.read,unmatched.settle,transfer.read,transfer.settle,member.read,member.reveal,member.note,entry.make,approval.read,export.read}', now()),
  ('finance-lead', '{today.read,withdrawal.read,withdrawal.decide,withdrawal.pay,deposit.read,unmatched.read,unmatched.settle,transfer.read,transfer.settle,member.read,member.reveal,member.note,entry.make,approval.read,approval.money,audit.read,export.read}', now()),
  ('marketing', '{today.read}', now()),
  ('risk', '{today.read,withdrawal.read,deposit.read,transfer.read,member.read,member.reveal,member.status,member.note,audit.read}', now()),
  ('admin', '{today.read,member.read,member.status,approval.read,approval.access,audit.read,operator.read,operator.manage}', now()),
  ('auditor', '{today.read,withdrawal.read,deposit.read,unmatched.read,transfer.read,member.read,approval.read,audit.read,export.read,operator.read}', now());

-- An invited operator has no password yet; roles are rows now.
alter table operator alter column password_hash drop not null;
alter table operator drop constraint operator_role_check;
alter table operator drop constraint operator_status_check;
alter table operator add constraint operator_status_check check (status in ('INVITED', 'ACTIVE', 'SUSPENDED'));
alter table operator add constraint operator_role_known foreign key (role) references operator_role;
-- The secret of the authenticator, and the last time step a code was taken for: a code counts once.
alter table operator add column totp_sealed bytea;
alter table operator add column totp_step bigint not null default 0;
-- A one-time enrolment: whoever brings its token chooses the password.
alter table operator add column enrolment_hash bytea unique;
alter table operator add column enrolment_expires_at timestamptz;

create table operator_session (
  token_hash bytea primary key,
  id text not null unique,
  operator_id bigint not null references operator,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- The absolute end; an idle session ends earlier.
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  user_agent text
);
create index operator_session_of on operator_session (operator_id) where ended_at is null;

-- The role the actor had when he acted.
alter table audit add column role text;
create index audit_actor on audit (actor, id);
create index audit_action on audit (action, id);

grant select, insert, update on operator_role, operator_session to krapao_app;
