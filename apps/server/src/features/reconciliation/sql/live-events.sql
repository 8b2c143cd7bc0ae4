-- Notifies consoles that a comparison has changed.
create or replace trigger console_changed
  after update on reconciliation_run for each statement
  execute function console_changed('reconciliation');

-- Notifies consoles that a difference has changed.
create or replace trigger console_changed
  after update on reconciliation_difference for each statement
  execute function console_changed('reconciliation');
