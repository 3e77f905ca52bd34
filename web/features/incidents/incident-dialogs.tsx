import { useMutation } from '@apollo/client/react'
import {
  AUTHORITY_NOTICE_NAMES,
  INCIDENT_NOTICES,
  PERSONS_NOTICE_NAMES,
} from '../../../shared/incidents/incidents.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { Field } from '../../forms/core/field.ts'
import { useForm } from '../../forms/core/form.tsx'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import {
  ADD_INCIDENT_NOTE,
  CLOSE_INCIDENT,
  type Incident,
  REOPEN_INCIDENT,
  SAVE_INCIDENT_NOTICES,
} from './incidents.queries.ts'

type Props = { incident: Incident; onClose: () => void }

export function NoteDialog({ incident: { id }, onClose }: Props) {
  const [addNote] = useMutation(ADD_INCIDENT_NOTE)
  return (
    <FormDialog
      title="Notă la incident"
      saveLabel="Adaugă"
      stored={{ text: '' }}
      onSave={async ({ text }, release) => {
        if (!(await addNote({ variables: { id, text } })).data) return
        release()
        onClose()
      }}
      onClose={onClose}
    >
      <Field
        type="textarea"
        name="text"
        label="Notă"
        help="Apare în raport. Un CNP este ascuns."
        validation="required:trim"
        rows={4}
        maxLength={LIMITS.longText}
        autoFocus
      />
    </FormDialog>
  )
}

type Notices = {
  authority: string | null
  authorityDay: string | null
  authorityTime: string
  persons: string | null
  personsDay: string | null
  personsTime: string
}

const dayOf = (at: Date) => at.toLocaleDateString('sv-SE')
const timeOf = (at: Date) => at.toLocaleTimeString('sv-SE', { hour: '2-digit', minute: '2-digit' })

/** Returns the chosen minute, but not one after now or before the discovery, whose seconds the fields do not have. */
function momentOf(day: string | null, time: string, { discoveredAt }: Incident): string | null {
  if (!day) return null
  const chosen = new Date(`${day}T${time.padStart(5, '0')}`)
  const discovered = new Date(discoveredAt)
  const isSameMinute = dayOf(chosen) === dayOf(discovered) && timeOf(chosen) === timeOf(discovered)
  return (isSameMinute ? discovered : chosen).toISOString()
}

export function NoticesDialog({ incident, onClose }: Props) {
  const [save] = useMutation(SAVE_INCIDENT_NOTICES)
  const { authority, authorityAt, persons, personsAt } = incident
  const [atAuthority, atPersons] = [authorityAt, personsAt].map((at) => (at ? new Date(at) : new Date()))
  return (
    <FormDialog<Notices>
      title="Anunțarea incidentului"
      saveLabel="Salvează"
      stored={{
        authority,
        authorityDay: dayOf(atAuthority!),
        authorityTime: timeOf(atAuthority!),
        persons,
        personsDay: dayOf(atPersons!),
        personsTime: timeOf(atPersons!),
      }}
      onSave={async (values, release) => {
        const { data } = await save({
          variables: {
            id: incident.id,
            version: incident.version,
            authority: values.authority,
            authorityAt:
              values.authority === 'notified'
                ? momentOf(values.authorityDay, values.authorityTime, incident)
                : null,
            persons: values.persons,
            personsAt:
              values.persons === 'notified'
                ? momentOf(values.personsDay, values.personsTime, incident)
                : null,
          },
        })
        if (!data) return
        release()
        onClose()
      }}
      onClose={onClose}
    >
      <NoticeFields name="authority" label="ANSPDCP" names={AUTHORITY_NOTICE_NAMES} />
      <NoticeFields name="persons" label="Persoanele" names={PERSONS_NOTICE_NAMES} />
    </FormDialog>
  )
}

function NoticeFields({
  name,
  label,
  names,
}: {
  name: 'authority' | 'persons'
  label: string
  names: Readonly<Record<string, string>>
}) {
  const isNotified = useForm<Notices>().values[name] === 'notified'
  return (
    <>
      <Field
        type="dropdown"
        name={name}
        label={label}
        placeholder="Încă nu s-a hotărât"
        options={INCIDENT_NOTICES.map((id) => ({ id, label: names[id] ?? id }))}
      />
      {isNotified && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field type="datepicker" name={`${name}Day`} label={`${label}: ziua`} validation="required" />
          <Field
            type="text"
            name={`${name}Time`}
            label={`${label}: ora`}
            placeholder="14:30"
            validation="required|matches:/^[01]?[0-9]:[0-5][0-9]$/,/^2[0-3]:[0-5][0-9]$/"
            validationMessages={{ matches: 'Scrie ora ca 14:30.' }}
          />
        </div>
      )}
    </>
  )
}

export function CloseDialog({ incident, onClose }: Props) {
  const [closeIncident] = useMutation(CLOSE_INCIDENT)
  return (
    <ReasonDialog
      title={`Închei incidentul nr. ${incident.number}?`}
      saveLabel="Încheie"
      incident={incident}
      change={async (variables) => (await closeIncident({ variables })).data}
      onClose={onClose}
    >
      Cât timp este încheiat nu se schimbă nimic; doar instituțiile mai pot confirma.
    </ReasonDialog>
  )
}

export function ReopenDialog({ incident, onClose }: Props) {
  const [reopenIncident] = useMutation(REOPEN_INCIDENT)
  return (
    <ReasonDialog
      title={`Redeschid incidentul nr. ${incident.number}?`}
      saveLabel="Redeschide"
      incident={incident}
      change={async (variables) => (await reopenIncident({ variables })).data}
      onClose={onClose}
    >
      Motivul și încheierea de până acum rămân în note, deci și în raport.
    </ReasonDialog>
  )
}

function ReasonDialog({
  incident: { id, version },
  change,
  onClose,
  children,
  ...labels
}: Props & {
  title: string
  saveLabel: string
  /** Returns nothing if the change was refused. */
  change: (variables: { id: string; version: number; reason: string }) => Promise<unknown>
  children: string
}) {
  return (
    <FormDialog
      {...labels}
      stored={{ reason: '' }}
      onSave={async ({ reason }, release) => {
        if (!(await change({ id, version, reason }))) return
        release()
        onClose()
      }}
      onClose={onClose}
    >
      <p className="text-sm">{children}</p>
      <Field
        type="text"
        name="reason"
        label="Motivul"
        validation="required:trim"
        maxLength={LIMITS.shortText}
        autoFocus
      />
    </FormDialog>
  )
}
