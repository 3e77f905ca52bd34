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

/** What the form was asked and told: for whoever looks, and for the tests. */
function Heard({ name, label, words }: { name: string; label: string; words: string[] }) {
  return (
    <p className="text-sm text-muted">
      {label}: <output data-testid={name}>{words.join(' ')}</output>
    </p>
  )
}

/** A patient is looked up at once, or when a button says so: as slowly as a server may answer. */
function LookUp({ isSlow = false }: { isSlow?: boolean }) {
  const [requested, setAsked] = useState<string[]>([])
  const [known, setTold] = useState<string[]>([])
  const [open, setOpen] = useState<{ cnp: string; answer: () => void }[]>([])
  const lookUp = (cnp: string) =>
    new Promise<Person | null>((resolve) => {
      setAsked((before) => [...before, cnp])
      const response = () => resolve(KNOWN.get(cnp) ?? null)
      if (isSlow) setOpen((before) => [...before, { cnp, answer: response }])
      else response()
    })
  return (
    <>
      <StoryForm>
        <Field
          type="cnp"
          name="cnp"
          label="CNP"
          lookUp={lookUp}
          onKnown={(person: Person | null) => setTold((before) => [...before, person?.name ?? 'nimeni'])}
          renderMatch={({ name }: Person) => (
            <Alert tone="warning" isLive title="Pacientul există deja">
              {name}
            </Alert>
          )}
        />
      </StoryForm>
      <Heard name="asked" label="Întrebat" words={requested} />
      <Heard name="told" label="Aflat" words={known} />
      <div className="flex flex-wrap gap-2">
        {open.map(({ cnp, answer: response }, place) => (
          <Button key={cnp} onPress={response}>{`Răspunde la ${place + 1}`}</Button>
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
