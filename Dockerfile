# The init reaps what dies: PostgreSQL's and the inspection's processes must not stay as zombies of a Node that is PID 1.
FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --user-group --create-home --home-dir /home/dosar dosar \
  && install --directory --owner=dosar --group=dosar --mode=0700 /var/lib/dosar
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# The user of the product reads its files and changes none, whatever their permissions were outside.
# Node keeps compiled code apart for each user: that of the build is given to the user of the product.
RUN npm run prestart && mv dist-server/.compiled/*-0 "$(echo dist-server/.compiled/*-0 | sed 's/0$/10001/')" \
  && find . -path ./node_modules -prune -o -exec chmod a+rX,go-w {} +
ENV NODE_ENV=production DATA_DIR=/var/lib/dosar
# By number, so that a platform that forbids root (runAsNonRoot) can check it.
USER 10001:10001
VOLUME /var/lib/dosar
EXPOSE 3000
ENTRYPOINT ["tini", "--"]
CMD ["npm", "start"]
