-- Sign-in: throttling, second factor, identities of an OpenID provider; API keys; mail; the version of the list of
-- categories.

alter table app_user
  -- Encrypted with a key derived from the product's secret: a copy of this table cannot make codes.
  add totp_secret bytea,
  -- The time step of the last consumed code: a code is valid once.
  add totp_last_step bigint;

create table recovery_code (
  user_id uuid not null references app_user on delete cascade,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- The first factor was proved, the second factor is missing. Only the route of the second factor reads this table.
create table pending_sign_in (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references app_user on delete cascade,
  -- The first factor; the session records it.
  provider text not null,
  -- Where the role requires a second factor and there is none yet: the new secret, encrypted, until its first code confirms it.
  new_totp_secret bytea,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index pending_sign_in_by_user on pending_sign_in (user_id);

alter table session
  add provider text not null default 'local',
  add last_seen_at timestamptz(3) not null default now();

-- Failed attempts by account (also for addresses without an account) and by network; only hashes of both.
create table sign_in_throttle (
  key_hash bytea primary key,
  kind text not null check (kind in ('account', 'network')),
  failures integer not null,
  -- For a network: the time up to which its attempts were refilled.
  last_failed_at timestamptz(3) not null
);
create index sign_in_throttle_by_age on sign_in_throttle (last_failed_at);

-- The identity of a user at an OpenID provider: issuer and subject.
create table user_identity (
  provider text not null,
  subject text collate "C" not null,
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (provider, subject),
  -- An address that the provider gives to another person does not give away the account.
  unique (user_id, provider)
);

create table api_key (
  id uuid primary key,
  name text not null,
  key_hash bytea not null unique,
  -- The last characters, by which users distinguish keys.
  hint text not null,
  created_by uuid references app_user,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);

create table message (
  id uuid primary key,
  recipient text collate "C" not null,
  recipient_name text,
  kind text not null,
  subject text not null,
  -- Encrypted, since it may contain a one-time link; erased once the message was sent or abandoned.
  body bytea,
  about_type text,
  about_id uuid,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'bounced')),
  tries integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3)
);
create index message_newest on message (created_at desc, id desc);
create index message_by_state on message (state, created_at) where state <> 'sent';

-- One row: the number of saves of the list, so that a client can name the list that it changed.
create table category_list (
  singleton boolean primary key default true check (singleton),
  version integer not null default 1,
  saved_by uuid references app_user,
  saved_at timestamptz(3)
);
insert into category_list default values;
