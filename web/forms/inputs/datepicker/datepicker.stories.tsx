import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
const everyDayOfMay = (day: string) => day.slice(5, 7) === '05'

export default {
  gol: () => (
    <StoryForm>
      <Field
        type="datepicker"
        name="birthDate"
        label="Data nașterii"
        help="Ziua, luna și anul: 03.04.1985."
        validation="required"
      />
    </StoryForm>
  ),
  completat: () => (
    <StoryForm start={{ birthDate: '1985-04-03' }}>
      <Field type="datepicker" name="birthDate" label="Data nașterii" />
    </StoryForm>
  ),
  dezactivat: () => (
    <StoryForm start={{ birthDate: '1985-04-03' }}>
      <Field type="datepicker" name="birthDate" label="Data nașterii" disabled />
    </StoryForm>
  ),
  'cu margini': () => (
    <StoryForm>
      <Field
        type="datepicker"
        name="examinedOn"
        label="Data examinării"
        help="Între 10 martie și 20 aprilie 2026, fără 6 aprilie."
        defaultValue="2026-03-12"
        min="2026-03-10"
        max="2026-04-20"
        disabledDates={['2026-04-06', '2026-03-16', '2026-03-17']}
      />
    </StoryForm>
  ),
  'fără sfârșit de săptămână': () => (
    <StoryForm>
      <Field
        type="datepicker"
        name="examinedOn"
        label="Data examinării"
        defaultValue="2026-04-30"
        disabledDates={(day) => isWeekend(day) || everyDayOfMay(day)}
      />
    </StoryForm>
  ),
  respins: () => (
    <StoryForm>
      <Field
        type="datepicker"
        name="examinedOn"
        label="Data examinării"
        defaultValue="2026-03-07"
        disabledDates={isWeekend}
        validationVisibility="live"
      />
    </StoryForm>
  ),
  perioadă: () => (
    <StoryForm>
      <Field
        type="datepicker"
        name="period"
        label="Perioada internării"
        help="Ambele zile sunt incluse."
        range
        validation="required"
      />
    </StoryForm>
  ),
  'perioadă completată': () => (
    <StoryForm start={{ period: { start: '2026-03-10', end: '2026-03-20' } }}>
      <Field
        type="datepicker"
        name="period"
        label="Perioada internării"
        range
        min="2026-03-02"
        disabledDates={isWeekend}
      />
    </StoryForm>
  ),
  'perioadă respinsă': () => (
    <StoryForm start={{ period: { start: '2026-03-20', end: '2026-03-10' } }}>
      <Field type="datepicker" name="period" label="Perioada internării" range validationVisibility="live" />
    </StoryForm>
  ),
} satisfies Stories
