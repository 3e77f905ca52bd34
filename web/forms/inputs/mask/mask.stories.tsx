import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

export default {
  gol: () => (
    <StoryForm>
      <Field
        type="mask"
        name="phone"
        label="Telefon"
        mask="phone"
        help="Din România, cu 0 sau cu +40."
        validation="required"
      />
      <Field type="mask" name="card" label="Seria și numărul" mask="AA ######" showMask />
      <Field type="mask" name="day" label="Data" mask="date" showMask unmasked={false} />
    </StoryForm>
  ),
  'cu părți opționale': () => (
    <StoryForm>
      <Field type="mask" name="number" label="Număr" mask="[+40 ][0]### ### ###" showMask />
      <Field type="mask" name="code" label="Cod" mask="###[-##[/#]]" help="123, 123-45 sau 123-45/6." />
      <Field type="mask" name="share" label="Cotă" mask="## \%" showMask />
    </StoryForm>
  ),
  completat: () => (
    <StoryForm
      start={{
        cnp: '1630615123457',
        cui: '18547290',
        phone: '722123456',
        day: '03.04.1985',
        off: '722123456',
      }}
    >
      <Field type="mask" name="cnp" label="CNP" mask="cnp" />
      <Field type="mask" name="cui" label="CUI" mask="cui" />
      <Field type="mask" name="phone" label="Telefon" mask="[+40 ]### ### ###" />
      <Field type="mask" name="day" label="Data" mask="date" unmasked={false} />
      <Field type="mask" name="off" label="Dezactivat" mask="### ### ###" disabled />
    </StoryForm>
  ),
  respins: () => (
    <StoryForm start={{ phone: '7221' }}>
      <Field
        type="mask"
        name="phone"
        label="Telefon"
        mask="phone"
        help="Din România, cu 0 sau cu +40."
        validationVisibility="live"
      />
    </StoryForm>
  ),
} satisfies Stories
