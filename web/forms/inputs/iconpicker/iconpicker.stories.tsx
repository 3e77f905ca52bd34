import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

export default {
  gol: () => (
    <StoryForm>
      <Field type="iconpicker" name="icon" label="Pictogramă" />
    </StoryForm>
  ),
  completat: () => (
    <StoryForm>
      <Field type="iconpicker" name="icon" label="Pictogramă" defaultValue="stethoscope" />
    </StoryForm>
  ),
  'cu ajutor': () => (
    <StoryForm>
      <Field
        type="iconpicker"
        name="icon"
        label="Pictogramă"
        help="Stă lângă numele categoriei în liste."
        validation="required"
      />
    </StoryForm>
  ),
  refuzat: () => (
    <StoryForm>
      <Field
        type="iconpicker"
        name="icon"
        label="Pictogramă"
        validation="required"
        validationVisibility="live"
      />
    </StoryForm>
  ),
  dezactivat: () => (
    <StoryForm>
      <Field type="iconpicker" name="icon" label="Pictogramă" defaultValue="microscope" disabled />
    </StoryForm>
  ),
} satisfies Stories
