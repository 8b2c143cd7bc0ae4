-- Passes the version of the wallet that a withdrawal was assessed with

-- wallet_version: rejected when the wallet has changed since; null: not compared.
alter type withdrawal_request_row add attribute wallet_version bigint;
