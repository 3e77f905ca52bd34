import { realpath } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createWatch } from './watch.ts'

/**
 * Sends the documents of a folder to Dosar, as they appear; docs/intake.md is the manual of its operator:
 *
 *     DOSAR_ADDRESS=https://… DOSAR_INTAKE_KEY=di_… npm run watch-folder -- DIR
 *
 * It needs Node only, so that this folder can be copied to the computer that has the documents.
 */

const USAGE = `Utilizare: DOSAR_ADDRESS=https://… DOSAR_INTAKE_KEY=di_… npm run watch-folder -- FOLDER
  --poll-seconds 5   la câte secunde este verificat folderul
  --stable-polls 3   la câte verificări la rând un fișier trebuie să fie neschimbat înainte de trimitere
  --request-mib 64   de la câți MiB un fișier este trimis în mai multe cereri, care continuă după o întrerupere`

const { address, key, folder, pollMs, stablePolls, maxRequestBytes } = readSettings()
const root = await realpath(folder).catch((error) => exit(`Folderul nu poate fi citit (${error.code}).`))
const poll = createWatch({
  root,
  server: { address, key },
  stablePolls,
  maxRequestBytes,
  retryMs: pollMs,
  log,
})

// At any moment nothing is lost: what was not moved yet is sent again at the next start.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    log('Oprit. Fișierele care nu au fost preluate rămân în folder.')
    process.exit(0)
  })
}
log(`Folder urmărit: ${root}. Documentele se trimit la ${address.origin}.`)
let failure = ''
while (true) {
  const code = await poll().then(
    () => '',
    (error) => error.code ?? 'UNKNOWN',
  )
  if (code && code !== failure) log(`Folderul nu poate fi citit (${code}). Se încearcă din nou.`)
  failure = code
  await wait(pollMs)
}

function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`)
}

function exit(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function readSettings() {
  const { values, positionals } = readArguments()
  const seconds = Number(values['poll-seconds'])
  const stablePolls = Number(values['stable-polls'])
  const maxRequestBytes = Math.floor(Number(values['request-mib']) * 1024 ** 2)
  const [folder] = positionals
  if (!folder || positionals.length > 1 || !(seconds > 0) || !(stablePolls >= 1) || !(maxRequestBytes >= 1))
    exit(USAGE)
  const key = process.env.DOSAR_INTAKE_KEY ?? ''
  if (!/^di_[\x21-\x7e]+$/.test(key))
    exit('DOSAR_INTAKE_KEY lipsește sau nu este o cheie a unei integrări (di_…).')
  const address = URL.parse(process.env.DOSAR_ADDRESS ?? '')
  const isLocal = address && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname)
  if (!address || !(address.protocol === 'https:' || (isLocal && address.protocol === 'http:'))) {
    exit('DOSAR_ADDRESS lipsește sau nu începe cu https:// (http:// este acceptat numai pentru localhost).')
  }
  return { address, key, folder, pollMs: seconds * 1000, stablePolls, maxRequestBytes }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'poll-seconds': { type: 'string', default: '5' },
        'stable-polls': { type: 'string', default: '3' },
        'request-mib': { type: 'string', default: '64' },
      },
    })
  } catch {
    return exit(USAGE)
  }
}
