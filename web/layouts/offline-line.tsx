import { Icon } from '../ui/base/icon.tsx'

/** A line above every page while the server cannot be reached; it stays visible while the page scrolls. */
export function OfflineLine({ isOffline, isFormal }: { isOffline: boolean; isFormal: boolean }) {
  return (
    <div role="status" className="layer-bar sticky top-(--top-bar,0px) print:hidden">
      {isOffline && (
        <p className="flex items-center justify-center gap-2 border-b border-warning-line bg-warning-soft px-4 py-2 text-sm text-ink">
          <Icon name="offline" size={18} className="shrink-0 text-warning" />
          <span>
            <span className="font-semibold">Fără conexiune.</span>{' '}
            {isFormal ? 'Ce vedeți poate să nu mai fie la zi.' : 'Ce vezi poate să nu mai fie la zi.'}
          </span>
        </p>
      )}
    </div>
  )
}
