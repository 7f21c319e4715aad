-- Who may come in, what they own, and what they did.

create table accounts (
  id text primary key,
  name text not null,
  role text not null check (role in ('operator', 'customer')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null
);

-- There is one operator: the account of the first start.
create unique index accounts_one_operator on accounts (role) where role = 'operator';

create table users (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  email text not null,
  name text,
  password_hash text,
  last_sign_in_at timestamptz,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));
create index users_account on users (account_id);

create table sessions (
  id text primary key,
  token_hash bytea not null unique,
  user_id text not null references users on delete cascade,
  ip text,
  user_agent text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table sign_in_links (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade,
  expires_at timestamptz not null
);

create table api_keys (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  key_hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz
);
create index api_keys_account on api_keys (account_id);

create table apps (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  key_sealed bytea not null,
  security_score double precision not null default 0 check (security_score between 0 and 100),
  plan text not null check (plan in ('free', 'pro', 'team', 'enterprise')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  github_repo text,
  github_installation_id bigint,
  settings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index apps_account on apps (account_id, id);
create index apps_repo on apps (lower(github_repo)) where github_repo is not null;

-- The current key and, until expires_at, those before it.
create table app_keys (
  key_hash bytea primary key,
  app_id text not null references apps on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index app_keys_app on app_keys (app_id);

-- Each account has its own chain: the hash of an entry covers the hash of the one before it.
create table audit_log (
  account_id text not null references accounts on delete cascade,
  sequence bigint not null,
  id text not null unique,
  action text not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'system', 'anonymous')),
  actor_id text,
  actor_name text,
  target text,
  ip text,
  user_agent text,
  request_id text,
  before jsonb,
  after jsonb,
  at timestamptz not null,
  hash bytea not null,
  primary key (account_id, sequence)
);

-- Append-only also for our own code: only the deletion of a whole account takes its log along.
create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select 1 from accounts where id = old.account_id) then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_is_append_only();

-- Every node keeps resolved credentials for a few seconds. These triggers tell all of them to
-- forget, whichever code made the change. Columns that change in routine are left out.
create function forget_credentials() returns trigger language plpgsql as $$
begin
  notify merlon_credentials;
  return null;
end $$;
create trigger accounts_forget after update or delete on accounts
  for each statement execute function forget_credentials();
create trigger users_forget after update of email, account_id or delete on users
  for each statement execute function forget_credentials();
create trigger sessions_forget after update or delete on sessions
  for each statement execute function forget_credentials();
create trigger api_keys_forget after update of key_hash, expires_at, account_id or delete on api_keys
  for each statement execute function forget_credentials();
create trigger apps_forget after update of status, plan, settings, account_id or delete on apps
  for each statement execute function forget_credentials();
create trigger app_keys_forget after insert or update or delete on app_keys
  for each statement execute function forget_credentials();
