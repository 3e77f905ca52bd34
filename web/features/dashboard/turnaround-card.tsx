import { useQuery } from '@apollo/client/react'
import { counted } from '../../../shared/romania/romanian.ts'
import { TURNAROUND_STEP_NAMES } from '../../../shared/uploads/turnaround.ts'
import { TURNAROUND_DAYS } from '../../../shared/uploads/upload-state-list.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Card } from '../../ui/base/card.tsx'
import { type LinkTarget, TextLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import { Select } from '../../ui/options/select.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { useCategoryOptions } from '../categories/use-category-options.ts'
import { InstitutionFilter } from '../queue/institution-filter.tsx'
import { type StepFigures, TURNAROUND, type TurnaroundFigures } from './dashboard.queries.ts'
import { formatStep, shareInTime } from './format-step.ts'
import { StepBar } from './step-bar.tsx'
import { TurnaroundTable } from './turnaround-table.tsx'
import { useDashboardFilters } from './use-dashboard-filters.ts'

const PERIODS = TURNAROUND_DAYS.map((days) => ({
  id: String(days),
  label: `Ultimele ${counted(days, 'zi', 'zile')}`,
}))

/** How long results took from the examination to their first opening, for a period, a category and an institution. */
export function TurnaroundCard() {
  const { days, category = null, institution = null, change } = useDashboardFilters()
  const { data, previousData, error, refetch } = useQuery(TURNAROUND, {
    variables: { days, category, institutionId: institution },
  })
  const categories = useCategoryOptions(category)
  const turnaround = (data ?? previousData)?.turnaround
  const linkOf = (search: object): LinkTarget => ({
    to: '/uploads',
    search: {
      state: ['released'],
      ...(turnaround && { since: turnaround.since }),
      ...(category && { category }),
      ...(institution && { institution }),
      ...search,
    },
  })
  return (
    <Card
      title="Cât durează un rezultat"
      className="mt-6"
      actions={
        <div className="flex flex-wrap gap-2 py-1">
          <Select
            label="Perioada"
            hideLabel
            options={PERIODS}
            value={String(days)}
            onChange={(id) => change({ days: Number(id) })}
            className="w-full sm:w-52"
          />
          <ComboBox
            label="Categorie"
            hideLabel
            placeholder="Categorie"
            options={categories}
            value={category}
            onChange={(slug) => change({ category: slug })}
            className="w-full sm:w-40"
          />
          <InstitutionFilter value={institution} onChange={(id) => change({ institution: id })} />
        </div>
      }
    >
      {error ? (
        <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
      ) : !turnaround ? (
        <div role="status" aria-label="Se încarcă duratele">
          <Skeleton className="h-40 rounded-lg" />
        </div>
      ) : turnaround.released === 0 ? (
        <EmptyState icon="timer" title="Niciun rezultat eliberat">
          În această perioadă nu a fost eliberat niciun rezultat de acest fel.
        </EmptyState>
      ) : (
        <div aria-busy={!data} className="grid gap-6">
          <Steps turnaround={turnaround} linkOf={linkOf} />
          <TurnaroundTable
            title="Pe categorii"
            groups={turnaround.byCategory}
            withoutName="Fără categorie"
            linkOf={({ key }, search = {}) => linkOf({ category: key, ...search })}
          />
          <TurnaroundTable
            title="Pe instituții"
            groups={turnaround.byInstitution}
            withoutName="Fără instituție"
            linkOf={({ key }, search = {}) => linkOf({ institution: key, ...search })}
          />
        </div>
      )}
    </Card>
  )
}

function Steps({
  turnaround: { steps, released },
  linkOf,
}: {
  turnaround: TurnaroundFigures
  linkOf: (search: object) => LinkTarget
}) {
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        <TextLink {...linkOf({})}>{counted(released, 'rezultat eliberat', 'rezultate eliberate')}</TextLink>{' '}
        în această perioadă.
      </p>
      <dl className="grid gap-5">
        {steps.map((figures) => (
          <Step key={figures.step} figures={figures} link={linkOf({ late: figures.step })} />
        ))}
      </dl>
    </div>
  )
}

function Step({ figures, link }: { figures: StepFigures; link: LinkTarget }) {
  const { step, measured, late, targetMinutes, medianMinutes, ninetiethMinutes } = figures
  return (
    <div className="grid gap-1.5">
      <dt className="text-sm font-medium">{TURNAROUND_STEP_NAMES[step]}</dt>
      <dd className="grid gap-1.5">
        {medianMinutes !== null && ninetiethMinutes !== null ? (
          <>
            <StepBar median={medianMinutes} ninetieth={ninetiethMinutes} target={targetMinutes} />
            <p className="flex flex-wrap gap-x-4 text-sm">
              <span>
                jumătate în <b className="font-semibold">{formatStep(step, medianMinutes)}</b>
              </span>
              <span>
                nouă din zece în <b className="font-semibold">{formatStep(step, ninetiethMinutes)}</b>
              </span>
              <span className="text-muted">ținta {formatStep(step, targetMinutes)}</span>
            </p>
          </>
        ) : (
          <p className="text-sm text-muted">Încă nu se poate măsura.</p>
        )}
        {measured > 0 && (
          <p className="text-sm text-muted">
            {late > 0 ? (
              <>
                <TextLink {...link}>{`${late.toLocaleString('ro-RO')} peste țintă`}</TextLink> din{' '}
                {measured.toLocaleString('ro-RO')} · {shareInTime(figures)} în termen
              </>
            ) : (
              'Toate în termen.'
            )}
          </p>
        )}
      </dd>
    </div>
  )
}
