#!/bin/sh
# Installs the programs of the failover tests on Debian 12; run it as root. Patroni and its dependencies come from Debian
# 13 (docs/operations/high-availability.md).
set -eu
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
echo 'deb http://deb.debian.org/debian trixie main' >/etc/apt/sources.list.d/trixie.list
printf 'Package: *\nPin: release n=trixie\nPin-Priority: 100\n' >/etc/apt/preferences.d/trixie
apt-get update -qq
apt-get install -y -qq --no-install-recommends patroni/trixie python3-ydiff python3-etcd etcd-server postgresql redis-server redis-sentinel \
  pgbouncer bind9-dnsutils faketime iproute2 openssl curl
