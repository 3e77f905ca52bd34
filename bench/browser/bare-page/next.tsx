import { StrictMode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** A page of text, drawn before it is shown. */
function drawPage(number: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = 850
  canvas.height = 1200
  const pen = canvas.getContext('2d')!
  for (let line = 1; line < 50; line++) pen.fillText(`${number}: ${'rezultat '.repeat(12)}`, 40, line * 24)
  return canvas
}

/** A minimal verdict: a key sends a request, and its answer shows the next page. */
function NextPage() {
  const [page, setPage] = useState(() => ({ number: 1, canvas: drawPage(1) }))
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current!.replaceChildren(page.canvas), [page])
  useEffect(() => {
    const number = page.number + 1
    const next = { number, canvas: drawPage(number) }
    const accept = async () => {
      await fetch('/verdict', { method: 'POST' })
      history.pushState(null, '', `/next/${number}`)
      setPage(next)
    }
    addEventListener('keydown', accept)
    return () => removeEventListener('keydown', accept)
  }, [page])
  return (
    <>
      <h1>Nr. {page.number}</h1>
      <div data-page="1" ref={box} />
    </>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <NextPage />
  </StrictMode>,
)
