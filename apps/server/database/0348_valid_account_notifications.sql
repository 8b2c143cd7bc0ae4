-- Checks the rows from before the longer list of notification kinds, without a lock on writes

alter table notification validate constraint notification_kind_check;
