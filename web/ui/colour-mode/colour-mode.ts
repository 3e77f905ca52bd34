import { useLayoutEffect, useSyncExternalStore } from 'react'

export type ColourMode = 'light' | 'dark'
export type ColourPreference = ColourMode | 'system'

export interface ColourModeState {
  preference: ColourPreference
  /** What is on screen. */
  value: ColourMode
  /** The preference is `system` and the system has not been asked yet: `value` is a guess. */
  unknown: boolean
  /** A page has overridden the preference until the next navigation. */
  forced: boolean
}

/** What the state is computed from. `system` is null until the operating system has been asked. */
export interface ColourModeInputs {
  preference: ColourPreference
  system: ColourMode | null
  forced: ColourMode | null
}

/** The same key is read by web/public/boot.js before the first paint. */
export const colourModeKey = 'dosar-color-mode'

/** What is kept in local storage, or `system` where that is nothing or nonsense. */
export function parseColourPreference(stored: string | null): ColourPreference {
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function describeColourMode({ preference, system, forced }: ColourModeInputs): ColourModeState {
  const preferred = preference === 'system' ? system : preference
  return {
    preference,
    value: forced ?? preferred ?? 'light',
    unknown: forced === null && preferred === null,
    forced: forced !== null,
  }
}

let inputs: ColourModeInputs = { preference: 'system', system: null, forced: null }
let state = describeColourMode(inputs)
const listeners = new Set<() => void>()

function update(change: Partial<ColourModeInputs>): void {
  inputs = { ...inputs, ...change }
  state = describeColourMode(inputs)
  showColourMode(state)
  for (const listener of listeners) listener()
}

function showColourMode({ value, unknown }: ColourModeState): void {
  if (unknown) return
  const root = document.documentElement
  root.dataset.theme = value
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', getComputedStyle(root).getPropertyValue('--canvas').trim())
}

function readStoredPreference(): ColourPreference {
  try {
    return parseColourPreference(localStorage.getItem(colourModeKey))
  } catch {
    // Storage is blocked: the preference lives as long as the page.
    return inputs.preference
  }
}

/** Reads the preference and follows the operating system and the other tabs. Answers a function that stops it. */
export function startColourMode(): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const followSystem = () => update({ system: dark.matches ? 'dark' : 'light' })
  const followTabs = (event: StorageEvent) => {
    if (event.key === colourModeKey || event.key === null) update({ preference: readStoredPreference() })
  }
  dark.addEventListener('change', followSystem)
  addEventListener('storage', followTabs)
  update({ preference: readStoredPreference(), system: dark.matches ? 'dark' : 'light' })
  return () => {
    dark.removeEventListener('change', followSystem)
    removeEventListener('storage', followTabs)
  }
}

export function setColourPreference(preference: ColourPreference): void {
  try {
    localStorage.setItem(colourModeKey, preference)
  } catch {
    // As above.
  }
  update({ preference })
}

/**
 * For a page that must be seen in one mode [4.6]: it calls this, and overrides the preference until the next navigation
 * takes it away. Null forces nothing. Only this tab sees it, and the preference stays what it was.
 */
export function useForcedColourMode(forced: ColourMode | null): void {
  // Before the page is painted for the first time.
  useLayoutEffect(() => {
    if (forced === null) return
    update({ forced })
    return () => update({ forced: null })
  }, [forced])
}

export function readColourMode(): ColourModeState {
  return state
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useColourMode(): ColourModeState {
  return useSyncExternalStore(subscribe, readColourMode, readColourMode)
}
