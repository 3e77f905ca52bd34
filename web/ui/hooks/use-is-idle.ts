import { useEffect, useState } from 'react'
import { whenIdle } from '../../loading/when-idle.ts'

/** Whether the page has been idle since the component was first shown. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return isIdle
}
