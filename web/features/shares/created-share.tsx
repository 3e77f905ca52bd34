import { Button } from '../../ui/base/button.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { useCopy } from '../../ui/hooks/use-copy.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { CreatedShare as Created } from './shares.queries.ts'

/** Shows once what opens a share, since only hashes are stored. Mounted while it is open. */
export function CreatedShare({ created, onClose }: { created: Created; onClose: () => void }) {
  const { share, link, pin, code, slip } = created
  const isMailed = share.channel === 'mail'
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      closesOnlyByActions
      title={`Rezultate pentru ${share.recipientName}`}
      actions={
        <Button variant="primary" onPress={onClose}>
          Gata
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-muted">
          {isMailed
            ? `Linkul a fost trimis la ${share.email}.`
            : `Dă ${slip ? 'biletul' : 'linkul'} numai destinatarului.`}
          {(pin || !isMailed) && ' Ce este mai jos nu se mai poate vedea după ce închizi.'}
        </p>
        {!isMailed && <Secret name="Link" text={link} />}
        {pin && (
          <Secret
            name="Cod PIN"
            text={pin}
            help={
              slip
                ? 'Nu este pe bilet: spune-l destinatarului și nu îl scrie pe bilet.'
                : 'Spune-l separat de link, de exemplu la telefon.'
            }
          />
        )}
        {code && <Secret name="Cod scurt" text={code} />}
        {slip && <SlipButtons slip={slip} />}
      </div>
    </Dialog>
  )
}

function Secret({ name, text, help }: { name: string; text: string; help?: string }) {
  const { label, copy } = useCopy(text)
  return (
    <div className="grid gap-1">
      <p className="text-sm font-medium">{name}</p>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all select-all">{text}</code>
        <Button variant="quiet" icon="copy" aria-label={`${label}: ${name}`} onPress={copy}>
          {label}
        </Button>
      </div>
      {help && <p className="text-sm text-muted">{help}</p>}
    </div>
  )
}

const readSlip = (base64: string): Blob =>
  new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'application/pdf' })

/** Opens the slip where the browser prints it in its own size, or saves it. */
function SlipButtons({ slip }: { slip: string }) {
  const open = () => {
    const address = URL.createObjectURL(readSlip(slip))
    window.open(address, '_blank')
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon="printer" onPress={open}>
        Tipărește biletul
      </Button>
      <Button icon="download" onPress={() => saveFile(readSlip(slip), 'bilet-de-acces.pdf')}>
        Descarcă biletul
      </Button>
    </div>
  )
}
