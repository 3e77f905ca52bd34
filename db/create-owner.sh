#!/bin/sh
# Runs in the container of PostgreSQL when it creates its database.
set -eu
PGOPTIONS="-c dosar.owner_password=$DATABASE_PASSWORD" \
  psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" -f /dosar/create-owner.sql
