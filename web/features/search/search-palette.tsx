import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import {
  Autocomplete,
  Collection,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components'
import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { NEAR_NAMES } from '../../lists/search-reasons.tsx'
import { useUser } from '../../session/use-session.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { Kbd } from '../../ui/base/kbd.tsx'
import { Skeleton, Spinner } from '../../ui/base/loading.tsx'
import { scrim } from '../../ui/overlays/dialog.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { findExternalSearch } from './external-search.ts'
import { createSearchClient } from './search-client.ts'
import {
  describeSearch,
  type SearchGroup,
  type SearchRow,
  type SearchScope,
  scopesOf,
} from './search-groups.ts'
import { searchServer } from './server-search.ts'
import { type Search, useSearch } from './use-search.ts'

/**
 * The site search [1.7]: finds a patient, an institution, an upload or a screen by keyboard. Its text is
 * never in the address.
 */
export function SearchPalette({
  opening,
  takeTypedText,
  ...props
}: {
  /** Grows each time the palette is opened. */
  opening: number
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Called when the field has the focus; returns the text typed until then. */
  takeTypedText: () => string
}) {
  return (
    <ModalOverlay
      {...props}
      isDismissable
      className={classNames(scrim, 'flex justify-center sm:px-6 sm:pt-[10vh] sm:pb-6')}
    >
      <Modal className="flex h-full w-full flex-col bg-raised transition-[translate] data-entering:-translate-y-2 data-exiting:-translate-y-2 sm:h-auto sm:max-h-[min(40rem,100%)] sm:max-w-2xl sm:self-start sm:rounded-xl sm:border sm:border-line sm:shadow-modal">
        <Dialog aria-label="Căutare în site" className="flex min-h-0 flex-1 flex-col outline-none">
          {({ close }) => <PaletteContent key={opening} onClose={close} takeTypedText={takeTypedText} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function PaletteContent({ onClose, takeTypedText }: { onClose: () => void; takeTypedText: () => string }) {
  const router = useRouter()
  const user = useUser()
  const [client] = useState(() => createSearchClient(searchServer, findExternalSearch()))
  const [text, setText] = useState('')
  const [scope, setScope] = useState<SearchScope>('all')
  const search = useSearch(client, text, scope, user)
  const { response, isPending } = search
  const isTyped = text.trim() !== ''

  // Closes at every navigation; a result opened in another tab does not close the search.
  useEffect(() => router.subscribe('onBeforeNavigate', onClose), [router, onClose])

  // Enter waits for the result of the typed text: with the rows of an earlier search it could open another
  // patient.
  const [isSubmitted, setSubmitted] = useState(false)
  useEffect(() => {
    if (!isSubmitted || isPending) return
    setSubmitted(false)
    const [only, ...rest] = response?.groups.flatMap(({ rows }) => rows) ?? []
    if (only && rest.length === 0 && !only.isNear) void router.navigate({ href: only.href })
  }, [isSubmitted, isPending, response, router])
  const deferEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isPending || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    event.stopPropagation()
    setSubmitted(true)
  }
  const { placeholder, hint } = describeSearch(user)

  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <div
        role="presentation"
        onKeyDownCapture={deferEnter}
        className="flex items-center gap-1 border-b border-line py-1.5 pr-2 pl-4"
      >
        <span className="flex text-muted">
          {isPending ? <Spinner label="Se caută" /> : <Icon name="search" />}
        </span>
        <TextField
          aria-label="Caută în site"
          type="search"
          autoFocus
          onFocus={() => {
            const typed = takeTypedText()
            if (typed) setText((current) => (current + typed).slice(0, LIMITS.searchText))
          }}
          maxLength={LIMITS.searchText}
          className="flex min-w-0 flex-1"
        >
          <Input
            role="combobox"
            aria-expanded={(response?.groups.length ?? 0) > 0}
            aria-haspopup="listbox"
            placeholder={placeholder}
            className="h-12 min-w-0 flex-1 bg-transparent px-2.5 text-base outline-none [&::-webkit-search-cancel-button]:hidden"
          />
        </TextField>
        <IconButton icon="close" label="Închide" onPress={onClose} />
      </div>
      <Scopes scopes={scopesOf(user)} selected={scope} onSelect={setScope} />
      <p role="status" className="sr-only">
        {isTyped && !isPending && search.error === null ? summaryOf(response?.groups ?? []) : null}
      </p>
      <div aria-busy={isPending} className="min-h-0 flex-1 overflow-y-auto border-t border-line sm:min-h-72">
        <Found
          search={search}
          text={text.trim()}
          scope={scope}
          hint={hint}
          isInstitution={user.role === 'institution'}
        />
      </div>
      <Keys />
    </Autocomplete>
  )
}

const summaryOf = (groups: readonly SearchGroup[]): string => {
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return count === 0 ? 'Niciun rezultat' : counted(count, 'rezultat', 'rezultate')
}

function Scopes({
  scopes,
  selected,
  onSelect,
}: {
  scopes: readonly { id: SearchScope; label: string }[]
  selected: SearchScope
  onSelect: (scope: SearchScope) => void
}) {
  return (
    <ToggleButtonGroup
      aria-label="Unde caut"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[selected]}
      onSelectionChange={([id]) => id !== undefined && onSelect(id as SearchScope)}
      className="flex shrink-0 gap-1 overflow-x-auto px-3 py-2"
    >
      {scopes.map(({ id, label }) => (
        <ToggleButton
          key={id}
          id={id}
          className="min-h-9 shrink-0 cursor-pointer rounded-full border border-line px-3 text-sm font-medium text-muted transition-colors hover:bg-hover data-selected:border-accent-mark/40 data-selected:bg-accent-soft data-selected:text-accent-ink"
        >
          {label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

function Found({
  search: { response, isPending, error, retry },
  text,
  scope,
  hint,
  isInstitution,
}: {
  search: Search
  text: string
  scope: SearchScope
  hint: string
  isInstitution: boolean
}) {
  if (error !== null) {
    return (
      <ErrorState title="Căutarea nu a reușit" onRetry={retry}>
        {errorMessage(error)}
      </ErrorState>
    )
  }
  if (!response) return <Waiting />
  const isShort = text.length < LIMITS.searchTextMin
  return (
    <>
      {isShort && <p className="px-5 pt-4 pb-1 text-sm text-muted">{hint}</p>}
      {!isShort && !isPending && response.groups.length === 0 && (
        <EmptyState icon="search" title={`Niciun rezultat pentru „${text}”`}>
          {scope === 'all'
            ? isInstitution
              ? 'Ajung câteva litere din nume și prenume, în orice ordine, sau cel puțin trei cifre din CNP.'
              : 'Ajung câteva litere din nume și prenume, în orice ordine, sau cel puțin trei cifre din CNP, din telefon ori din număr.'
            : isInstitution
              ? 'Căutați în „Toate”.'
              : 'Caută în „Toate”.'}
        </EmptyState>
      )}
      {isPending && response.groups.length === 0 && <Waiting />}
      {!isPending && response.groups.some(({ rows }) => rows.some((row) => row.isNear)) && (
        <p role="status" className="px-5 pt-3 text-sm text-muted">
          {NEAR_NAMES}
        </p>
      )}
      {/* Keyed by query, so that Enter opens the first result of the new list. */}
      {response.groups.length > 0 && (
        <div inert={isPending} className="transition-opacity [&[inert]]:opacity-60">
          <ListBox
            key={response.queryKey}
            aria-label="Rezultatele căutării"
            items={response.groups}
            autoFocus={text === '' ? false : 'first'}
            className="px-2 pb-2 outline-none"
          >
            {(group: SearchGroup) => (
              <ListBoxSection id={group.id}>
                <Header className="px-3 pt-3 pb-1 text-xs font-medium text-muted">{group.title}</Header>
                <Collection items={group.rows}>{(row: SearchRow) => <ResultRow row={row} />}</Collection>
              </ListBoxSection>
            )}
          </ListBox>
        </div>
      )}
    </>
  )
}

function ResultRow({ row: { id, href, icon, title, note } }: { row: SearchRow }) {
  return (
    <ListBoxItem
      id={id}
      href={href}
      textValue={`${title} ${note}`}
      className="group/option flex min-h-12 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 outline-focus data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focused:bg-hover data-hovered:bg-hover"
    >
      <span className="flex size-8 shrink-0 items-center justify-center rounded-md bg-sunken text-muted group-data-focused/option:text-accent-ink">
        <Icon name={icon} size={18} />
      </span>
      <span className="grid min-w-0 flex-1">
        <span className="font-medium break-words sm:truncate">{title}</span>
        {note && <span className="text-sm break-words text-muted tabular-nums sm:truncate">{note}</span>}
      </span>
      <Icon
        name="arrow-right"
        size={16}
        className="invisible text-muted group-data-focused/option:visible max-sm:hidden"
      />
    </ListBoxItem>
  )
}

const Waiting = () => (
  <div role="status" aria-label="Se caută" className="grid gap-3 p-5">
    <Skeleton className="h-9" />
    <Skeleton className="h-9" />
    <Skeleton className="h-9" />
  </div>
)

const controlKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

const Keys = () => (
  <p
    aria-hidden="true"
    className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-xs text-muted max-lg:hidden"
  >
    <span>
      <Kbd>↑</Kbd> <Kbd>↓</Kbd> alege
    </span>
    <span>
      <Kbd>Enter</Kbd> deschide
    </span>
    <span>
      <Kbd>{controlKey}</Kbd> <Kbd>Enter</Kbd> filă nouă
    </span>
    <span>
      <Kbd>Esc</Kbd> închide
    </span>
  </p>
)
