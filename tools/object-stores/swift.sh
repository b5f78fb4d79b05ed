#!/bin/bash
# OpenStack Swift with its S3 layer on loopback: the S3 server that can do little (no conditional put, no lock).
# Debian packages: swift swift-account swift-container swift-object swift-proxy memcached.
# swift.sh start FOLDER PORT | swift.sh stop FOLDER
set -euo pipefail
action=$1
folder=$2
port=${3:-8080}

if [ "$action" = stop ]; then
  for pid in "$folder"/run/*.pid; do [ -e "$pid" ] && kill "$(cat "$pid")" 2>/dev/null || true; done
  exit 0
fi

rm -rf "$folder"
mkdir -p "$folder"/{node/d1,run,etc}
cd "$folder/etc"
cat > swift.conf <<CONF
[swift-hash]
swift_hash_path_prefix = holdfast
swift_hash_path_suffix = test
[storage-policy:0]
name = default
default = yes
CONF
prepare_service() {
  local service=$1 own=$2
  swift-ring-builder "$service.builder" create 4 1 0 > /dev/null
  swift-ring-builder "$service.builder" add "r1z1-127.0.0.1:$own/d1" 1 > /dev/null
  swift-ring-builder "$service.builder" rebalance > /dev/null
  cat > "$service.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $own
user = $(id -un)
swift_dir = $folder/etc
devices = $folder/node
mount_check = false
workers = 1
fallocate_reserve = 0
[pipeline:main]
pipeline = $service-server
[app:$service-server]
use = egg:swift#$service
CONF
}
# What a ring costs is the start of three programs: all of them at once.
waiting=()
offset=0
for service in account container object; do
  offset=$((offset + 1))
  prepare_service "$service" "$((port + offset))" &
  waiting+=($!)
done
for pid in "${waiting[@]}"; do wait "$pid"; done
for service in account container object; do
  "swift-$service-server" "$service.conf" > "$folder/run/$service.log" 2>&1 &
  echo $! > "$folder/run/$service.pid"
done
cat > proxy.conf <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $port
user = $(id -un)
swift_dir = $folder/etc
workers = 1
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = holdfast-secret .admin
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
check_bucket_owner = false
location = us-east-1
max_bucket_listing = 100
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$((port + 9))
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:copy]
use = egg:swift#copy
CONF
memcached -u "$(id -un)" -d -l 127.0.0.1 -p "$((port + 9))" -P "$folder/run/memcached.pid"
swift-proxy-server proxy.conf > "$folder/run/proxy.log" 2>&1 &
echo $! > "$folder/run/proxy.pid"
# The proxy answers 503 to everything until the servers behind it are up as well.
for offset in 0 1 2 3; do
  for _ in $(seq 1 300); do
    curl -s -o /dev/null "http://127.0.0.1:$((port + offset))/" && break
    sleep 0.1
  done
done
