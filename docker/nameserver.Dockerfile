# A nameserver.
# Build from the project's root: docker build -f docker/nameserver.Dockerfile .
FROM node:24-bookworm-slim AS build
WORKDIR /build
# These lines are the same in each Dockerfile of this folder, so that all images share their layers.
COPY package.json ./
RUN npm install --global "$(node --print 'require("./package.json").packageManager')"
COPY pnpm-workspace.yaml pnpm-lock.yaml tsconfig.base.json ./
COPY packages/admin-cli/package.json packages/admin-cli/
COPY packages/database/package.json packages/database/
COPY packages/dev-stack/package.json packages/dev-stack/
COPY packages/dns-api/package.json packages/dns-api/
COPY packages/dns-records/package.json packages/dns-records/
COPY packages/e2e/package.json packages/e2e/
COPY packages/identity-service/package.json packages/identity-service/
COPY packages/nameserver/package.json packages/nameserver/
COPY packages/service-kit/package.json packages/service-kit/
COPY packages/testkit/package.json packages/testkit/
RUN pnpm install --frozen-lockfile --filter '!./packages/{dev-stack,e2e,testkit}'
COPY packages packages
RUN pnpm exec tsc --build packages/admin-cli packages/dns-api packages/identity-service packages/nameserver

# Only what production needs: dist/ and the dependencies of this one package.
RUN pnpm --filter @zonewright/nameserver deploy --prod /app

FROM node:24-bookworm-slim
# Not 53: a user without privileges may not bind it everywhere. Publish 53 of the host to this port.
ENV NODE_ENV=production NAMESERVER_PORT=5300 NAMESERVER_OPERATIONS_PORT=9103
WORKDIR /app
COPY --from=build /app ./
COPY docker/healthcheck.mjs ./
# For snapshots. A new volume takes over the owner of what it is mounted on.
RUN mkdir /var/lib/zonewright && chown node:node /var/lib/zonewright
USER node
EXPOSE 5300/udp 5300/tcp 9103
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "healthcheck.mjs", "NAMESERVER_OPERATIONS_PORT"]
CMD ["node", "dist/main.js"]
