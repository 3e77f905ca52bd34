import { once } from 'node:events'
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

// PostGraphile 5 with its recommended preset on the database of the product, as its owner: no sign-in, rights or audit log.
const { PORT, DATABASE_URL } = process.env
const server = createServer()
const serv = postgraphile({
  extends: [PostGraphileAmberPreset],
  // It would hide columns and relations whose index is partial, which most indexes of the product are.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ connectionString: DATABASE_URL, poolConfig: { max: 10 } })],
  grafserv: { websockets: false, graphiql: false },
}).createServ(grafserv)
await serv.addTo(server)
await serv.ready()
server.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
process.stdout.write('postgraphile listens\n')
