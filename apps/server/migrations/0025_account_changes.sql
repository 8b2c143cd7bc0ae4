-- A member asks for another bank account to be paid to; an operator decides, and the new one rests before it is paid.

-- Whoever asks is an operator or a member.
alter table approval alter column maker_id drop not null;
alter table approval add column maker_member_id bigint references member;
alter table approval add constraint approval_maker check (num_nonnulls(maker_id, maker_member_id) = 1);
create index approval_thing on approval (thing, action, made_at desc);

-- Until when nothing is paid to an account that replaced another; null for the one given at registration.
alter table bank_account add column cool_until timestamptz;
alter table withdrawal add column held_until timestamptz;

-- A withdrawal to an account that rests is held, whoever writes it.
create function withdrawal_held() returns trigger language plpgsql as $$
begin
  select a.cool_until into new.held_until from bank_account a where a.id = new.bank_account_id and a.cool_until > new.created_at;
  return new;
end $$;
create trigger withdrawal_held before insert on withdrawal for each row execute function withdrawal_held();

-- No worker takes a held withdrawal for paying before its time: the row stays as it is.
create function withdrawal_waits() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger withdrawal_waits before update of status on withdrawal for each row
  when (old.status = 'QUEUED' and new.status = 'PROCESSING' and old.held_until > new.updated_at) execute function withdrawal_waits();
