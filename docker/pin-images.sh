#!/usr/bin/env bash
# Prints the current digests of the base images' tags as settings for .env: NODE_IMAGE, POSTGRES_IMAGE and REDIS_IMAGE. A
# release builds its images with these digests, and contains them in base-images.env.
#
#   docker/pin-images.sh >> .env
#
# The exit code is 1 if an image has no digest because it was built locally and never came from a registry.
set -euo pipefail
cd "$(dirname "$0")/.."

defaults=$(grep -oE '\$\{(NODE|POSTGRES|REDIS)_IMAGE:-[^}]+' docker-compose.yml | sort -u)
pinned=
while IFS= read -r line; do
  name=${line#'${'} name=${name%%:-*} tag=${line#*:-}
  docker pull --quiet "$tag" >/dev/null
  digest=$(docker image inspect --format '{{if .RepoDigests}}{{index .RepoDigests 0}}{{end}}' "$tag")
  [[ -n $digest ]] || { echo "pin-images.sh: $tag has no digest; it did not come from a registry" >&2; exit 1; }
  # The digest selects the image; the tag is only for people.
  pinned+="$name=$tag@${digest#*@}"$'\n'
done <<<"$defaults"
printf %s "$pinned"
