-- Operators: roles, logins, saved views

-- Roles of operators: editable sets of permissions.
create table operator_role (
  code text primary key,
  permissions text[] not null,
  updated_at timestamptz not null
);

-- Operators' accounts.
create table operator (
  id bigint generated always as identity primary key,
  name text not null unique,
  password_hash text,
  role text not null,
  status text not null default 'ACTIVE' check (status in ('INVITED', 'ACTIVE', 'SUSPENDED')),
  created_at timestamptz not null,
  -- The secret of the authenticator app, and the time step of the last accepted code: each code is valid once.
  totp_sealed bytea,
  totp_step bigint not null default 0,
  -- A single-use enrolment token; whoever presents it sets the password.
  enrolment_hash bytea unique,
  enrolment_expires_at timestamptz,
  constraint operator_role_known foreign key (role) references operator_role
);

-- Login sessions of operators.
create table operator_session (
  token_hash bytea primary key,
  id text not null unique,
  operator_id bigint not null references operator,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- The absolute end. An idle session ends earlier.
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  user_agent text
);
create index operator_session_of on operator_session (operator_id) where ended_at is null;

-- Saved views of the console's lists.
create table console_view (
  id text primary key,
  operator_id bigint not null references operator,
  page_name text not null,
  name text not null,
  -- Filters, order and columns as the query string of the page.
  address text not null,
  audience text not null check (audience in ('me', 'role', 'all')),
  -- The role the view is shared with.
  role text references operator_role,
  saved_at timestamptz not null,
  check ((audience = 'role') = (role is not null)),
  unique (operator_id, page_name, name)
);

-- Columns that an operator has chosen to see in a list of the console.
create table console_columns (
  operator_id bigint not null references operator,
  page_name text not null,
  shown text[] not null,
  primary key (operator_id, page_name)
);

grant select, insert, update on operator_role, operator, operator_session to krapao_app;
grant select, insert, update, delete on console_view, console_columns to krapao_app;
