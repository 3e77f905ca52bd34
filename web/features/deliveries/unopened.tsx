import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { INSTITUTION_FIGURES } from '../../../shared/institutions.ts'
import { OLDER_THAN_DAYS, type UnopenedFilters } from '../../../shared/result-filters.ts'
import { formatPhone } from '../../../shared/romania/phone.ts'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { ExternalLink, TextLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Select } from '../../ui/options/select.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { LoadMore } from '../../ui/page/load-more.tsx'
import {
  RESEND_ANNOUNCEMENTS,
  UNOPENED_INSTITUTIONS,
  UNOPENED_RESULTS,
  type UnopenedInstitution,
} from './deliveries.queries.ts'

const ages = OLDER_THAN_DAYS.map((days) => ({
  id: String(days),
  label: days === 0 ? 'De orice vechime' : `De ${counted(days, 'zi', 'zile')} sau mai mult`,
}))

/**
 * Which institutions have not opened their results, to announce these again or to call: printed, the page is the list for
 * the telephone. The filters are in the address.
 */
export function Unopened({
  filters,
  onChange,
}: {
  filters: UnopenedFilters
  onChange: (filters: UnopenedFilters) => void
}) {
  const { days, older = 0 } = filters
  const period = { days: days ?? null, olderThan: older || null }
  const { data, error, refetch } = useQuery(UNOPENED_INSTITUTIONS, {
    variables: period,
    fetchPolicy: 'cache-and-network',
  })
  const [resend, { loading }] = useMutation(RESEND_ANNOUNCEMENTS, { refetchQueries: [UNOPENED_INSTITUTIONS] })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const institutions = data?.unopenedInstitutions ?? []
  const ids = institutions.map(({ institutionId }) => institutionId).filter((id) => chosen.has(id))

  const announce = async () => {
    try {
      const { data: sent } = await resend({ variables: { ...period, institutionIds: ids } })
      if (!sent) return
      const { people, unreached } = sent.resendAnnouncements
      showToast({
        tone: people > 0 ? 'success' : 'info',
        title:
          people > 0 ? `Anunț trimis la ${counted(people, 'persoană', 'persoane')}` : 'Niciun anunț trimis',
        ...(unreached.length > 0 && {
          description: `Nu primește nimeni mesaje la: ${unreached.join(', ')}.`,
        }),
      })
      setChosen(new Set())
    } catch (failure) {
      showToast({ tone: 'error', title: 'Anunțul nu a fost trimis', description: errorMessage(failure) })
    }
  }

  return (
    <>
      <p className="mb-3 hidden font-medium print:block">
        Rezultate nedeschise: listă de apeluri, {formatDateTime(new Date().toISOString())}
      </p>
      <div className="mb-4 flex flex-wrap items-center gap-3 print:hidden">
        <Select
          label="Vechimea"
          hideLabel
          options={ages}
          value={String(older)}
          onChange={(id) =>
            onChange({ ...filters, older: OLDER_THAN_DAYS.find((each) => String(each) === id) ?? 0 })
          }
          className="w-full sm:w-56"
        />
        {days !== undefined && (
          <Button icon="close" onPress={() => onChange({ older })}>
            {`Doar din ultimele ${counted(days, 'zi', 'zile')}`}
          </Button>
        )}
        {institutions.length > 1 && (
          <Checkbox
            isSelected={ids.length === institutions.length}
            isIndeterminate={ids.length > 0 && ids.length < institutions.length}
            onChange={(isChosen) =>
              setChosen(new Set(isChosen ? institutions.map(({ institutionId }) => institutionId) : []))
            }
          >
            Alege toate
          </Checkbox>
        )}
        <Button
          icon="paper-plane"
          isDisabled={ids.length === 0}
          isPending={loading}
          onPress={() => void announce()}
        >
          Anunță din nou
        </Button>
        <Button variant="quiet" icon="printer" onPress={() => window.print()}>
          Tipărește lista de apeluri
        </Button>
      </div>
      {error && !data ? (
        <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
      ) : !data ? (
        <Skeleton className="h-40" />
      ) : institutions.length === 0 ? (
        <EmptyState icon="check-circle" title="Toate rezultatele sunt deschise">
          Nicio instituție nu are rezultate nedeschise în această perioadă.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {institutions.map((institution) => (
            <InstitutionLine
              key={institution.institutionId}
              institution={institution}
              period={period}
              isChosen={chosen.has(institution.institutionId)}
              onChoose={(isChosen) => {
                const next = new Set(chosen)
                if (isChosen) next.add(institution.institutionId)
                else next.delete(institution.institutionId)
                setChosen(next)
              }}
            />
          ))}
        </ul>
      )}
    </>
  )
}

type Period = { days: number | null; olderThan: number | null }

function InstitutionLine({
  institution,
  period,
  isChosen,
  onChoose,
}: {
  institution: UnopenedInstitution
  period: Period
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}) {
  const { institutionId, institutionName, count, oldestAt, phone, contacts, people, resentAt } = institution
  const [isOpen, setOpen] = useState(false)
  const shownCount =
    count < INSTITUTION_FIGURES.countMax
      ? counted(count, 'rezultat nedeschis', 'rezultate nedeschise')
      : `${INSTITUTION_FIGURES.countMax} de rezultate nedeschise sau mai multe`
  return (
    <li className="grid break-inside-avoid gap-1 px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Checkbox
          aria-label={`Alege ${institutionName}`}
          className="print:hidden"
          isSelected={isChosen}
          onChange={onChoose}
        />
        <TextLink to="/institutions/$institutionId" params={{ institutionId }}>
          {institutionName}
        </TextLink>
        <span className="font-medium">{shownCount}</span>
        <span className="text-muted">cel mai vechi din {formatDateTime(oldestAt)}</span>
      </div>
      <p className="break-words">
        {phone ? <ExternalLink href={`tel:${phone}`}>{formatPhone(phone)}</ExternalLink> : 'Fără telefon'}
        {contacts && <span className="whitespace-pre-line text-muted"> · {contacts}</span>}
      </p>
      <p className="text-muted print:hidden">
        {people === 0
          ? 'Nimeni de aici nu primește mesaje despre rezultate.'
          : `${counted(people, 'persoană primește', 'persoane primesc')} mesaje.`}
        {resentAt && ` Anunțate din nou la ${formatDateTime(resentAt)}.`}
      </p>
      <Button
        variant="quiet"
        icon={isOpen ? 'chevron-up' : 'chevron-down'}
        aria-expanded={isOpen}
        aria-label={`Rezultate de la ${institutionName}`}
        className="-ml-2 justify-self-start print:hidden"
        onPress={() => setOpen(!isOpen)}
      >
        Rezultate
      </Button>
      {isOpen && <UnopenedResults institutionId={institutionId} period={period} />}
    </li>
  )
}

function UnopenedResults({ institutionId, period }: { institutionId: string; period: Period }) {
  const { page, more, region } = useListQuery(UNOPENED_RESULTS, (data) => data.institutionResults, {
    variables: { institutionId, ...period },
  })
  return (
    <ListRegion {...region}>
      <ul className="grid gap-1 pl-4">
        {page?.nodes.map(({ id, number, title, releasedAt, patient }) => (
          <li key={id} className="flex flex-wrap gap-x-3">
            <span className="tabular-nums">{number}</span>
            {/* On the paper for the telephone the number is enough. */}
            <span className="flex flex-wrap gap-x-3 print:hidden">
              <TextLink to="/uploads/$uploadId" params={{ uploadId: id }}>
                {title}
              </TextLink>
              {patient && <span>{patient.name}</span>}
            </span>
            {releasedAt && <span className="text-muted tabular-nums">{formatDateTime(releasedAt)}</span>}
          </li>
        ))}
      </ul>
      <LoadMore {...more} />
    </ListRegion>
  )
}
