-- Lets operators add, name, link and remove games, and name their providers

-- Null: as `name`.
alter table slot add column name_la text, add column name_en text;
-- Removed from every list; kept for the money and the statements that name it.
alter table slot add column archived_at timestamptz;
grant delete on slot to krapao_app;

-- Null: the provider's standard name.
alter table game_provider add column name_th text, add column name_la text, add column name_en text;
