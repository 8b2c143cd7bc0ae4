-- Keeps each order of the operators' lists sorted with the id that decides between equal rows, for pages by cursor

create index deposit_order on deposit (created_at, id);
drop index deposit_made;
create index provider_transfer_order on provider_transfer (created_at, id);
drop index provider_transfer_made;
create index member_order on member (created_at, id);
drop index member_made;
create index withdrawal_amount on withdrawal (amount, id);
create index withdrawal_risk on withdrawal ((coalesce(risk_score, 0)), id);
