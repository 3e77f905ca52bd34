import { useQuery } from '@apollo/client/react'
import { type ComponentProps, Suspense, useEffect, useState } from 'react'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { counted, formatBytes, formatDate } from '../../../shared/romania/romanian.ts'
import { describeEvent } from '../../../shared/shares/describe-event.ts'
import { errorMessage } from '../../api/client-error.ts'
import { publicClient } from '../../api/public-client.ts'
import { contentId } from '../../layouts/skip-link.tsx'
import { useSite } from '../../session/use-site.ts'
import { type ButtonVariant, buttonClass } from '../../ui/base/button-styles.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { startDownload } from '../../ui/base/save-file.ts'
import { FailureNotice, Notice } from '../../ui/feedback/notice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { ShareLayout } from './share-layout.tsx'
import {
  LEAVE_SHARE,
  SHARED_RESULTS,
  type SharedFile,
  type SharedResults,
  type SharedUpload,
} from './shared-results.queries.ts'

// The viewer is large, and only who previews a file needs it.
const SharedPreview = lazyNamed(() => import('./shared-preview.tsx'), 'SharedPreview')

/** The files of a share, grouped by examination, after the proof. */
export function SharedFiles({
  token,
  expiresAt,
  onCheck,
}: {
  token: string
  expiresAt: string | null
  /** Reads the state of the share again; resolves to whether its files may still be read, and rejects without an answer. */
  onCheck: () => Promise<boolean>
}) {
  const { data, error, refetch } = useQuery(SHARED_RESULTS, {
    client: publicClient,
    variables: { token },
    fetchPolicy: 'no-cache',
  })
  const [failure, setFailure] = useState<string | null>(null)
  const results = data?.sharedResults
  const isShown = results !== undefined
  // The field of the proof, which had the focus, is gone: a screen reader goes on at the results.
  useEffect(() => {
    if (isShown && document.activeElement === document.body)
      document.getElementById(contentId)?.focus({ preventScroll: true })
  }, [isShown])
  const leave = async () => {
    try {
      await publicClient.mutate({ mutation: LEAVE_SHARE, variables: { token }, fetchPolicy: 'no-cache' })
      await onCheck()
    } catch (thrown) {
      setFailure(errorMessage(thrown))
    }
  }
  return (
    <ShareLayout title="Rezultatele dumneavoastră">
      {results ? (
        <div className="grid grid-cols-1 gap-6">
          <FailureNotice>{failure}</FailureNotice>
          <Summary token={token} onCheck={onCheck} expiresAt={expiresAt} results={results} />
          <News news={results.news} />
          {results.uploads.map((upload) => (
            <Examination key={upload.id} token={token} onCheck={onCheck} upload={upload} />
          ))}
          <WhoLooked events={results.events} />
          <div className="print:hidden">
            <PlainButton size="lg" onClick={() => void leave()}>
              Ieșire
            </PlainButton>
            <p className="mt-2 text-base text-muted">
              Pe un telefon sau calculator care nu este al dumneavoastră, apăsați „Ieșire” la sfârșit.
            </p>
          </div>
        </div>
      ) : error ? (
        <div className="grid max-w-md gap-5">
          <Notice tone="danger" isLive>
            {errorMessage(error)}
          </Notice>
          <PlainButton
            size="lg"
            onClick={() => {
              for (const read of [onCheck, refetch]) read().catch(() => undefined)
            }}
          >
            Încercați din nou
          </PlainButton>
        </div>
      ) : (
        <p className="text-muted">Un moment…</p>
      )}
    </ShareLayout>
  )
}

/** What staff have written for the patient, warnings first. */
function News({ news }: Pick<SharedResults, 'news'>) {
  if (news.length === 0) return null
  return (
    <section
      aria-labelledby="shared-news"
      className="rounded-xl border border-line bg-surface px-4 py-3 sm:px-5"
    >
      <h2 id="shared-news" className="text-xl font-semibold">
        De la centru, pentru dumneavoastră
      </h2>
      <ul className="divide-y divide-line">
        {news.map(({ kind, text, writtenAt }) => (
          <li key={`${writtenAt} ${text}`} className="py-3">
            <p className="break-words whitespace-pre-line">
              {kind === 'warning' && <b>Atenție: </b>}
              {text}
            </p>
            <p className="text-base text-muted">{formatMoment(new Date(writtenAt))}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface AccessProps {
  token: string
  onCheck: () => Promise<boolean>
}

function Summary({
  results: { recipientName, uploads },
  expiresAt,
  token,
  onCheck,
}: AccessProps & { results: SharedResults; expiresAt: string | null }) {
  const { name } = useSite()
  const files = uploads.reduce((count, upload) => count + upload.files.length, 0)
  return (
    <div className="grid gap-4">
      <p>
        Pentru {recipientName}, de la {name}.
        {expiresAt && <> Le puteți vedea până la {formatMoment(new Date(expiresAt))}.</>}
      </p>
      {files > 1 && (
        <div className="flex flex-wrap gap-3">
          <DownloadAnchor href={`/s/${token}/zip`} onCheck={onCheck} variant="primary">
            Descărcați toate cele {counted(files, 'fișier', 'fișiere')}
          </DownloadAnchor>
        </div>
      )}
    </div>
  )
}

function Examination({
  upload: { title, categoryName, examinedOn, files },
  ...access
}: AccessProps & { upload: SharedUpload }) {
  const details = [categoryName, examinedOn && formatDate(examinedOn)].filter(Boolean)
  return (
    <section className="rounded-xl border border-line bg-surface">
      <div className="border-b border-line px-4 py-3 sm:px-5">
        <h2 className="text-xl font-semibold break-words">{title}</h2>
        {details.length > 0 && <p className="text-base text-muted">{details.join(' · ')}</p>}
      </div>
      <ul className="divide-y divide-line">
        {files.map((file) => (
          <FileRow key={file.id} file={file} {...access} />
        ))}
      </ul>
    </section>
  )
}

function FileRow({ file, token, onCheck }: AccessProps & { file: SharedFile }) {
  const [isShown, setShown] = useState(false)
  const { id, name, size, pageCount, hasPreview } = file
  const facts = [formatBytes(size), pageCount !== null && counted(pageCount, 'pagină', 'pagini')].filter(
    Boolean,
  )
  return (
    <li className="grid grid-cols-1 gap-3 px-4 py-4 sm:px-5">
      <div>
        <p className="font-medium break-words">{name}</p>
        <p className="text-base text-muted">{facts.join(' · ')}</p>
      </div>
      <div className="flex flex-wrap gap-3 print:hidden">
        {hasPreview && (
          <PlainButton
            size="lg"
            variant={isShown ? 'secondary' : 'primary'}
            aria-expanded={isShown}
            aria-label={`${isShown ? 'Închideți' : 'Vedeți'} ${name}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Închideți' : 'Vedeți'}
          </PlainButton>
        )}
        <DownloadAnchor href={`/s/${token}/files/${id}`} onCheck={onCheck} aria-label={`Descărcați ${name}`}>
          Descărcați
        </DownloadAnchor>
      </div>
      {isShown && (
        <Suspense fallback={<p className="text-muted">Un moment…</p>}>
          <SharedPreview file={file} folder={`/s/${token}/files`} />
        </Suspense>
      )}
    </li>
  )
}

/** A link that downloads; before that the page asks whether the share is still open, and says so if it is not. Fills a row that wraps. */
function DownloadAnchor({
  href,
  onCheck,
  variant,
  ...props
}: Omit<ComponentProps<'a'>, 'className'> &
  Pick<AccessProps, 'onCheck'> & { href: string; variant?: ButtonVariant }) {
  const [failure, setFailure] = useState<string | null>(null)
  const download = async () => {
    setFailure(null)
    try {
      if (await onCheck()) startDownload(href)
    } catch (error) {
      setFailure(`Nu s-a descărcat. ${errorMessage(error)}`)
    }
  }
  return (
    <>
      <a
        {...props}
        href={href}
        className={buttonClass({ variant, size: 'lg' })}
        onClick={(event) => {
          event.preventDefault()
          void download()
        }}
      />
      {failure && (
        <div className="basis-full">
          <FailureNotice>{failure}</FailureNotice>
        </div>
      )}
    </>
  )
}

/** What was done with the link, for its recipient to see whether somebody else has used it. */
function WhoLooked({ events }: Pick<SharedResults, 'events'>) {
  if (events.length === 0) return null
  return (
    <details className="rounded-xl border border-line bg-surface px-4 py-3 sm:px-5">
      <summary className="hit-area cursor-pointer content-center font-semibold">Cine a văzut</summary>
      <p className="mt-2 text-base text-muted">
        Tot ce s-a făcut cu această adresă. Dacă nu recunoașteți ceva, vă rugăm să ne anunțați.
      </p>
      <ul className="mt-3 grid gap-2 text-base">
        {events.map((event) => (
          <li key={event.id} className="break-words">
            <time dateTime={event.at} className="text-muted tabular-nums">
              {formatMoment(new Date(event.at))}
            </time>{' '}
            {describeEvent(event)}
            {event.isHere && ' (de aici)'}
          </li>
        ))}
      </ul>
    </details>
  )
}
