import { useMutation } from '@apollo/client/react'
import { type FormEvent, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import {
  OPERATION_KIND_NAMES,
  OPERATION_KINDS,
  OPERATION_LIMITS,
  type OperationKind,
  REVIEWER_KINDS,
  UNDOABLE_KINDS,
} from '../../../shared/uploads/operations.ts'
import { errorMessage, listProblem } from '../../api/client-error.ts'
import { useFeature } from '../../session/use-session.ts'
import { Button } from '../../ui/base/button.tsx'
import { TextArea, TextField } from '../../ui/controls/text-field.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import { Select } from '../../ui/options/select.tsx'
import { useLoadedOptions } from '../../ui/options/use-loaded-options.ts'
import { useCategoryOptions } from '../categories/use-category-options.ts'
import { loadInstitutions } from '../queue/institution-filter.tsx'
import type { SelectedUploads } from '../uploads/selected-uploads.ts'
import { PLAN_OPERATION } from './operations.queries.ts'

/** Chooses the change and the uploads; what would change is shown before anything does. */
export function NewOperation({
  selected,
  onCancel,
  onPlan,
}: {
  /** The uploads that were chosen in the queue; without them their numbers are pasted. */
  selected: SelectedUploads | undefined
  onCancel: () => void
  onPlan: (id: string) => void
}) {
  const canReview = useFeature('admin::review-files')
  const [kind, setKind] = useState<OperationKind>('category')
  const [values, setValues] = useState<Values>(NO_VALUES)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [plan, { loading, error }] = useMutation(PLAN_OPERATION)
  const numbers = readNumbers(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing = selected ? null : explainNumbers(numbers)
    setProblem(missing)
    if (missing) return
    const selection = selected ?? { numbers: numbers.found }
    plan({ variables: { kind, selection, parameters: values } }).then(
      ({ data }) => {
        if (!data) return
        // The form, which names them, is gone.
        if (!selected && numbers.wrong.length > 0)
          showToast({
            tone: 'info',
            title: 'Numai numerele au fost luate',
            description: describeWrong(numbers),
          })
        onPlan(data.planOperation.id)
      },
      () => undefined,
    )
  }
  const kinds = OPERATION_KINDS.filter((each) => canReview || !REVIEWER_KINDS.has(each))
  return (
    <form
      onSubmit={submit}
      className="grid gap-4 border-b border-line px-4 py-4 *:max-w-2xl sm:px-5"
      noValidate
    >
      <Select
        label="Ce se schimbă"
        options={kinds.map((id) => ({ id, label: OPERATION_KIND_NAMES[id] }))}
        value={kind}
        onChange={(next) => next && setKind(next)}
      />
      <Parameters kind={kind} values={values} onChange={setValues} />
      {selected ? (
        <p className="text-sm">{describeSelection(selected)}</p>
      ) : (
        <TextArea
          label="Numerele încărcărilor"
          help={
            numbers.wrong.length > 0
              ? describeWrong(numbers)
              : 'Lipite din orice listă, despărțite prin spațiu, virgulă sau rând nou.'
          }
          value={text}
          onChange={setText}
          error={problem}
        />
      )}
      {error && (
        <Alert tone="danger" title="Operația nu poate fi pregătită" isLive>
          {errorMessage(error)}
        </Alert>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" isPending={loading}>
          {kind === 'download' ? 'Arată ce s-ar descărca' : 'Arată ce s-ar modifica'}
        </Button>
        <Button variant="quiet" onPress={onCancel}>
          Renunță
        </Button>
      </div>
    </form>
  )
}

type Values = { categorySlug: string | null; institutionId: string | null; title: string; reason: string }
const NO_VALUES: Values = { categorySlug: null, institutionId: null, title: '', reason: '' }

function Parameters({
  kind,
  values,
  onChange,
}: {
  kind: OperationKind
  values: Values
  onChange: (values: Values) => void
}) {
  const categories = useCategoryOptions()
  if (!UNDOABLE_KINDS.has(kind)) return null
  return (
    <>
      {kind === 'category' && (
        <ComboBox
          label="Categoria nouă"
          options={categories}
          value={values.categorySlug}
          onChange={(categorySlug) => onChange({ ...values, categorySlug })}
        />
      )}
      {kind === 'institution' && (
        <InstitutionField
          value={values.institutionId}
          onChange={(institutionId) => onChange({ ...values, institutionId })}
        />
      )}
      {kind === 'title' && (
        <TextField
          label="Titlul nou"
          value={values.title}
          onChange={(title) => onChange({ ...values, title })}
        />
      )}
      <TextField
        label="Motivul"
        help="Pentru încărcările deja acceptate sau eliberate; fără motiv, acestea nu se modifică."
        value={values.reason}
        onChange={(reason) => onChange({ ...values, reason })}
      />
    </>
  )
}

function InstitutionField({
  value,
  onChange,
}: {
  value: string | null
  onChange: (id: string | null) => void
}) {
  const { error, ...source } = useLoadedOptions(loadInstitutions)
  return (
    <ComboBox
      label="Instituția nouă"
      {...source}
      problem={listProblem(error)}
      value={value}
      onChange={onChange}
      emptyText="Nicio instituție găsită"
    />
  )
}

const describeSelection = (selected: SelectedUploads): string =>
  'ids' in selected
    ? `Pentru ${counted(selected.ids.length, 'încărcare aleasă', 'încărcări alese')} din listă.`
    : 'Pentru toate încărcările din filtrul ales.'

/** The numbers in a pasted text, and the words that are none, each once. */
function readNumbers(text: string): { found: number[]; wrong: string[] } {
  const words = text.split(/[\s,;]+/).filter(Boolean)
  const isNumber = (word: string) => /^\d{1,9}$/.test(word)
  return {
    found: words.filter(isNumber).map(Number),
    wrong: [...new Set(words.filter((word) => !isNumber(word)))],
  }
}

/** Words that are named of a pasted text. */
const NAMED_WORDS = 5

function describeWrong({ wrong }: ReturnType<typeof readNumbers>): string {
  const named = wrong.slice(0, NAMED_WORDS).map((word) => `„${word.slice(0, 20)}”`)
  const rest = wrong.length - named.length
  return `Nu sunt numere și se sar: ${named.join(', ')}${rest > 0 ? ` și încă ${rest}` : ''}.`
}

function explainNumbers({ found }: ReturnType<typeof readNumbers>): string | null {
  if (found.length === 0) return 'Scrie cel puțin un număr de încărcare.'
  const limit = OPERATION_LIMITS.numbers
  return found.length > limit ? `Cel mult ${counted(limit, 'număr', 'numere')} odată.` : null
}
