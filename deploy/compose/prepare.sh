#!/bin/sh
# Makes the secrets of compose.yaml, once: passwords, the master key, and the roles of the database. Changes nothing that is there.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo 'The folder "secrets" is there already; nothing was changed.'
  exit 0
fi
umask 077
mkdir -p secrets.new objects/backups
random() { openssl rand -hex 24; }
owner=$(random) application=$(random)
random >secrets.new/database-admin
printf 'postgres://holdfast_owner:%s@database/holdfast\n' "$owner" >secrets.new/database-owner
printf 'postgres://holdfast_client:%s@database/holdfast\n' "$application" >secrets.new/database-application
openssl rand -base64 32 >secrets.new/master-key
printf 'ROOT_ACCESS_KEY=holdfast\nROOT_SECRET_KEY=%s\n' "$(random)" >secrets.new/objects.env
sed -e "s/@OWNER_PASSWORD@/$owner/" -e "s/@APPLICATION_PASSWORD@/$application/" ../roles.sql >secrets.new/roles.sql
# The containers read them as users of their own; the folder above keeps everybody else out.
chmod 0444 secrets.new/*
chmod 0711 secrets.new
mv secrets.new secrets
echo 'Made: secrets/. Copy secrets/master-key to a safe place now: without it nobody can read the vaults.'
