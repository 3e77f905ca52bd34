import { useMutation, useQuery } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import { birthDateBounds, findBirthDateError } from '../../../shared/birth-dates.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { ACCESS_REQUESTED_MESSAGE } from '../../../shared/requests/access-requests.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Field } from '../../forms/core/field.ts'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { SideSheet } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { valuesOfSearch } from '../patients/patient-values.ts'
import { REQUEST_ACCESS, REQUEST_INSTITUTIONS } from './access-requests.queries.ts'

const TITLE = 'Cerere de acces la un pacient'

type Values = {
  institutionId: string | null
  cnp: string
  surname: string
  givenNames: string
  birthDate: string | null
  purpose: string
  doctor: string
  number: string
}

/** The form of a request for access. The server answers the same for every patient. Mounted while it is open. */
export function RequestAccessSheet({ search, onClose }: { search: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(REQUEST_INSTITUTIONS)
  const [requestAccess] = useMutation(REQUEST_ACCESS, {
    update: (cache) => void cache.evict({ fieldName: 'ownAccessRequests' }),
  })
  const navigate = useNavigate()
  if (error && !data)
    return (
      <SideSheet title={TITLE} isOpen onOpenChange={onClose}>
        <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
      </SideSheet>
    )
  if (!data) return null
  const { requestInstitutions: institutions } = data
  const [only] = institutions.length === 1 ? institutions : []
  const { cnp, surname, givenNames, birthDate } = valuesOfSearch(search)
  const empty: Values = {
    institutionId: only?.id ?? null,
    cnp: '',
    surname: '',
    givenNames: '',
    birthDate: null,
    purpose: '',
    doctor: '',
    number: '',
  }
  const today = todayInRomania()
  return (
    <FormSheet<Values>
      title={TITLE}
      saveLabel="Trimiteți cererea"
      failureTitle="Cererea nu a fost trimisă"
      stored={empty}
      start={{ ...empty, cnp, surname, givenNames, birthDate }}
      onSave={async ({ institutionId, ...request }, release) => {
        if (institutionId === null) return
        await requestAccess({ variables: { request: { ...request, institutionId } } })
        showToast({
          tone: 'success',
          title: ACCESS_REQUESTED_MESSAGE,
          action: {
            label: 'Vedeți cererile',
            onAction: () => void navigate({ to: '/institution', search: { tab: 'cereri' } }),
          },
        })
        release()
        onClose()
      }}
      onClose={onClose}
      className="sm:grid-cols-2"
    >
      <p className="col-span-full text-sm text-muted">
        Scrieți datele așa cum le aveți. Centrul le verifică și vă răspunde aici; răspunsul nu spune dacă
        pacientul este în evidența lui.
      </p>
      {!only && (
        <Field
          type="dropdown"
          name="institutionId"
          label="Instituția"
          options={institutions.map(({ id, name }) => ({ id, label: name }))}
          validation="required"
          className="col-span-full"
        />
      )}
      <Field type="text" name="surname" label="Nume" validation="required:trim" maxLength={100} autoFocus />
      <Field type="text" name="givenNames" label="Prenume" validation="required:trim" maxLength={100} />
      <Field
        type="cnp"
        name="cnp"
        label="CNP"
        help="Opțional. Colegii dumneavoastră văd doar ultimele patru cifre."
        birthDate="birthDate"
      />
      <Field
        type="datepicker"
        name="birthDate"
        label="Data nașterii"
        {...birthDateBounds(today)}
        explainDisabled={(day) => findBirthDateError(day, today)}
        validation="required"
      />
      <Field
        type="textarea"
        name="purpose"
        label="Pentru ce aveți nevoie de acces"
        validationLabel="Scopul"
        validation="required:trim"
        rows={3}
        maxLength={LIMITS.accessPurpose}
        className="col-span-full"
      />
      <Field type="text" name="number" label="Numărul trimiterii" help="Opțional" maxLength={60} />
      <Field
        type="text"
        name="doctor"
        label="Medicul trimițător"
        help="Opțional"
        maxLength={LIMITS.shortText}
      />
    </FormSheet>
  )
}
