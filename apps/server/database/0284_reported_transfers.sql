-- Records which bank transactions are the money of payment reports that operators had credited before

create table reported_transfer (
  bank_transaction_id bigint primary key references bank_transaction (id),
  payment_report_id text not null unique references payment_report (id),
  entry_id bigint not null unique
);
grant select on reported_transfer to krapao_app;

create type operator_reported_transfer_row as (action operator_action_row, evidence_id bigint, report_id text);
