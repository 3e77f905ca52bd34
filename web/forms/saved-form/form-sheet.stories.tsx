import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-aria-components'
import type { Stories } from '../../catalogue/stories.ts'
import { Button } from '../../ui/base/button.tsx'
import { Field } from '../core/field.ts'
import { useForm } from '../core/form.tsx'
import { AddressFields } from '../inputs/address/address-fields.tsx'
import { FormDialog, FormSheet } from './form-sheet.tsx'

type Person = { surname: string; email: string; note: string; version: number }

const stored: Person = { surname: 'Popescu', email: 'ana@exemplu.ro', note: '', version: 1 }
const theirs: Person = { surname: 'Ionescu', email: 'noua@exemplu.ro', note: 'de altcineva', version: 2 }

/** An error as the API returns it. */
const apiError = (message: string, extensions: Record<string, unknown>) =>
  new CombinedGraphQLErrors({ errors: [{ message, extensions }] as never })

const responses: Record<string, () => Error | null> = {
  salvat: () => null,
  'câmp refuzat': () =>
    apiError('Datele nu sunt bune.', {
      code: 'BAD_USER_INPUT',
      fields: [
        { field: 'email', message: 'Adresa există deja.' },
        { field: 'note', message: 'Nota este prea veche.' },
      ],
    }),
  'câmp necunoscut': () =>
    apiError('Datele nu sunt bune.', {
      code: 'BAD_USER_INPUT',
      fields: [{ field: 'referral', message: 'Trimiterea a expirat.' }],
    }),
  eroare: () => apiError('Instituția nu mai există.', { code: 'NOT_FOUND' }),
  conflict: () => apiError('Altcineva a salvat între timp.', { code: 'CONFLICT' }),
}

function Sent({ all }: { all: readonly object[] }) {
  return (
    <pre data-testid="sent" className="font-mono text-xs">
      {all.map((values) => JSON.stringify(values)).join('\n')}
    </pre>
  )
}

function ServerResponses({ onRespond }: { onRespond: (error: Error | null) => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      {Object.entries(responses).map(([label, find]) => (
        <Button key={label} onPress={() => onRespond(find())}>
          {`Răspunde: ${label}`}
        </Button>
      ))}
    </div>
  )
}

/** A form whose server response is chosen with one of the buttons of `responses`. */
function SavedForm({
  Frame,
  start,
  children,
}: {
  Frame: typeof FormSheet
  start?: Person
  children?: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const [sent, setSent] = useState<Person[]>([])
  const pending = useRef<PromiseWithResolvers<void> | null>(null)
  const save = async (values: Person) => {
    setSent((before) => [...before, values])
    pending.current = Promise.withResolvers()
    await pending.current.promise
    setOpen(false)
  }
  const response = (error: Error | null) =>
    error ? pending.current?.reject(error) : pending.current?.resolve()
  return (
    <div className="grid justify-items-start gap-3">
      <Button onPress={() => setOpen(true)}>Deschide</Button>
      <Sent all={sent} />
      {isOpen && (
        <Frame
          title="Editează persoana"
          saveLabel="Salvează"
          stored={stored}
          start={start}
          onSave={save}
          onReload={async () => theirs}
          onClose={() => setOpen(false)}
        >
          <Field type="text" name="surname" label="Nume" validation="required" />
          <Field type="email" name="email" label="E-mail" validation="email" />
          <Field type="textarea" name="note" label="Notă" />
          <ServerResponses onRespond={response} />
          <Link href="/">Altă pagină</Link>
          {children}
        </Frame>
      )}
    </div>
  )
}

/** A form in a dialog above another form. */
function OtherForm() {
  const [isOpen, setOpen] = useState(false)
  const [added, setAdded] = useState('')
  return (
    <>
      <Button onPress={() => setOpen(true)}>Adaugă o clinică</Button>
      <output>{added}</output>
      {isOpen && (
        <FormDialog
          title="Clinică nouă"
          saveLabel="Adaugă"
          stored={{ clinic: '' }}
          onSave={async ({ clinic }) => {
            const fields = [{ field: 'clinic', message: 'Clinica există deja.' }]
            if (clinic === 'Clinica Sud') throw apiError('Există deja.', { code: 'BAD_USER_INPUT', fields })
            setAdded(`Adăugată: ${clinic}`)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        >
          <Field type="text" name="clinic" label="Denumire" validation="required" />
        </FormDialog>
      )}
    </>
  )
}

const colours = [
  { id: 'red', label: 'Roșu' },
  { id: 'blue', label: 'Albastru' },
]

/** Inputs whose text may not be a value yet. */
function DraftForm() {
  const [isOpen, setOpen] = useState(false)
  const [sent, setSent] = useState<object[]>([])
  const stored = {
    day: null,
    period: null,
    colour: 'red',
    town: null,
    tint: '',
    hour: '',
    cnp: '',
    phone: '',
  }
  return (
    <>
      <Button onPress={() => setOpen(true)}>Deschide</Button>
      <Sent all={sent} />
      {isOpen && (
        <FormSheet
          title="Editează persoana"
          saveLabel="Salvează"
          stored={stored}
          onSave={async (values) => setSent((before) => [...before, values])}
          onClose={() => setOpen(false)}
        >
          <Field type="datepicker" name="day" label="Data" />
          <Field type="datepicker" name="period" label="Perioada" range />
          <Field type="autocomplete" name="colour" label="Culoare" options={colours} />
          <Field type="autocomplete" name="town" label="Oraș" options={[]} acceptsCustomText />
          <Field type="colorpicker" name="tint" label="Nuanță" />
          <Field type="mask" name="hour" label="Ora" mask="##:##" />
          <Field type="cnp" name="cnp" label="CNP" />
          <Field type="phone" name="phone" label="Telefon" />
        </FormSheet>
      )}
    </>
  )
}

const before = { cnp: '', birthDate: null, county: 'Cluj', locality: 'Dej', address: '' }
const after = {
  cnp: '1630615123457',
  birthDate: '1963-06-15',
  county: 'Iași',
  locality: 'Pașcani',
  address: '',
}

function AddressForm() {
  const { cnp } = useForm<typeof before>().values
  return (
    <>
      <Field type="cnp" name="cnp" label="CNP" birthDate="birthDate" />
      <Field type="datepicker" name="birthDate" label="Data nașterii" disabled={!!cnp} />
      <AddressFields />
    </>
  )
}

/** Fields that belong together, and another user who saves before the first submit. */
function ConflictForm() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Deschide</Button>
      {isOpen && (
        <FormSheet
          title="Editează persoana"
          saveLabel="Salvează"
          stored={before as object}
          onSave={async () =>
            Promise.reject(apiError('Altcineva a salvat între timp.', { code: 'CONFLICT' }))
          }
          onReload={async () => after}
          onClose={() => setOpen(false)}
        >
          <AddressForm />
        </FormSheet>
      )}
    </>
  )
}

export default {
  'la marginea paginii': () => <SavedForm Frame={FormSheet} />,
  'în mijlocul paginii': () => <SavedForm Frame={FormDialog} />,
  completată: () => <SavedForm Frame={FormSheet} start={{ ...stored, note: 'din trimitere' }} />,
  'cu text început': () => <DraftForm />,
  'cu câmpuri legate': () => <ConflictForm />,
  'cu alt formular peste ea': () => (
    <SavedForm Frame={FormSheet}>
      <OtherForm />
    </SavedForm>
  ),
} satisfies Stories
