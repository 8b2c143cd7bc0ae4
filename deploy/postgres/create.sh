#!/bin/sh
# Makes the roles and the database at the first start, as `npm run admin -- database create` would.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="${OWNER_PASSWORD:?}" -v app="${APP_PASSWORD:?}" --username postgres <<'SQL'
create role krapao_owner login password :'owner';
create role krapao_app login password :'app';
alter role krapao_app set statement_timeout = '5s';
alter role krapao_app set idle_in_transaction_session_timeout = '30s';
alter role krapao_app set jit = 'off';
create database krapao owner krapao_owner;
SQL
