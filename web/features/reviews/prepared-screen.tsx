import { Activity, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

/**
 * Renders a screen before it is shown. Until `isShown` its elements are outside the document, where neither users nor
 * programs find them, and none of its effects run: no keys, no requests, nothing counts as seen. Then it appears whole.
 */
export function PreparedScreen({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const [box] = useState(() => {
    const element = document.createElement('div')
    element.className = 'contents'
    return element
  })
  return (
    <>
      {/* Before the screen: its effects measure elements that have to be in the document. */}
      {isShown && <Place box={box} />}
      {createPortal(<Activity mode={isShown ? 'visible' : 'hidden'}>{children}</Activity>, box)}
    </>
  )
}

function Place({ box }: { box: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.append(box), [box])
  return <div ref={place} className="contents" />
}
