import { ToastHost } from '../feedback/toast.tsx'
import { TooltipHost } from '../overlays/tooltip.tsx'

/** Where toasts and the tooltip appear. Every layout but the blank one has them: signing in needs neither. */
export function UiHosts() {
  return (
    <>
      <ToastHost />
      <TooltipHost />
    </>
  )
}
