#!/bin/sh
# Writes the secrets that compose.yaml reads into deploy/secrets, once. Nothing that is there is changed.
set -eu
umask 077
folder="$(dirname "$0")/secrets"
mkdir -p "$folder"
cd "$folder"

password() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
# Compose mounts each file as it is, and the program does not run as root: others may read the file, and nobody may enter the folder.
keep() {
  if [ -e "$1" ]; then return; fi
  printf '%s\n' "$2" > "$1"
  chmod 444 "$1"
}

if [ ! -e postgres-password ]; then keep postgres-password "$(password)"; fi
keep database-url "postgres://postgres:$(cat postgres-password)@postgres:5432/relance"
for role in api worker operator; do
  keep "$role-database-url" "postgres://relance_$role:$(password)@postgres:5432/relance"
done
keep keyring "k1:$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
echo "the secrets are in $(pwd)"
