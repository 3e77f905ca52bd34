import { useState } from 'react'
import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Button } from '../../../ui/base/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Field } from '../../core/field.ts'

interface Person {
  name: string
}

const KNOWN = new Map<string, Person>([['1630615123457', { name: 'Ion Popescu' }]])

const SEX = [
  { value: 'female', label: 'Feminin' },
  { value: 'male', label: 'Masculin' },
]

/** The calls of `lookUp` and `onKnown`, shown for tests. */
function CallLog({ name, label, calls }: { name: string; label: string; calls: string[] }) {
  return (
    <p className="text-sm text-muted">
      {label}: <output data-testid={name}>{calls.join(' ')}</output>
    </p>
  )
}

/** Looks up a patient at once, or when a button is pressed, to simulate a slow server. */
function LookUp({ isSlow = false }: { isSlow?: boolean }) {
  const [requested, setRequested] = useState<string[]>([])
  const [known, setKnown] = useState<string[]>([])
  const [pending, setPending] = useState<{ cnp: string; respond: () => void }[]>([])
  const lookUp = (cnp: string) =>
    new Promise<Person | null>((resolve) => {
      setRequested((before) => [...before, cnp])
      const respond = () => resolve(KNOWN.get(cnp) ?? null)
      if (isSlow) setPending((before) => [...before, { cnp, respond }])
      else respond()
    })
  return (
    <>
      <StoryForm>
        <Field
          type="cnp"
          name="cnp"
          label="CNP"
          lookUp={lookUp}
          onKnown={(person: Person | null) => setKnown((before) => [...before, person?.name ?? 'nimeni'])}
          renderMatch={({ name }: Person) => (
            <Alert tone="warning" isLive title="Pacientul există deja">
              {name}
            </Alert>
          )}
        />
      </StoryForm>
      <CallLog name="searched" label="Întrebat" calls={requested} />
      <CallLog name="found" label="Aflat" calls={known} />
      <div className="flex flex-wrap gap-2">
        {pending.map(({ cnp, respond }, index) => (
          <Button key={cnp} onPress={respond}>{`Răspunde la ${index + 1}`}</Button>
        ))}
      </div>
    </>
  )
}

export default {
  'completează data nașterii și sexul': () => (
    <StoryForm start={{ birthDate: null, sex: null }}>
      <Field
        type="cnp"
        name="cnp"
        label="CNP"
        help="Completează singur data nașterii și sexul."
        birthDate="birthDate"
        sex="sex"
      />
      <Field type="datepicker" name="birthDate" label="Data nașterii" />
      <Field type="toggle" name="sex" label="Sex" options={SEX} />
    </StoryForm>
  ),
  'caută pacientul': () => <LookUp />,
  'răspunsul vine târziu': () => <LookUp isSlow />,
  completat: () => (
    <StoryForm start={{ cnp: '1630615123457', off: '1630615123457' }}>
      <Field type="cnp" name="cnp" label="CNP" validation="required" />
      <Field type="cnp" name="off" label="Dezactivat" disabled />
    </StoryForm>
  ),
  respins: () => (
    <StoryForm start={{ cnp: '1630615123458' }}>
      <Field type="cnp" name="cnp" label="CNP" />
    </StoryForm>
  ),
} satisfies Stories
