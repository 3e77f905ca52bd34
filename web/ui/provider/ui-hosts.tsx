import { ToastHost } from '../feedback/toast.tsx'
import { TooltipHost } from '../overlays/tooltip.tsx'

/**
 * The regions of toasts and of the tooltip. Every layout except the blank one renders them; sign-in needs
 * neither.
 */
export function UiHosts() {
  return (
    <>
      <ToastHost />
      <TooltipHost />
    </>
  )
}
