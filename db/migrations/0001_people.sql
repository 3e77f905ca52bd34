-- Institutions, user accounts, their sessions and the links for choosing a password.

create table site_setting (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now()
);

create table institution (
  id uuid primary key,
  name text not null,
  short_name text,
  kind text not null check (kind in ('clinic', 'hospital', 'laboratory', 'practice', 'other')),
  code text not null unique,
  cui text,
  trade_register text,
  county text,
  locality text,
  address text,
  phone text,
  email text,
  contacts text,
  delivery text not null default 'at_once' check (delivery in ('at_once', 'hourly', 'daily', 'none')),
  may_upload boolean not null default false,
  color text,
  suspended_at timestamptz(3),
  name_key text collate "C" not null,
  search text collate "C" not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index institution_by_name on institution (name_key, id);

create table app_user (
  id uuid primary key,
  -- Normalised to lower-case ASCII before it gets here; "C" keeps two different addresses different.
  email text collate "C" not null unique,
  name text not null,
  phone text,
  job_title text,
  role text not null check (role in ('admin', 'staff', 'institution')),
  features text[] not null default '{}',
  status text not null check (status in ('invited', 'active', 'suspended')),
  password_hash text,
  last_sign_in_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table user_institution (
  user_id uuid not null references app_user on delete cascade,
  institution_id uuid not null references institution,
  primary key (user_id, institution_id)
);
create index user_institution_by_institution on user_institution (institution_id);

create table session (
  id uuid primary key,
  -- Only the hash is stored: a copy of this table gives access to no session.
  token_hash bytea not null unique,
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  ip text,
  user_agent text
);
create index session_by_user on session (user_id);

create table account_link (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references app_user on delete cascade,
  purpose text not null check (purpose in ('first-administrator', 'invitation', 'reset')),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index account_link_by_user on account_link (user_id);
