import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { Field } from '../../core/field.ts'

const swatches = [
  { value: '#84cc16', label: 'Verde-lime' },
  { value: '#0369a1', label: 'Albastru' },
  { value: '#be123c' },
]
const groups = [
  {
    label: 'Imagistică',
    swatches: [
      { value: '#1d4ed8', label: 'Radiografie' },
      { value: 'rgb(3, 105, 161)', label: 'Ecografie' },
      { value: 'hsl(173, 80%, 26%)', label: 'RMN' },
    ],
  },
  {
    label: 'Laborator',
    swatches: [
      { value: '#be123c', label: 'Hematologie' },
      { value: '#b45309', label: 'Biochimie' },
      { value: '#7e22ce', label: 'Imunologie' },
    ],
  },
]

export default {
  gol: () => (
    <StoryForm>
      <Field type="colorpicker" name="color" label="Culoare" />
    </StoryForm>
  ),
  completat: () => (
    <StoryForm>
      <Field type="colorpicker" name="color" label="Culoare" defaultValue="#336699" />
    </StoryForm>
  ),
  rgba: () => (
    <StoryForm>
      <Field
        type="colorpicker"
        name="color"
        label="Culoare"
        format="rgba"
        defaultValue="rgba(51, 102, 153, 0.5)"
      />
    </StoryForm>
  ),
  hsla: () => (
    <StoryForm>
      <Field
        type="colorpicker"
        name="color"
        label="Culoare"
        format="hsla"
        defaultValue="hsla(210, 50%, 40%, 1)"
      />
    </StoryForm>
  ),
  'fără transparență': () => (
    <StoryForm>
      <Field
        type="colorpicker"
        name="color"
        label="Culoare"
        help="Culoarea categoriei în liste."
        hasAlpha={false}
      />
    </StoryForm>
  ),
  mostre: () => (
    <StoryForm start={{ color: '#0369a1' }}>
      <Field type="colorpicker" name="color" label="Culoare" swatches={[...swatches, ...groups]} />
    </StoryForm>
  ),
  refuzat: () => (
    <StoryForm>
      <Field
        type="colorpicker"
        name="color"
        label="Culoare"
        defaultValue="vernil"
        validation="required"
        validationVisibility="live"
      />
    </StoryForm>
  ),
  dezactivat: () => (
    <StoryForm>
      <Field type="colorpicker" name="color" label="Culoare" defaultValue="#336699" disabled />
    </StoryForm>
  ),
} satisfies Stories
