-- A new password of a member ends their pending request for another bank account, see decision 195

alter table approval
  drop constraint approval_lapsed_because_check,
  add constraint approval_lapsed_because_check check (lapsed_because in ('MAKER', 'PASSWORD'));
