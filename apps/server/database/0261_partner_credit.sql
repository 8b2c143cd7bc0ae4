-- Keeps what is left of the credit at game agents and the SMS gateway, as it was last read
-- An agent's is in credits of its games; that of the SMS gateway, which has no agent, in messages.

create table partner_credit (
  partner text not null,
  agent text not null,
  credit numeric(20, 2) not null,
  read_at timestamptz not null,
  primary key (partner, agent)
);
grant select, insert, update, delete on partner_credit to krapao_app;
