import { type ReactNode, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { TURNAROUND_STEPS, type TurnaroundStep } from '../../../shared/uploads/upload-state-list.ts'
import { Button } from '../../ui/base/button.tsx'
import { type LinkTarget, TextLink } from '../../ui/base/link.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import type { TurnaroundGroup } from './dashboard.queries.ts'
import { formatStep } from './format-step.ts'

/** Rows shown before the rest is asked for. */
const FIRST_ROWS = 6

const STEP_HEADERS: Readonly<Record<TurnaroundStep, string>> = {
  filing: 'Încărcate în',
  release: 'Eliberate în',
  opening: 'Deschise în',
}

/** The times of each category or institution; each number leads to the list of what it counts. */
export function TurnaroundTable({
  title,
  groups,
  withoutName,
  linkOf,
}: {
  title: string
  groups: readonly TurnaroundGroup[]
  /** The name of the results without a category or an institution, for which there is no list. */
  withoutName: string
  linkOf: (group: TurnaroundGroup, search?: object) => LinkTarget
}) {
  const [isWhole, setWhole] = useState(false)
  if (groups.length < 2) return null
  const listed = (group: TurnaroundGroup, text: string, search?: object): ReactNode =>
    group.key === null ? text : <TextLink {...linkOf(group, search)}>{text}</TextLink>
  const stepColumn = (step: TurnaroundStep, place: number): Column<TurnaroundGroup> => ({
    id: step,
    header: STEP_HEADERS[step],
    align: 'end',
    className: 'w-52',
    cell: (group) => {
      const { medianMinutes, late } = group.steps[place]!
      if (medianMinutes === null && late === 0) return '–'
      return (
        <span>
          <span className="whitespace-nowrap">
            {medianMinutes === null ? '–' : formatStep(step, medianMinutes)}
          </span>
          {late > 0 && (
            <span className="ml-2 whitespace-nowrap text-muted">
              {listed(group, `${late} peste țintă`, { late: step })}
            </span>
          )}
        </span>
      )
    },
  })
  const columns: Column<TurnaroundGroup>[] = [
    { id: 'name', header: 'Nume', kind: 'title', cell: ({ name }) => name ?? withoutName },
    {
      id: 'released',
      header: 'Rezultate',
      align: 'end',
      className: 'w-28',
      cell: (group) => listed(group, group.released.toLocaleString('ro-RO')),
    },
    ...TURNAROUND_STEPS.map(stepColumn),
  ]
  const rows = isWhole ? groups : groups.slice(0, FIRST_ROWS)
  return (
    <section aria-label={title} className="grid gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      <Table
        label={title}
        columns={columns}
        rows={rows}
        rowId={({ key }) => key ?? ''}
        empty={null}
        isDense
      />
      {groups.length > FIRST_ROWS && (
        <Button variant="quiet" className="justify-self-start" onPress={() => setWhole(!isWhole)}>
          {isWhole ? 'Arată mai puține' : `Arată toate cele ${counted(groups.length, 'rând', 'rânduri')}`}
        </Button>
      )}
    </section>
  )
}
