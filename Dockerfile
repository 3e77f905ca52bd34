# The init reaps what dies: PostgreSQL's and the inspection's processes must not stay as zombies of a Node that is PID 1.
FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN node scripts/build-web.ts
ENV NODE_ENV=production
VOLUME /var/lib/dosar
EXPOSE 3000
ENTRYPOINT ["tini", "--"]
CMD ["npm", "start"]
