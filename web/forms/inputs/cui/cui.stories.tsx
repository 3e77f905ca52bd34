import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

export default {
  gol: () => (
    <StoryForm>
      <Field type="cui" name="cui" label="CUI" help="Cu sau fără RO." validation="required" />
    </StoryForm>
  ),
  completat: () => (
    <StoryForm start={{ cui: '18547290', off: '18547290' }}>
      <Field type="cui" name="cui" label="CUI" />
      <Field type="cui" name="off" label="Dezactivat" disabled />
    </StoryForm>
  ),
  respins: () => (
    <StoryForm start={{ cui: '18547291' }}>
      <Field type="cui" name="cui" label="CUI" validationVisibility="live" />
    </StoryForm>
  ),
} satisfies Stories
