-- Counts the calls to each partner by the minute, for their health over the last hour

create table partner_minute (
  partner text not null,
  minute timestamptz not null,
  calls integer not null,
  failed integer not null,
  total_ms bigint not null,
  max_ms integer not null,
  primary key (partner, minute)
);
create index partner_minute_at on partner_minute (minute);

grant select, insert, update, delete on partner_minute to krapao_app;
