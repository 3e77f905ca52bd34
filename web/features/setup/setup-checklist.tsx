import { useMutation, useQuery } from '@apollo/client/react'
import { type ReactNode, Suspense, useState } from 'react'
import type { SetupState, SetupStep } from '../../../shared/setup/setup.ts'
import { client } from '../../api/client.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button, LinkButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'
import { HIDE_SETUP, SETUP_CHECKLIST, type SetupItem, STATE_BACKUP } from './setup.queries.ts'

const OwnAccountSheet = lazyNamed(() => import('../own-account/own-account-sheet.tsx'), 'OwnAccountSheet')
const TemplateDialog = lazyNamed(() => import('./template-dialog.tsx'), 'TemplateDialog')

/** How often the states are read while steps are left: they change on other screens, and by other people. */
const REFRESH_INTERVAL_MS = 10_000

const STATES: Record<SetupState, { icon: IconName; tone: Tone; label: string }> = {
  open: { icon: 'clock', tone: 'neutral', label: 'De făcut' },
  waiting: { icon: 'timer', tone: 'info', label: 'În așteptare' },
  done: { icon: 'check-circle', tone: 'success', label: 'Gata' },
}

type Opened = 'account' | 'template'

/** What a new organisation has to set up, for an administrator; nothing once all is done, or after it was hidden. */
export function SetupChecklist() {
  const [isEnded, setEnded] = useState(false)
  const { data, refetch } = useQuery(SETUP_CHECKLIST, {
    fetchPolicy: 'cache-and-network',
    pollInterval: isEnded ? 0 : REFRESH_INTERVAL_MS,
    skipPollAttempt: () => document.hidden,
  })
  const [opened, setOpened] = useState<Opened | null>(null)
  const checklist = data?.setupChecklist
  const isShown = checklist && !checklist.isHidden
  if (data && !isShown && !isEnded) setEnded(true)
  if (isShown && isEnded) setEnded(false)
  const close = () => {
    setOpened(null)
    void refetch().catch(() => undefined)
  }
  if (!isShown) return null
  const { steps } = checklist
  const done = steps.filter(({ state }) => state === 'done').length
  return (
    <>
      <Card
        title="Primii pași"
        meta={
          <span className="text-sm text-muted">
            {done} din {steps.length} gata
          </span>
        }
        actions={
          <Button variant="quiet" onPress={() => void hide()}>
            Ascunde
          </Button>
        }
        flush
        className="mb-6"
      >
        <ol className="divide-y divide-line">
          {steps.map((item) => (
            <Step key={item.step} item={item} onOpen={setOpened} />
          ))}
        </ol>
      </Card>
      <Suspense>
        {opened === 'account' && <OwnAccountSheet onClose={close} />}
        {opened === 'template' && <TemplateDialog onClose={close} />}
      </Suspense>
    </>
  )
}

/** The way back to the first steps after they were hidden; nothing where none is left. */
export function HiddenSetup() {
  const { data } = useQuery(SETUP_CHECKLIST)
  if (!data?.setupChecklist?.isHidden) return null
  return (
    <div className="mt-6 text-sm text-muted">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        Primii pași ai organizației sunt ascunși.
        <Button variant="quiet" onPress={() => void setHidden(false).catch(showFailure)}>
          Arată-i
        </Button>
      </p>
    </div>
  )
}

const setHidden = (hidden: boolean) =>
  client.mutate({ mutation: HIDE_SETUP, variables: { hidden }, refetchQueries: [SETUP_CHECKLIST] })

async function hide() {
  try {
    await setHidden(true)
    showToast({
      tone: 'info',
      title: 'Primii pași sunt ascunși pentru toți administratorii',
      action: { label: 'Anulează', onAction: () => void setHidden(false).catch(showFailure) },
    })
  } catch (failure) {
    showFailure(failure)
  }
}

const showFailure = (failure: unknown) =>
  void showToast({ tone: 'error', title: 'Nu s-a salvat', description: errorMessage(failure) })

const TEXTS: Record<SetupStep, { title: string; text: string; waiting?: string }> = {
  organisation: {
    title: 'Datele organizației',
    text: 'Denumirea, adresa, telefonul și e-mailul, care apar la autentificare și sub mesaje.',
  },
  mail: {
    title: 'Trimiterea mesajelor',
    text: 'Trimite-ți un mesaj de probă. Gata înseamnă că serverul de e-mail l-a primit.',
    waiting: 'Mesajul de probă așteaptă să fie primit de serverul de e-mail.',
  },
  second_factor: {
    title: 'Al doilea factor al contului tău',
    text: 'Aplicația de autentificare sau o cheie de acces, cu codurile de recuperare păstrate în siguranță.',
  },
  categories: {
    title: 'Categoriile rezultatelor',
    text: 'Pornește de la șablonul unui laborator cu imagistică sau fă-le pe ale tale.',
  },
  institution: {
    title: 'Prima instituție',
    text: 'Clinica, spitalul sau cabinetul care trimite pacienți și le primește rezultatele.',
  },
  reviewer: {
    title: 'Prima persoană care verifică',
    text: 'Nimeni nu își verifică singur încărcările: e nevoie de încă o persoană cu dreptul de verificare.',
    waiting: 'Persoana invitată nu și-a ales încă parola.',
  },
  backup: {
    title: 'Copiile de siguranță',
    text: 'Dosar nu le face singur. Copiază regulat, împreună, baza de date și fișierele (DATA_DIR/files) pe alt calculator, iar secretul (AUTH_SECRET sau DATA_DIR/secret) păstrează-l separat. Apoi declară aici că sunt aranjate.',
  },
}

function Step({ item: { step, state }, onOpen }: { item: SetupItem; onOpen: (opened: Opened) => void }) {
  const { title, text, waiting } = TEXTS[step]
  const { icon, tone, label } = STATES[state]
  const isDone = state === 'done'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <StatusPill icon={icon} tone={tone} className="shrink-0 sm:min-w-28">
        {label}
      </StatusPill>
      <div className="min-w-0 flex-1 basis-64">
        <p className={classNames('font-medium', isDone && 'text-muted')}>{title}</p>
        {!isDone && <p className="text-sm text-muted">{(state === 'waiting' && waiting) || text}</p>}
      </div>
      {!isDone && (
        <div className="flex flex-wrap gap-2">
          <Actions step={step} onOpen={onOpen} />
        </div>
      )}
    </li>
  )
}

/** What leads to the place where a step is done. */
function Actions({ step, onOpen }: { step: SetupStep; onOpen: (opened: Opened) => void }): ReactNode {
  switch (step) {
    case 'organisation':
      return (
        <LinkButton to="/admin" hash="organizatia">
          Completează
        </LinkButton>
      )
    case 'mail':
      return (
        <LinkButton to="/admin" search={{ tab: 'mesaje' }}>
          Trimite o probă
        </LinkButton>
      )
    case 'second_factor':
      return <Button onPress={() => onOpen('account')}>Deschide contul meu</Button>
    case 'categories':
      return (
        <>
          <Button onPress={() => onOpen('template')}>Vezi șablonul</Button>
          <LinkButton to="/admin" search={{ tab: 'categorii' }} variant="quiet">
            Fă-le pe ale tale
          </LinkButton>
        </>
      )
    case 'institution':
      return <LinkButton to="/institutions">Adaugă o instituție</LinkButton>
    case 'reviewer':
      return (
        <LinkButton to="/admin" search={{ tab: 'conturi' }}>
          Invită o persoană
        </LinkButton>
      )
    case 'backup':
      return <StateBackup />
  }
}

function StateBackup() {
  const [state, { loading }] = useMutation(STATE_BACKUP, { refetchQueries: [SETUP_CHECKLIST] })
  return (
    <Button isPending={loading} onPress={() => void state().catch(showFailure)}>
      Sunt aranjate
    </Button>
  )
}
