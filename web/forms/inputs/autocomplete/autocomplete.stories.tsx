import { useState } from 'react'
import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { createMatcher } from '../../../ui/options/match-options.ts'
import type { Option } from '../../../ui/options/option.ts'
import { Field } from '../../core/field.ts'

const TOWNS: Option[] = [
  'București',
  'Brașov',
  'Câmpulung Moldovenesc',
  'Cluj-Napoca',
  'Iași',
  'Piatra-Neamț',
  'Râmnicu Vâlcea',
  'Sfântu Gheorghe',
  'Târgu Jiu',
  'Târgu Mureș',
  'Timișoara',
].map((label) => ({ id: label.toLowerCase(), label }))

const LONG =
  'Institutul Național de Neurologie și Boli Neurovasculare „Profesor Doctor Vlad Voiculescu” București'

const MANY: Option[] = Array.from({ length: 1000 }, (_, index) => ({
  id: String(index + 1),
  label: `Pacientul ${index + 1}`,
  description: `nr. ${index + 1}`,
}))

const PAGE = 20
const matches = createMatcher()
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Simulates a server: pages of options, each after 100 ms. */
async function findPatients(text: string, cursor: string | null) {
  await wait(100)
  const found = MANY.filter(({ label }) => matches(label, text))
  const start = Number(cursor ?? 0)
  const end = start + PAGE
  return { options: found.slice(start, end), next: end < found.length ? String(end) : null }
}

/** Returns only the first page; the others stay loading. */
const findFirstPage: typeof findPatients = (text, cursor) =>
  cursor === null ? findPatients(text, null) : new Promise(() => {})

/** Returns the options of „1” late and of other texts at once: the late response must be dropped. */
async function findUnevenly(text: string) {
  await wait(text === '1' ? 1500 : 20)
  return { options: [{ id: text, label: `Răspuns la „${text}”` }], next: null }
}

/** Returns a loader that fails on the first request of the first two pages. */
function makeUnreliable() {
  const requested = new Set<string>()
  return async (text: string, cursor: string | null) => {
    const request = `${text} ${cursor}`
    if (requested.size < 2 && !requested.has(request)) {
      requested.add(request)
      throw new Error('request failed')
    }
    return findPatients(text, cursor)
  }
}

async function createTown(text: string): Promise<Option> {
  await wait(50)
  if (text.startsWith('Interzis')) throw new Error('request failed')
  return { id: `nou:${text}`, label: text }
}

function FilteredByCallerField() {
  const [text, setText] = useState('')
  return (
    <Field
      type="autocomplete"
      name="town"
      label="Localitate"
      options={TOWNS.filter(({ label }) => matches(label, text))}
      onSearch={setText}
      emptyText="Nicio localitate găsită"
    />
  )
}

function UnreliableField() {
  const [find] = useState(makeUnreliable)
  return <Field type="autocomplete" name="patient" label="Pacient" loadOptions={find} />
}

export default {
  gol: () => (
    <StoryForm>
      <Field
        type="autocomplete"
        name="town"
        label="Localitate"
        placeholder="Scrie sau alege"
        help="Cu sau fără diacritice."
        options={TOWNS}
      />
    </StoryForm>
  ),
  ales: () => (
    <StoryForm>
      <Field type="autocomplete" name="town" label="Localitate" defaultValue="iași" options={TOWNS} />
      <Field
        type="autocomplete"
        name="long"
        label="Nume lung"
        defaultValue="long"
        options={[{ id: 'long', label: LONG, description: LONG }]}
      />
    </StoryForm>
  ),
  obligatoriu: () => (
    <StoryForm>
      <Field type="autocomplete" name="town" label="Localitate" options={TOWNS} validation="required" />
    </StoryForm>
  ),
  dezactivat: () => (
    <StoryForm>
      <Field
        type="autocomplete"
        name="town"
        label="Localitate"
        defaultValue="iași"
        options={TOWNS}
        disabled
      />
      <Field
        type="autocomplete"
        name="towns"
        label="Localități"
        multiple
        defaultValue={['iași', 'târgu mureș']}
        options={TOWNS}
        disabled
      />
    </StoryForm>
  ),
  'mai multe': () => (
    <StoryForm>
      <Field
        type="autocomplete"
        name="towns"
        label="Localități"
        placeholder="Scrie sau alege"
        multiple
        options={TOWNS}
        validation="max:3"
      />
    </StoryForm>
  ),
  'mai multe, alese': () => (
    <StoryForm>
      <Field
        type="autocomplete"
        name="towns"
        label="Localități"
        multiple
        defaultValue={['iași', 'târgu mureș', 'long', 'câmpulung moldovenesc']}
        options={[...TOWNS, { id: 'long', label: LONG }]}
      />
    </StoryForm>
  ),
  'de la server': () => (
    <StoryForm>
      <Field
        type="autocomplete"
        name="patient"
        label="Pacient"
        defaultValue="777"
        chosen={MANY[776]}
        loadOptions={findPatients}
        emptyText="Niciun pacient găsit"
      />
    </StoryForm>
  ),
  'de la server, mai multe': () => (
    <StoryForm>
      <Field type="autocomplete" name="patients" label="Pacienți" multiple loadOptions={findPatients} />
    </StoryForm>
  ),
  'răspuns târziu': () => (
    <StoryForm>
      <Field type="autocomplete" name="answer" label="Întrebare" loadOptions={findUnevenly} />
    </StoryForm>
  ),
  'pagina a doua nu vine': () => (
    <StoryForm>
      <Field type="autocomplete" name="patient" label="Pacient" loadOptions={findFirstPage} />
    </StoryForm>
  ),
  'server cu erori': () => (
    <StoryForm>
      <UnreliableField />
    </StoryForm>
  ),
  'condus din afară': () => (
    <StoryForm>
      <FilteredByCallerField />
    </StoryForm>
  ),
  'cu opțiuni noi': () => (
    <StoryForm>
      <Field type="autocomplete" name="town" label="Localitate" options={TOWNS} onCreate={createTown} />
    </StoryForm>
  ),
  'cu orice text': () => (
    <StoryForm>
      <Field type="autocomplete" name="town" label="Localitate" options={TOWNS} acceptsCustomText />
    </StoryForm>
  ),
  'mai multe, cu opțiuni noi': () => (
    <StoryForm>
      <Field
        type="autocomplete"
        name="towns"
        label="Localități"
        multiple
        options={TOWNS}
        onCreate={createTown}
      />
    </StoryForm>
  ),
  'o mie': () => (
    <StoryForm>
      <Field type="autocomplete" name="patient" label="Pacient" options={MANY} />
    </StoryForm>
  ),
} satisfies Stories
