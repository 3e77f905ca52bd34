import { Button } from '../../ui/base/button.tsx'
import { useCopy } from '../../ui/hooks/use-copy.ts'
import type { Integration } from './integrations.queries.ts'

/** Reads the key from the keyboard: in a command line it would stay in the history of the shell. */
const READ_KEY = 'read -rs DOSAR_INTAKE_KEY && export DOSAR_INTAKE_KEY'

/** How the key is used, with this server's address. */
export function IntegrationCommands({ kind }: Pick<Integration, 'kind'>) {
  return (
    <>
      <p className="text-muted">
        {kind === 'folder'
          ? 'Comenzile se dau pe calculatorul care are acces la folder.'
          : 'Comenzile arată cum trimite un program un document.'}{' '}
        Prima așteaptă cheia, care se lipește fără să se vadă.
      </p>
      <CommandText name="prima comandă" text={READ_KEY} />
      {kind === 'folder' ? <FolderCommands /> : <ProgramCommands />}
    </>
  )
}

const FolderCommands = () => (
  <>
    <CommandText
      name="a doua comandă"
      text={`DOSAR_ADDRESS=${window.location.origin} npm run watch-folder -- /calea/folderului`}
    />
    <p className="text-muted">
      Documentele primite se mută în preluate/, iar cele refuzate, în refuzate/, cu motivul alături.
    </p>
  </>
)

const ProgramCommands = () => (
  <>
    <CommandText
      name="a doua comandă"
      text={`curl ${window.location.origin}/api/intake \\
  -H "Authorization: Bearer $DOSAR_INTAKE_KEY" \\
  -H "Idempotency-Key: buletin-000123" \\
  -F 'facts={"accessionNumber":"000123"};type=application/json' \\
  -F "file=@buletin.pdf"`}
    />
    <p className="text-muted">
      Idempotency-Key este numărul documentului în programul care îl trimite: trimis încă o dată, nu se
      dublează. Partea facts poate lipsi; altfel se trimite înaintea fișierului, cu ce se știe despre
      document: cnp, surname, givenNames, birthDate, accessionNumber, examinedAt, doctor, institution,
      category, title.
    </p>
  </>
)

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
