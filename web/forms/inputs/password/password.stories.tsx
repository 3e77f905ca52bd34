import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

export default {
  'parolă nouă': () => (
    <StoryForm>
      <Field
        type="password"
        name="next"
        label="Parola nouă"
        autoComplete="new-password"
        help="Cel puțin 15 caractere."
        validation="required|new_password:15"
      />
    </StoryForm>
  ),
  dezactivată: () => (
    <StoryForm>
      <Field type="password" name="off" label="Parola" autoComplete="current-password" disabled />
    </StoryForm>
  ),
} satisfies Stories
