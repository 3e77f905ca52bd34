import type { FormKitNode } from '@formkit/core'
import { useRef, useState } from 'react'
import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Button } from '../../../ui/base/button.tsx'
import { Field } from '../../core/field.ts'
import { Form } from '../../core/form.tsx'

const person = (number: number) => `Persoana ${number}`

const contactFields = (
  <>
    <Field type="text" name="name" label="Nume" validation="required" />
    <Field type="email" name="email" label="E-mail" validation="email" />
  </>
)

const PEOPLE = [
  { name: 'Ana Popescu', email: 'ana@example.ro' },
  { name: 'Ion Ionescu', email: 'ion@example.ro' },
  { name: 'Maria Marin', email: 'maria@example.ro' },
]

function ServerRefusal() {
  const form = useRef<FormKitNode>(null)
  const [sent, setSent] = useState(0)
  return (
    <div className="grid max-w-xl gap-4">
      <Form
        id="server-error"
        start={{ contacts: PEOPLE }}
        onSubmit={async () => {
          setSent((count) => count + 1)
          form.current?.setErrors([], { 'contacts.1.email': 'Adresa este folosită deja.' })
        }}
        onNode={(node) => {
          form.current = node
        }}
      >
        <Field type="repeater" name="contacts" label="Persoane de contact" itemLabel={person}>
          {contactFields}
        </Field>
      </Form>
      <div className="flex items-center gap-3">
        <Button type="submit" form="server-error">
          Trimite
        </Button>
        <output className="text-sm text-muted">Trimis: {sent}</output>
      </div>
    </div>
  )
}

export default {
  gol: () => (
    <StoryForm>
      <Field
        type="repeater"
        name="contacts"
        label="Persoane de contact"
        help="Pe cine sunăm când lipsește ceva."
        max={3}
        addLabel="Adaugă persoană"
        itemLabel={person}
      >
        {contactFields}
      </Field>
    </StoryForm>
  ),
  completat: () => (
    <StoryForm start={{ contacts: PEOPLE }}>
      <Field
        type="repeater"
        name="contacts"
        label="Persoane de contact"
        max={5}
        addLabel="Adaugă persoană"
        itemLabel={person}
      >
        {contactFields}
      </Field>
    </StoryForm>
  ),
  'cel puțin două': () => (
    <StoryForm start={{ contacts: PEOPLE.slice(0, 1) }}>
      <Field
        type="repeater"
        name="contacts"
        label="Persoane de contact"
        min={2}
        addLabel="Adaugă persoană"
        itemLabel={person}
      >
        {contactFields}
      </Field>
    </StoryForm>
  ),
  dezactivat: () => (
    <StoryForm start={{ contacts: PEOPLE.slice(0, 2) }}>
      <Field type="repeater" name="contacts" label="Persoane de contact" itemLabel={person} disabled>
        {contactFields}
      </Field>
    </StoryForm>
  ),
  'refuzat de server': ServerRefusal,
} satisfies Stories
