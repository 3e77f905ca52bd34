-- Coming in: guessing slowed down, a second factor, people of an OpenID provider; keys of programs; mail; the version of
-- the list of categories.

alter table app_user
  -- Sealed with a key derived from the product's secret: a copy of this table makes no codes.
  add totp_secret bytea,
  -- The last time step whose code was taken: a code is good once.
  add totp_last_step bigint;

create table recovery_code (
  user_id uuid not null references app_user on delete cascade,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- Somebody who has given the right password and not yet the second factor. No door but that of the second factor reads it.
create table pending_sign_in (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references app_user on delete cascade,
  -- What the first proof was: the session will say it.
  provider text not null,
  -- Where the role asks for a second factor and there is none yet: the new one, sealed, until its first code confirms it.
  new_totp_secret bytea,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index pending_sign_in_by_user on pending_sign_in (user_id);

alter table session
  add provider text not null default 'local',
  add last_seen_at timestamptz(3) not null default now();

-- Failed tries by account (also one that does not exist) and by network. Only a hash of either.
create table sign_in_throttle (
  key_hash bytea primary key,
  kind text not null check (kind in ('account', 'network')),
  failures integer not null,
  -- Of a network: up to when its tries have come back.
  last_failed_at timestamptz(3) not null
);
create index sign_in_throttle_by_age on sign_in_throttle (last_failed_at);

-- Who somebody is to an OpenID provider: its issuer and the subject there.
create table user_identity (
  provider text not null,
  subject text collate "C" not null,
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (provider, subject),
  -- An address that the provider hands on to another person does not hand on the account.
  unique (user_id, provider)
);

create table api_key (
  id uuid primary key,
  name text not null,
  key_hash bytea not null unique,
  -- The last characters, by which people tell keys apart.
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
  -- Sealed, since it may hold a one-time link; gone once the message is.
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

-- One row: counts the savings of the whole list, so that a client can say which list it changed.
create table category_list (
  singleton boolean primary key default true check (singleton),
  version integer not null default 1,
  saved_by uuid references app_user,
  saved_at timestamptz(3)
);
insert into category_list default values;
