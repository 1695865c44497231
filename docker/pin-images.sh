#!/usr/bin/env bash
# Prints what the tags of the base images mean now, by digest, as settings for .env: NODE_IMAGE, POSTGRES_IMAGE, REDIS_IMAGE.
# A release builds its images with these, and carries them as base-images.env.
#
#   docker/pin-images.sh >> .env
#
# Ends with 1 where an image has no digest: one that was built here and never came from a registry.
set -euo pipefail
cd "$(dirname "$0")/.."

defaults=$(grep -oE '\$\{(NODE|POSTGRES|REDIS)_IMAGE:-[^}]+' docker-compose.yml | sort -u)
pinned=
while IFS= read -r line; do
  name=${line#'${'} name=${name%%:-*} tag=${line#*:-}
  docker pull --quiet "$tag" >/dev/null
  digest=$(docker image inspect --format '{{if .RepoDigests}}{{index .RepoDigests 0}}{{end}}' "$tag")
  [[ -n $digest ]] || { echo "pin-images.sh: $tag has no digest; it did not come from a registry" >&2; exit 1; }
  # The tag is for people: what counts is the digest.
  pinned+="$name=$tag@${digest#*@}"$'\n'
done <<<"$defaults"
printf %s "$pinned"
