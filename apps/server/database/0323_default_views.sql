-- Keeps which saved view a page of the console opens with for an operator

alter table console_columns add column default_view text references console_view on delete set null;
