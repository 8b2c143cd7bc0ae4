-- A payout, game transfer or gift whose money was given back stays under observation: the partner is asked about it for
-- some days, because an order that it executes late pays a second time.

-- When the watch began, and when the partner was last asked, by the database's clock; null: not watched.
alter table payout add column watched_since timestamptz, add column watch_asked_at timestamptz;
alter table provider_transfer add column watched_since timestamptz, add column watch_asked_at timestamptz;
alter table gift_redemption add column watched_since timestamptz, add column watch_asked_at timestamptz;
create index payout_watched on payout (watched_since) where watched_since is not null;
create index provider_transfer_watched on provider_transfer (watched_since) where watched_since is not null;
create index gift_redemption_watched on gift_redemption (watched_since) where watched_since is not null;

-- The code with which the bank refused the order sent last; null: it was not refused. A refused repeat proves nothing of
-- the order before it.
alter table payout add column refused_code text;

create function begin_watch() returns trigger language plpgsql as $$
begin
  new.watched_since := now();
  new.watch_asked_at := null;
  return new;
end $$;
create trigger begin_watch before update on payout for each row
  when (new.state = 'REJECTED' and old.state <> 'REJECTED') execute function begin_watch();
create trigger begin_watch before update on provider_transfer for each row
  when (new.state = 'FAILED' and old.state <> 'FAILED') execute function begin_watch();
create trigger begin_watch before update on gift_redemption for each row
  when (new.state = 'FAILED' and old.state <> 'FAILED') execute function begin_watch();

-- What was released in the days before this migration is watched from now on.
update payout set watched_since = now() where state = 'REJECTED' and touched_at > now() - interval '3 days';
update provider_transfer set watched_since = now() where state = 'FAILED' and touched_at > now() - interval '3 days';
update gift_redemption set watched_since = now() where state = 'FAILED' and created_at > now() - interval '3 days';

grant update (watched_since, watch_asked_at) on gift_redemption to krapao_app;
