import { saveFile } from '../../ui/base/save-file.ts'
import { useCopy } from '../../ui/hooks/use-copy.ts'
import { PlainButton } from '../../ui/plain/plain-button.tsx'

/** The codes that replace a lost phone. They are shown only once, so they can be copied and downloaded. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  const { label, copy } = useCopy(text)
  const download = () => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'coduri-de-recuperare.txt')
  return (
    <div className="@container grid gap-3">
      <p className="text-sm text-muted">
        Păstrează codurile într-un loc sigur, nu pe telefon. Fiecare ține o singură dată locul celui de-al
        doilea factor. Nu le vei mai vedea după ce închizi.
      </p>
      <ul
        aria-label="Coduri de recuperare"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm @sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <PlainButton onClick={copy}>{label}</PlainButton>
        <PlainButton onClick={download}>Descarcă</PlainButton>
      </div>
    </div>
  )
}
