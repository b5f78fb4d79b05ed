#!/bin/bash
# A Ceph object gateway on loopback, in memory: the S3 server that can do everything.
# Debian packages: ceph-mon ceph-osd radosgw.   ceph.sh start FOLDER PORT | ceph.sh stop FOLDER
set -euo pipefail
action=$1
folder=$2
port=${3:-7480}
conf="$folder/ceph.conf"

stop() {
  for pid in "$folder"/run/*.pid; do [ -e "$pid" ] && kill "$(cat "$pid")" 2>/dev/null || true; done
}

if [ "$action" = stop ]; then
  stop
  exit 0
fi

rm -rf "$folder"
mkdir -p "$folder"/{mon,osd,run,log,gateway}
fsid=$(cat /proc/sys/kernel/random/uuid)
monitor=$((port + 1))
cat > "$conf" <<CONF
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$monitor,v1:127.0.0.1:$((port + 2))]
public network = 127.0.0.0/8
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd crush chooseleaf type = 0
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 2000
run dir = $folder/run
admin socket = $folder/run/\$cluster-\$name.asok
pid file = $folder/run/\$name.pid
log file = $folder/log/\$name.log
[mon]
mon data = $folder/mon
paxos propose interval = 0.05
paxos min wait = 0.01
mon data avail crit = 1
mon data avail warn = 2
[osd]
osd data = $folder/osd
osd objectstore = memstore
memstore device bytes = 8589934592
osd max object name len = 460
osd max object namespace len = 64
osd memory target = 1073741824
osd class load list = *
osd class default list = *
[client.rgw]
ms mon client mode = crc
auth client required = none
rgw frontends = beast endpoint=127.0.0.1:$port
rgw data = $folder/gateway
rgw thread pool size = 64
rgw gc max objs = 7
rgw enable usage log = false
CONF
monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$monitor,v1:127.0.0.1:$((port + 2))]" "$folder/monmap" > /dev/null
ceph-mon -c "$conf" -i a --mkfs --monmap "$folder/monmap"
ceph-mon -c "$conf" -i a
osd=$(cat /proc/sys/kernel/random/uuid)
ceph -c "$conf" osd new "$osd" > /dev/null
ceph-osd -c "$conf" -i 0 --mkfs --osd-uuid "$osd" > /dev/null 2>&1
ceph-osd -c "$conf" -i 0 > /dev/null 2>&1
ceph -c "$conf" osd crush add osd.0 1.0 root=default host=here > /dev/null 2>&1 || true
radosgw -c "$conf" -n client.rgw
for _ in $(seq 1 300); do
  curl -s -o /dev/null "http://127.0.0.1:$port/" && break
  sleep 0.1
done
radosgw-admin -c "$conf" user create --uid=test --display-name=test --access-key=holdfast --secret-key=holdfast-secret > /dev/null 2>&1
# Somebody with keys of their own and no rights on anybody's bucket.
radosgw-admin -c "$conf" user create --uid=stranger --display-name=stranger --access-key=stranger --secret-key=stranger-secret > /dev/null 2>&1
