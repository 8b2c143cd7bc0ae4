-- Notifies member apps that banners have changed.
create or replace trigger site_changed
  after insert or update on banner for each statement
  execute function site_changed('words');
