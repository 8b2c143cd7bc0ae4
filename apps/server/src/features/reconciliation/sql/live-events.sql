create or replace trigger desk_changed
  after update on reconciliation_run for each statement
  execute function desk_changed('reconciliation');
create or replace trigger desk_changed
  after update on reconciliation_difference for each statement
  execute function desk_changed('reconciliation');
