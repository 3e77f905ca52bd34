import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

export default {
  simplă: () => (
    <StoryForm>
      <Field type="checkbox" name="news" label="Vreau noutăți pe e-mail" help="Cel mult una pe lună." />
    </StoryForm>
  ),
  obligatorie: () => (
    <StoryForm>
      <Field type="checkbox" name="terms" label="Am citit condițiile" validation="accepted" />
    </StoryForm>
  ),
  dezactivată: () => (
    <StoryForm>
      <Field type="checkbox" name="off" label="Nu se schimbă" defaultValue disabled />
    </StoryForm>
  ),
} satisfies Stories
