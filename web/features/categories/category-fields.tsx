import { LIMITS } from '../../../shared/limits.ts'
import { joinSlug, parentSlug } from '../../../shared/uploads/categories.ts'
import { POLICY_BOUNDS, RELEASE_NAMES, REVIEWER_NAMES } from '../../../shared/uploads/category-policy.ts'
import { Field } from '../../forms/core/field.ts'
import { FieldGroup } from '../../forms/core/field-group.tsx'
import { useForm } from '../../forms/core/form.tsx'
import { useProposal } from '../../forms/core/use-proposal.ts'
import { nameOptions } from '../../forms/inputs/dropdown/name-options.ts'
import { lastPart } from './category-edits.ts'
import { type CategoryValues, proposePart } from './category-values.ts'

/** Colours that are distinguishable in light and dark mode. */
const SWATCHES = [
  ['#b91c1c', 'Roșu'],
  ['#c2410c', 'Portocaliu'],
  ['#a16207', 'Galben'],
  ['#4d7c0f', 'Verde-lime'],
  ['#047857', 'Verde'],
  ['#0f766e', 'Turcoaz'],
  ['#0369a1', 'Albastru'],
  ['#4338ca', 'Indigo'],
  ['#7e22ce', 'Violet'],
  ['#be123c', 'Roz'],
  ['#57534e', 'Gri'],
].map(([value, label]) => ({ value: value!, label }))

const { releaseHours, retentionYears } = POLICY_BOUNDS

interface CategoryFieldsProps {
  /** The slug of the category in the edit buffer. */
  slug: string
  isNew: boolean
  /** Whether a slug belongs to another category. */
  isTaken: (slug: string) => boolean
}

export function CategoryFields(props: CategoryFieldsProps) {
  return (
    <div className="col-span-full grid gap-7">
      <DetailsFields {...props} />
      <ReviewFields />
      <ReleaseFields />
    </div>
  )
}

function DetailsFields({ slug, isNew, isTaken }: CategoryFieldsProps) {
  const { values } = useForm<CategoryValues>()
  const part = values.part ?? ''
  const fullSlug = joinSlug(parentSlug(slug), part)
  // The rule compares with values only, so it names the current text if that slug is taken.
  const taken = isTaken(fullSlug) ? `|not:${part}` : ''
  return (
    <FieldGroup title="Categorie">
      <Field
        type="text"
        name="name"
        label="Nume"
        autoFocus
        validation="required:trim"
        maxLength={LIMITS.shortText}
        className="sm:col-span-2"
      />
      <Field
        type="text"
        name="part"
        label="Adresă (slug)"
        help={`Numele scurt din adrese și din API: ${fullSlug || '…'}`}
        validation={`required:trim|matches:/^[a-z0-9-]+$/${taken}`}
        validationMessages={{
          matches: 'Slugul are litere mici fără diacritice, cifre și liniuțe.',
          not: 'Slugul este al altei categorii sau a fost, până la salvare. Alege altul.',
        }}
        maxLength={80}
        spellCheck="false"
        className="sm:col-span-2"
      />
      {isNew && <ProposePart first={lastPart(slug)} />}
      <Field type="iconpicker" name="icon" label="Pictogramă" />
      <Field type="colorpicker" name="color" label="Culoare" hasAlpha={false} swatches={SWATCHES} />
    </FieldGroup>
  )
}

/** Whether and by how many people the uploads are reviewed. */
function ReviewFields() {
  const { values } = useForm<CategoryValues>()
  return (
    <FieldGroup title="Verificare">
      <Field
        type="toggle"
        name="reviewRequired"
        label="Trebuie verificată"
        help="Oprit: ce se încarcă pentru un pacient este acceptat de îndată ce fișierele sunt în regulă."
        className="sm:col-span-2"
      />
      {values.reviewRequired && (
        <Field
          type="toggle"
          name="reviewers"
          label="Câți verifică"
          options={[...REVIEWER_NAMES].map(([value, label]) => ({ value: String(value), label }))}
          help="Cu două, al doilea verificator este mereu altcineva decât primul."
          validation="required"
          className="sm:col-span-2"
        />
      )}
    </FieldGroup>
  )
}

/** When the uploads are released, to whom, and how long they are kept. */
function ReleaseFields() {
  const { values } = useForm<CategoryValues>()
  return (
    <FieldGroup title="Eliberare și păstrare">
      <Field
        type="dropdown"
        name="release"
        label="Eliberare"
        help="Când ajunge la instituție ce a fost acceptat."
        options={nameOptions(RELEASE_NAMES)}
        validation="required"
      />
      {values.release === 'after_hours' && (
        <Field
          type="text"
          name="releaseHours"
          label="După câte ore"
          help={`Un număr întreg, cel mult ${releaseHours.max} (30 de zile).`}
          inputMode="numeric"
          suffix="ore"
          validation={`required:trim|matches:/^\\s*\\d+\\s*$/|between:${releaseHours.min},${releaseHours.max}`}
          validationMessages={{ matches: 'Scrie un număr întreg de ore.' }}
        />
      )}
      <Field
        type="toggle"
        name="visibleToPatients"
        label="Vizibilă pacienților"
        help="Oprită: rezultatele categoriei nu pot fi trimise pacientului sau persoanelor desemnate de el."
        className="sm:col-span-2"
      />
      <Field
        type="text"
        name="retentionYears"
        label="Păstrare"
        help="Câți ani se păstrează. Gol: nu se șterge niciodată, indiferent de setări."
        inputMode="numeric"
        suffix="ani"
        validation={`matches:/^\\s*\\d*\\s*$/|between:${retentionYears.min},${retentionYears.max}`}
        validationMessages={{ matches: 'Scrie un număr întreg de ani.' }}
      />
    </FieldGroup>
  )
}

/** Proposes the slug from the name until the user edits the slug. */
function ProposePart({ first }: { first: string }) {
  const { values } = useForm<CategoryValues>()
  useProposal<CategoryValues>('part', proposePart(values.name ?? ''), first)
  return null
}
