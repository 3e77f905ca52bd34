import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

export default {
  gol: () => (
    <StoryForm>
      <Field
        type="phone"
        name="phone"
        label="Telefon"
        help="Din străinătate cu + și prefixul țării."
        validation="required"
      />
    </StoryForm>
  ),
  completat: () => (
    <StoryForm
      start={{ phone: '+40722123456', fixed: '+40211234567', foreign: '+37322123456', off: '+40722123456' }}
    >
      <Field type="phone" name="phone" label="Mobil" />
      <Field type="phone" name="fixed" label="Fix" />
      <Field type="phone" name="foreign" label="Din străinătate" />
      <Field type="phone" name="off" label="Dezactivat" disabled />
    </StoryForm>
  ),
  respins: () => (
    <StoryForm start={{ phone: '0522123456' }}>
      <Field type="phone" name="phone" label="Telefon" validationVisibility="live" />
    </StoryForm>
  ),
} satisfies Stories
