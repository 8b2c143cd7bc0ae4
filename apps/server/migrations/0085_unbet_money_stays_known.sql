-- Cut into several withdrawals, money must still be bet before it leaves: what one leaves behind unbet is asked of the next.

create table withdrawal_unbet (
  -- Noted just before the withdrawal is asked for.
  withdrawal_id text primary key,
  -- The bets that were owed since a moment, those made by then included, minor units.
  needed bigint not null check (needed > 0),
  since timestamptz not null
);

grant select, insert, delete on withdrawal_unbet to krapao_app;
