-- Progress of reading a member's bets, where one reading of the provider does not take all of them

-- One row for each moment since which bets of a game account are counted: of a run, an invite credit or a withdrawal.
create table game_played (
  member_id bigint not null,
  slot_code text not null,
  since timestamptz not null,
  -- All bets settled before this moment are counted; by the provider's clock.
  until timestamptz not null,
  -- Hundredths of a credit staked from `since` to `until`.
  turnover bigint not null,
  read_at timestamptz not null,
  primary key (member_id, slot_code, since),
  foreign key (member_id, slot_code) references game_account
);
grant select, insert, update, delete on game_played to krapao_app;
