-- Notifications and web push

-- Notifications for members, written in the transaction of the event and sent by web push to the browsers that
-- subscribed. Texts are composed when read, in the member's language.
create table notification (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  kind text not null check (kind in ('deposit', 'withdraw', 'bonus', 'chat', 'login')),
  -- Id of the subject. With the kind it names the event, so that each is notified once.
  subject text not null,
  status text,
  amount bigint,
  -- Title of a bonus, or user agent of a browser.
  name text,
  created_at timestamptz not null,
  read_at timestamptz,
  unique (member_id, kind, subject)
);
create index notification_of on notification (member_id, id desc);
create index notification_unread on notification (member_id) where read_at is null;
create index notification_age on notification using brin (created_at);

-- Members' choices; a member without a row has the defaults.
create table push_preference (
  member_id bigint primary key references member,
  money boolean not null,
  bonus boolean not null,
  chat boolean not null,
  login boolean not null,
  hides_amounts boolean not null,
  updated_at timestamptz not null
);

-- Our key for push services (RFC 8292), generated on first use.
create table push_key (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  private_sealed bytea not null,
  created_at timestamptz not null
);

-- The push subscription of a session's browser. The endpoint is sealed, because it allows anyone to send to the
-- browser.
create table push_subscription (
  id bigint generated always as identity primary key,
  session_hash bytea not null unique references session,
  member_id bigint not null references member,
  endpoint_sealed bytea not null,
  endpoint_fingerprint bytea not null unique,
  -- {"p256dh", "auth"}: the browser's keys for encrypting messages.
  keys_sealed bytea not null,
  language text not null check (language in ('th', 'la', 'en')),
  created_at timestamptz not null
);
create index push_subscription_of on push_subscription (member_id, id);

-- Push messages to be sent.
create table push_delivery (
  notification_id bigint not null references notification on delete cascade,
  subscription_id bigint not null references push_subscription on delete cascade,
  due_at timestamptz not null,
  tries integer not null default 0,
  primary key (notification_id, subscription_id)
);
create index push_delivery_due on push_delivery (due_at);
create index push_delivery_to on push_delivery (subscription_id);

grant select, update, delete on notification to krapao_app;
grant select, insert, update, delete on push_preference, push_subscription, push_delivery to krapao_app;
grant select, insert on push_key to krapao_app;
