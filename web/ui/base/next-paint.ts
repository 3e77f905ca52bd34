/** Resolves after the browser has painted its next frame; in a hidden page, when it is shown again. */
export const nextPaint = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
