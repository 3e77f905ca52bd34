import { getRouteApi } from '@tanstack/react-router'
import type { ResultFilters } from '../../../shared/result-filters.ts'
import { InstitutionScreen, type InstitutionTab } from '../../features/institutions/institution-screen.tsx'
import { ReferredPatients } from '../../features/patients/referred-patients.tsx'
import { InstitutionFigures } from '../../features/uploads/institution-figures.tsx'
import { InstitutionResults } from '../../features/uploads/institution-results.tsx'
import { useFeature } from '../../session/use-session.ts'

const route = getRouteApi('/admin-layout/institutions/$institutionId')

/** The page of an institution; composed here because the feature `institutions` imports neither patients nor uploads. */
export function InstitutionPage() {
  const { institutionId } = route.useParams()
  const { tab: asked, q: _, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const hasResults = useFeature('patient::files')
  const tab: InstitutionTab = asked === 'rezultate' && !hasResults ? 'prezentare' : (asked ?? 'prezentare')
  const open = (next: InstitutionTab, search: ResultFilters = {}, replace = false) =>
    void navigate({
      search: next === 'prezentare' ? {} : { tab: next, ...search },
      replace,
      resetScroll: false,
    })
  return (
    <InstitutionScreen
      key={institutionId}
      id={institutionId}
      tab={tab}
      onTab={open}
      hasResults={hasResults}
      figures={hasResults && <InstitutionFigures institutionId={institutionId} />}
    >
      {tab === 'pacienti' ? (
        <ReferredPatients institutionId={institutionId} />
      ) : (
        <InstitutionResults
          institutionId={institutionId}
          filters={filters}
          onChange={(next) => open('rezultate', next, true)}
        />
      )}
    </InstitutionScreen>
  )
}
