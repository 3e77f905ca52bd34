import { ExternalLink } from '../../ui/base/link.tsx'
import { QrCode } from './qr-code.tsx'

/**
 * The key for an authenticator application: a code to scan, a link for the same phone, and letters to type.
 */
export function SecondFactorKey({ uri, secret }: { uri: string; secret: string }) {
  return (
    <div className="grid justify-items-center gap-3 text-center">
      <QrCode text={uri} label="Cod QR pentru aplicația de autentificare" />
      <p className="text-sm">
        <ExternalLink href={uri}>Deschide în aplicația de pe acest telefon</ExternalLink>
      </p>
      <p className="text-sm text-muted">
        Nu poți scana? Scrie cheia în aplicație:
        <code className="mt-1 flex flex-wrap justify-center gap-x-2 font-mono text-base text-ink select-all">
          {secret.match(/.{1,4}/g)?.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two groups may be equal, and their order is fixed
            <span key={index}>{group}</span>
          ))}
        </code>
      </p>
    </div>
  )
}
