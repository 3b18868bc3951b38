# One image, every role: docker run relance api, … worker, … migrate. Without a command it prints its help.
# A mirror of npm is given at build time and stays out of the image: --secret id=npmrc,src=$HOME/.npmrc
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY console/package.json console/

FROM manifests AS console
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --workspace console --workspace sdk --no-audit --no-fund --no-progress
COPY tsconfig.json ./
COPY sdk sdk
COPY console console
RUN npm run build --workspace console

# Without the root workspace, whose one dependency is a second Node.
FROM manifests AS dependencies
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --omit=dev --workspace server --ignore-scripts --no-audit --no-fund --no-progress \
    && mkdir -p server/node_modules

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    METRICS_HOST=0.0.0.0 \
    METRICS_PORT=9090
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/server/node_modules server/node_modules
COPY package.json LICENSE CHANGELOG.md ./
COPY docs docs
COPY server/package.json server/openapi.json server/
COPY server/assets server/assets
COPY server/migrations server/migrations
COPY server/src server/src
COPY --from=console /app/console/dist console/dist
RUN printf '#!/bin/sh\nexec node --max-semi-space-size=16 --heap-growing-percent=100 /app/server/src/main.ts "$@"\n' > /usr/local/bin/relance-server \
    && chmod 755 /usr/local/bin/relance-server
# The number, not the name: Kubernetes can then see that it is not root.
USER 1000:1000
EXPOSE 8080 9090
# Of api, worker and all.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["relance-server"]
CMD ["help"]
