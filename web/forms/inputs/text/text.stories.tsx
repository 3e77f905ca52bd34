import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

export default {
  'un rând': () => (
    <StoryForm>
      <Field
        type="text"
        name="surname"
        label="Nume"
        help="Cum stă în buletin."
        validation="required|length:2,20"
      />
      <Field type="email" name="email" label="E-mail" validation="email" />
      <Field type="text" name="off" label="Dezactivat" defaultValue="Nu se schimbă" disabled />
    </StoryForm>
  ),
  'mai multe rânduri': () => (
    <StoryForm>
      <Field type="textarea" name="note" label="Notă" rows={3} validation="length:0,30" />
    </StoryForm>
  ),
} satisfies Stories
