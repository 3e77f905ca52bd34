import { QrCode } from './qr-code.tsx'

/** What an authenticator application needs: a code to scan, and the same as letters to type. */
export function SecondFactorKey({ uri, secret }: { uri: string; secret: string }) {
  return (
    <div className="grid justify-items-center gap-3">
      <QrCode text={uri} label="Cod QR pentru aplicația de autentificare" />
      <p className="text-center text-sm text-muted">
        Nu poți scana? Scrie cheia în aplicație:
        <code className="mt-1 block font-mono text-base break-all text-ink select-all">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
      </p>
    </div>
  )
}
