import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

const SEX = [
  { value: 'male', label: 'Masculin' },
  { value: 'female', label: 'Feminin' },
]

const DAYS = [
  { value: 'mon', label: 'Luni' },
  { value: 'tue', label: 'Marți' },
  { value: 'wed', label: 'Miercuri', disabled: true },
  { value: 'thu', label: 'Joi' },
  { value: 'fri', label: 'Vineri' },
]

const FILES = [
  { value: 'pdf', label: 'PDF' },
  { value: 'image', label: 'Imagini' },
  { value: 'video', label: 'Filme' },
]

const RELEASE = [
  { value: 'now', label: 'Imediat', help: 'Instituția vede fișierele după validare.' },
  { value: 'later', label: 'Mai târziu', help: 'Le eliberezi tu, din pagina încărcării.' },
  { value: 'never', label: 'Niciodată', help: 'Rămân doar în arhivă.', disabled: true },
]

const CHANNELS = [
  { value: 'mail', label: 'E-mail', help: 'La adresa contului.' },
  { value: 'screen', label: 'În aplicație', help: 'La clopoțel, cât timp ești autentificat.' },
]

export default {
  'pornit sau oprit': () => (
    <StoryForm start={{ daily: true }}>
      <Field type="toggle" name="shared" label="Vizibil pentru instituții" help="Se poate schimba oricând." />
      <Field type="toggle" name="daily" label="Rezumat zilnic pe e-mail" />
      <Field type="toggle" name="terms" label="Accept condițiile" validation="accepted" />
      <Field type="toggle" name="off" label="Dezactivat" disabled />
    </StoryForm>
  ),
  'una din opțiuni': () => (
    <StoryForm>
      <Field type="toggle" name="sex" label="Sex" options={SEX} validation="required" />
      <Field type="toggle" name="day" label="Ziua" options={DAYS} />
    </StoryForm>
  ),
  'mai multe opțiuni': () => (
    <StoryForm start={{ days: ['tue', 'thu'] }}>
      <Field
        type="toggle"
        name="days"
        label="Zile de lucru"
        help="Când se primesc fișiere."
        options={DAYS}
        multiple
        validation="required|max:3"
      />
      <Field type="toggle" name="files" label="Fișiere primite" options={FILES} multiple />
    </StoryForm>
  ),
  'opțiuni cu explicații': () => (
    <StoryForm start={{ release: 'now' }}>
      <Field type="toggle" name="release" label="Eliberare" options={RELEASE} />
      <Field type="toggle" name="channels" label="Anunțuri" options={CHANNELS} multiple />
    </StoryForm>
  ),
  listă: () => (
    <StoryForm>
      <Field
        type="toggle"
        name="reason"
        label="Motivul"
        look="list"
        validation="required"
        options={[
          { value: 'wrong-patient', label: 'Alt pacient', shortcut: '1' },
          { value: 'unreadable', label: 'Nu se poate citi', shortcut: '2' },
          { value: 'other', label: 'Alt motiv', shortcut: '3' },
        ]}
      />
    </StoryForm>
  ),
  dezactivat: () => (
    <StoryForm start={{ sex: 'female', days: ['mon', 'wed'] }}>
      <Field type="toggle" name="sex" label="Sex" options={SEX} disabled />
      <Field type="toggle" name="days" label="Zile de lucru" options={DAYS} multiple disabled />
    </StoryForm>
  ),
} satisfies Stories
