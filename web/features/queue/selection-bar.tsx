import { useNavigate } from '@tanstack/react-router'
import { counted } from '../../../shared/romania/romanian.ts'
import { OPERATION_LIMITS } from '../../../shared/uploads/operations.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { Button } from '../../ui/base/button.tsx'
import type { SelectedUploads } from '../uploads/selected-uploads.ts'
import type { QueueFilter } from './queue.queries.ts'

/** Chooses rows, or all of the filter, for one operation on all of them at `/bulk`. */
export function SelectionBar({
  ids,
  rows,
  filter,
  onChange,
}: {
  ids: ReadonlySet<string>
  rows: readonly { id: string }[] | null
  filter: QueueFilter & { states: UploadState[] }
  onChange: (ids: ReadonlySet<string> | null) => void
}) {
  const navigate = useNavigate()
  if (!rows?.length) return null
  const operateOn = (selectedUploads: SelectedUploads) =>
    void navigate({ to: '/bulk', search: { tab: 'operatii' }, state: { selectedUploads } })
  const {
    category = null,
    institutionId = null,
    mine,
    since = null,
    until = null,
    unopened,
    sender = null,
    late = null,
    search,
  } = filter
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 print:hidden">
      <p role="status" className="mr-auto text-sm">
        {counted(ids.size, 'încărcare aleasă', 'încărcări alese')}
      </p>
      <Button
        variant="primary"
        isDisabled={ids.size === 0 || ids.size > OPERATION_LIMITS.ids}
        onPress={() => operateOn({ ids: [...ids] })}
      >
        Operație cu cele alese
      </Button>
      <Button
        onPress={() =>
          operateOn({
            filter: {
              states: filter.states,
              category,
              institutionId,
              mine: mine ?? false,
              since,
              until,
              unopened: unopened ?? false,
              sender,
              late,
              search: search ?? '',
            },
          })
        }
      >
        Operație cu toate din filtru
      </Button>
      <Button variant="quiet" onPress={() => onChange(new Set([...ids, ...rows.map(({ id }) => id)]))}>
        Alege rândurile
      </Button>
      <Button variant="quiet" onPress={() => onChange(null)}>
        Renunță
      </Button>
    </div>
  )
}
