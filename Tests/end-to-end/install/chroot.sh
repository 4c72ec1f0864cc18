# A bare system of this machine's own release, from its own apt sources. Sourced by the scripts beside it.
# environment: CHROOTS, the folder in which the pristine system is kept from one run to the next
# shellcheck shell=bash
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
chroots=${CHROOTS:-$top/.build/chroots}
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
distribution=$(. /etc/os-release && echo "$ID")

# Ends with status 2 where no chroot can be made.
need_chroot() {
  [ "$(id -u)" = 0 ] || { echo "${0##*/} makes a chroot and needs root" >&2; exit 2; }
  local tool
  for tool in debootstrap unshare apt-get; do
    command -v "$tool" > /dev/null || { echo "${0##*/} needs $tool" >&2; exit 2; }
  done
}

# The lines of sources.list that say where this machine has its own distribution from; other sources are left out.
own_sources() {
  apt-get indextargets --format '$(ORIGIN)|deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -F '|' -v own="$distribution" 'tolower($1) == own && !seen[$2]++ { print $2 }'
}

make_pristine() {
  local pristine=$chroots/$codename lines mirror components
  [ -e "$pristine.whole" ] && return
  lines=$(own_sources)
  [ -n "$lines" ] || { apt-get update -qq; lines=$(own_sources); }
  mirror=$(awk -v suite="$codename" '$3 == suite { print $2; exit }' <<< "$lines")
  components=$(awk -v suite="$codename" '$3 == suite { print $4 }' <<< "$lines" | paste -sd ,)
  [ -n "$mirror" ] || { echo "apt has no source of $distribution $codename" >&2; exit 2; }
  echo "== debootstrap $codename"
  mkdir -p "$chroots"
  rm -rf --one-file-system "$pristine"
  debootstrap --variant=minbase --components="$components" "$codename" "$pristine" "$mirror" > "$pristine.log" 2>&1 ||
    { tail -n 5 "$pristine.log" >&2; exit 2; }
  echo "$lines" > "$pristine/etc/apt/sources.list"
  apt-config dump Acquire::http::Proxy Acquire::https::Proxy > "$pristine/etc/apt/apt.conf.d/90proxy"
  [[ $lines != *https:* ]] || { mkdir -p "$pristine/etc/ssl" && cp -aL /etc/ssl/certs "$pristine/etc/ssl/"; }
  printf '#!/bin/sh\nexit 101\n' > "$pristine/usr/sbin/policy-rc.d"
  chmod 755 "$pristine/usr/sbin/policy-rc.d"
  cp -L /etc/resolv.conf /etc/hosts "$pristine/etc/"
  in_root "$pristine" apt-get update -qq
  touch "$pristine.whole"
}

# make_bare CODENAME: a bare system of another release of this machine's distribution, from the same mirror.
make_bare() {
  local bare=$chroots/$1 lines mirror
  [ -e "$bare.whole" ] && return
  lines=$(own_sources)
  [ -n "$lines" ] || { apt-get update -qq; lines=$(own_sources); }
  mirror=$(awk -v suite="$codename" '$3 == suite { print $2; exit }' <<< "$lines")
  echo "== debootstrap $1"
  mkdir -p "$chroots"
  rm -rf --one-file-system "$bare"
  debootstrap --variant=minbase --include=ca-certificates,tzdata "$1" "$bare" "$mirror" > "$bare.log" 2>&1 ||
    { tail -n 5 "$bare.log" >&2; return 2; }
  touch "$bare.whole"
}

# fresh_root FOLDER: a copy of the pristine system.
fresh_root() {
  make_pristine
  rm -rf --one-file-system "$1"
  cp -a --reflink=auto "$chroots/$codename" "$1"
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
}

# in_root ROOT COMMAND…: runs a command in it; BIND names a folder of this machine that it sees, unwritable. The mounts
# are known to this command alone and end with it.
in_root() {
  # shellcheck disable=SC2016 # the inner shell expands these
  BIND=${BIND:-} unshare --mount --propagation private bash -c '
    set -eu
    root=$1
    shift
    mount --rbind /dev "$root/dev"
    mount --rbind /proc "$root/proc"
    if [ -n "$BIND" ]; then
      mkdir -p "$root$BIND"
      mount --bind "$BIND" "$root$BIND"
      mount -o remount,bind,ro "$root$BIND"
    fi
    exec env -i HOME=/root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      PATH="${BIND:+$BIND/bin:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
      ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} chroot "$root" "$@"
  ' - "$@" < /dev/null
}

# in_root_install ROOT PACKAGE…: what these need comes along, what they recommend does not.
in_root_install() {
  local root=$1
  shift
  in_root "$root" apt-get install -y -qq --no-install-recommends "$@" > "$root.apt.log" 2>&1 ||
    { tail -n 20 "$root.apt.log" >&2; return 1; }
}
