-- What the search of the console looks for: transfers to games by amount
create index provider_transfer_amount on provider_transfer (amount, id);
