import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import type { Option } from '../../../ui/options/option.ts'
import { Field } from '../../core/field.ts'

const ROLES: Option[] = [
  { id: 'doctor', label: 'Medic', description: 'Scrie și semnează rezultate', icon: 'user' },
  { id: 'nurse', label: 'Asistent medical', icon: 'user' },
  { id: 'registrar', label: 'Registrator', description: 'Încarcă documente', icon: 'upload' },
  { id: 'director', label: 'Director', isDisabled: true },
]

const EXAMINATIONS = [
  {
    label: 'Imagistică',
    options: [
      { id: 'rmn', label: 'RMN cerebral' },
      { id: 'ct', label: 'CT torace' },
      { id: 'eco', label: 'Ecografie abdominală' },
    ],
  },
  {
    label: 'Laborator',
    options: [
      { id: 'hemo', label: 'Hemoleucogramă completă' },
      { id: 'glicemie', label: 'Glicemie' },
      { id: 'tsh', label: 'Hormon de stimulare tiroidiană (TSH)' },
    ],
  },
]

const LONG =
  'Institutul Național de Neurologie și Boli Neurovasculare „Profesor Doctor Vlad Voiculescu” București'

const MANY: Option[] = Array.from({ length: 1000 }, (_, index) => ({
  id: String(index + 1),
  label: `Secția ${index + 1}`,
  description: index % 3 === 0 ? 'Etajul întâi' : undefined,
}))

export default {
  gol: () => (
    <StoryForm>
      <Field type="dropdown" name="role" label="Rol" options={ROLES} help="Spune ce poate face." />
    </StoryForm>
  ),
  ales: () => (
    <StoryForm>
      <Field type="dropdown" name="role" label="Rol" defaultValue="registrar" options={ROLES} />
      <Field
        type="dropdown"
        name="long"
        label="Nume lung"
        defaultValue="long"
        options={[
          { id: 'long', label: LONG, description: LONG },
          { id: 'short', label: 'Scurt' },
        ]}
      />
    </StoryForm>
  ),
  obligatoriu: () => (
    <StoryForm>
      <Field type="dropdown" name="role" label="Rol" options={ROLES} validation="required" />
    </StoryForm>
  ),
  dezactivat: () => (
    <StoryForm>
      <Field type="dropdown" name="role" label="Rol" defaultValue="doctor" options={ROLES} disabled />
      <Field
        type="dropdown"
        name="exams"
        label="Investigații"
        multiple
        defaultValue={['rmn', 'tsh']}
        options={EXAMINATIONS}
        disabled
      />
    </StoryForm>
  ),
  'mai multe': () => (
    <StoryForm>
      <Field
        type="dropdown"
        name="exams"
        label="Investigații"
        placeholder="Alege investigațiile"
        multiple
        options={EXAMINATIONS}
        validation="max:3"
      />
    </StoryForm>
  ),
  'mai multe, alese': () => (
    <StoryForm>
      <Field
        type="dropdown"
        name="exams"
        label="Investigații"
        multiple
        defaultValue={['rmn', 'hemo', 'tsh', 'eco']}
        options={EXAMINATIONS}
      />
    </StoryForm>
  ),
  'cu căutare': () => (
    <StoryForm>
      <Field type="dropdown" name="exam" label="Investigație" search options={EXAMINATIONS} />
    </StoryForm>
  ),
  'mai multe, cu căutare': () => (
    <StoryForm>
      <Field type="dropdown" name="exams" label="Investigații" search multiple options={EXAMINATIONS} />
    </StoryForm>
  ),
  'o mie': () => (
    <StoryForm>
      <Field type="dropdown" name="ward" label="Secție" search options={MANY} />
    </StoryForm>
  ),
  'fără opțiuni': () => (
    <StoryForm>
      <Field type="dropdown" name="none" label="Medic" options={[]} />
    </StoryForm>
  ),
} satisfies Stories
