import { Button } from '../../ui/base/button.tsx'
import { useCopy } from '../../ui/hooks/use-copy.ts'
import type { Integration } from './integrations.queries.ts'

/** Reads the key from the keyboard: in a command line it would stay in the history of the shell. */
const READ_KEY = 'read -rs DOSAR_INTAKE_KEY && export DOSAR_INTAKE_KEY'

/** How the key is used, with this server's address. */
export function IntegrationCommands({ kind }: Pick<Integration, 'kind'>) {
  const { origin } = window.location
  if (kind === 'program') {
    return (
      <>
        <p className="text-muted">
          Prima linie așteaptă cheia, care se lipește fără să se vadă. Idempotency-Key este numărul
          documentului în programul care îl trimite: trimis încă o dată, nu se dublează.
        </p>
        <CommandText
          name="comenzile"
          text={`${READ_KEY}
curl ${origin}/api/intake \\
  -H "Authorization: Bearer $DOSAR_INTAKE_KEY" \\
  -H "Idempotency-Key: buletin-000123" \\
  -F 'facts={"accessionNumber":"000123","examinedAt":"2026-01-31"};type=application/json' \\
  -F "file=@buletin.pdf"`}
        />
        <p className="text-muted">
          În facts, înaintea fișierului, poate sta ce se știe despre document: cnp, surname, givenNames,
          birthDate, accessionNumber, examinedAt, doctor, institution, category, title.
        </p>
      </>
    )
  }
  return (
    <>
      <p className="text-muted">
        Comenzile se dau pe calculatorul care vede folderul; prima linie așteaptă cheia, care se lipește fără
        să se vadă. Ce a ajuns se mută în preluate/, iar ce nu se poate primi, în refuzate/, cu motivul
        alături.
      </p>
      <CommandText
        name="comenzile"
        text={`${READ_KEY}
export DOSAR_ADDRESS=${origin}
npm run watch-folder -- /calea/folderului`}
      />
    </>
  )
}

/** A text to be copied, with its button. */
export function CommandText({ name, text }: { name: string; text: string }) {
  const { label, copy } = useCopy(text)
  return (
    <div className="grid gap-2 rounded-lg border border-line bg-sunken px-4 py-3">
      <code className="overflow-x-auto font-mono text-sm whitespace-pre-wrap break-words select-all">
        {text}
      </code>
      <Button icon="copy" aria-label={`${label} ${name}`} className="justify-self-start" onPress={copy}>
        {label}
      </Button>
    </div>
  )
}
