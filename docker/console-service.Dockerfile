# The image of the console.
# Build from the project's root: docker build -f docker/console-service.Dockerfile .
# NODE_IMAGE with a digest pins the base image, as in releases; docker/pin-images.sh prints the digest.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /build
# These lines are the same in each Dockerfile of this folder, so that all images share their layers.
COPY package.json ./
RUN npm install --global "$(node --print 'require("./package.json").packageManager')"
COPY pnpm-workspace.yaml pnpm-lock.yaml tsconfig.base.json ./
COPY packages/accounts/package.json packages/accounts/
COPY packages/admin-cli/package.json packages/admin-cli/
COPY packages/cli/package.json packages/cli/
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
COPY packages/console-service/package.json packages/console-service/
COPY packages/database/package.json packages/database/
COPY packages/dev-stack/package.json packages/dev-stack/
COPY packages/dns-api/package.json packages/dns-api/
COPY packages/dns-records/package.json packages/dns-records/
COPY packages/e2e/package.json packages/e2e/
COPY packages/http-api/package.json packages/http-api/
COPY packages/identity-service/package.json packages/identity-service/
COPY packages/nameserver/package.json packages/nameserver/
COPY packages/service-kit/package.json packages/service-kit/
COPY packages/signer/package.json packages/signer/
COPY packages/terminal/package.json packages/terminal/
COPY packages/testkit/package.json packages/testkit/
COPY packages/zones/package.json packages/zones/
RUN pnpm install --frozen-lockfile --filter '!./packages/{dev-stack,e2e,testkit}'
COPY packages packages
COPY scripts/compile.mjs scripts/
RUN node scripts/compile.mjs admin-cli cli console-service database dns-api identity-service nameserver signer \
  && node packages/console/node_modules/vite/bin/vite.js build --config packages/console/vite.config.mjs

# The image contains only what production needs: dist/ and the dependencies of this package, without files for compilers
# and debuggers.
RUN pnpm --filter @zonewright/console-service deploy --prod /app \
  && find /app -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' ')' -delete

FROM ${NODE_IMAGE}
# Nothing is installed at run time. These lines are also the same in each Dockerfile.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
ENV NODE_ENV=production CONSOLE_OPERATIONS_PORT=9105
WORKDIR /app
COPY --from=build /app ./
COPY docker/healthcheck.mjs ./
USER node
EXPOSE 8080 9105
HEALTHCHECK --interval=5s --timeout=10s --start-period=2m --retries=3 \
  CMD ["node", "healthcheck.mjs", "CONSOLE_OPERATIONS_PORT"]
CMD ["node", "dist/main.js"]
# These lines come last because they change with each release: all earlier layers are already built.
ARG VERSION
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="Zonewright console-service" \
  org.opencontainers.image.description="Domains in a browser" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE"
