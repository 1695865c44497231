# The one-shot programs: migrate, and the operator's command.
# Build from the project's root: docker build -f docker/admin.Dockerfile .
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
RUN pnpm --filter @zonewright/admin-cli deploy --prod /app

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app ./
COPY docker/bin/ /usr/local/bin/
USER node
CMD ["zonewright-admin", "--help"]
