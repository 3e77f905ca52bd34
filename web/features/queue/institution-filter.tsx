import { useQuery } from '@apollo/client/react'
import { client } from '../../api/client.ts'
import { listProblem } from '../../api/client-error.ts'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import type { Option } from '../../ui/options/option.ts'
import type { LoadOptions } from '../../ui/options/option-loader.ts'
import { useLoadedOptions } from '../../ui/options/use-loaded-options.ts'
import { CHOSEN_INSTITUTION, INSTITUTION_CHOICES } from './queue.queries.ts'

type Institution = { id: string; name: string; shortName: string | null; locality: string | null }

const asOption = ({ id, name, shortName, locality }: Institution): Option => ({
  id,
  label: shortName ?? name,
  description: locality ?? undefined,
})

export const loadInstitutions: LoadOptions = async (search, after) => {
  const { data } = await client.query({
    query: INSTITUTION_CHOICES,
    variables: { search, after },
    fetchPolicy: 'no-cache',
  })
  const { nodes, endCursor } = data!.institutions
  return { options: nodes.map(asOption), next: endCursor }
}

/** The filter of a list by one institution. */
export function InstitutionFilter({
  value,
  onChange,
}: {
  value: string | null
  onChange: (id: string | null) => void
}) {
  const { data } = useQuery(CHOSEN_INSTITUTION, {
    variables: { id: value ?? '' },
    skip: value === null,
    fetchPolicy: 'cache-first',
  })
  const { error, ...source } = useLoadedOptions(loadInstitutions)
  return (
    <ComboBox
      label="Instituție"
      hideLabel
      placeholder="Instituție"
      {...source}
      problem={listProblem(error)}
      chosen={data ? asOption(data.institution) : undefined}
      value={value}
      onChange={onChange}
      emptyText="Nicio instituție găsită"
      className="w-full sm:w-40"
    />
  )
}
