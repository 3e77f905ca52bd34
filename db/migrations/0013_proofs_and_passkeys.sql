-- Fresh proofs, passkeys, sessions on shared computers.

alter table session
  -- When the user last proved who they are: at the sign-in, or later for an act that requires a fresh proof.
  add proved_at timestamptz(3),
  -- Begun on a computer that several people use: it ends after a shorter time without use.
  add shared boolean not null default false;
update session set proved_at = created_at;
alter table session
  alter proved_at set default now(),
  alter proved_at set not null;

alter table pending_sign_in
  add shared boolean not null default false;

create table passkey (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  -- Chosen by the authenticator; the browser sends it with each use.
  credential_id bytea not null unique,
  -- COSE. A copy of this table cannot sign in.
  public_key bytea not null,
  -- Of the authenticator; 0 where it does not count, as keys that are synced between devices.
  counter bigint not null,
  transports text[] not null default '{}',
  -- Whether the key is copied to the user's other devices.
  synced boolean not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index passkey_by_user on passkey (user_id);

-- A challenge that a passkey has to sign. Deleted when it is used, so that it is valid once.
create table passkey_challenge (
  challenge bytea primary key,
  -- The hash of what the challenge is bound to: a session, a pending sign-in, or the browser.
  bound_to bytea not null,
  purpose text not null check (purpose in ('add', 'proof', 'second-factor', 'sign-in')),
  expires_at timestamptz(3) not null
);
create index passkey_challenge_by_expiry on passkey_challenge (expires_at);

grant select, insert, update, delete on passkey, passkey_challenge to dosar_staff;
alter table passkey enable row level security;
create policy staff on passkey to dosar_staff using (true) with check (true);
alter table passkey_challenge enable row level security;
create policy staff on passkey_challenge to dosar_staff using (true) with check (true);
