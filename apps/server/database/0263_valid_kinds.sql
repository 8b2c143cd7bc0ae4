-- Checks the rows from before the longer lists of notification kinds and review reasons, without a lock on writes

alter table notification validate constraint notification_kind_check;
alter table risk_assessment validate constraint risk_assessment_reasons_check;
