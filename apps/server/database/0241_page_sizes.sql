-- Keeps how many rows a page of a list has for an operator

alter table console_columns add column page_size smallint check (page_size in (25, 50, 100));
