import { useLayoutEffect, useSyncExternalStore } from 'react'
import { keepStored, readStored } from '../base/browser-storage.ts'

export type ColourMode = 'light' | 'dark'
export type ColourPreference = ColourMode | 'system'

export interface ColourModeState {
  preference: ColourPreference
  /** The mode that is shown. */
  value: ColourMode
  /**
   * The preference is `system`, the operating system's mode is not read yet, and no page forces a mode:
   * `value` is the default.
   */
  unknown: boolean
  /** Whether a page overrides the preference until the next navigation. */
  forced: boolean
}

/** The inputs of the state. `system` is null until the operating system's mode is read. */
export interface ColourModeInputs {
  preference: ColourPreference
  system: ColourMode | null
  forced: ColourMode | null
}

/** The local storage key, which web/public/boot.js also reads before the first paint. */
export const colourModeKey = 'dosar-color-mode'

/** Returns the stored preference, or `system` if the stored value is missing or invalid. */
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

// Where storage is blocked, a chosen preference lasts as long as the page.
const readStoredPreference = () => parseColourPreference(readStored(colourModeKey))

/**
 * Reads the preference and follows the operating system and the other tabs. Returns a function that stops
 * following.
 */
export function startColourMode(): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const followSystem = () => update({ system: dark.matches ? 'dark' : 'light' })
  const followOtherTabs = (event: StorageEvent) => {
    if (event.key === colourModeKey || event.key === null) update({ preference: readStoredPreference() })
  }
  dark.addEventListener('change', followSystem)
  addEventListener('storage', followOtherTabs)
  update({ preference: readStoredPreference(), system: dark.matches ? 'dark' : 'light' })
  return () => {
    dark.removeEventListener('change', followSystem)
    removeEventListener('storage', followOtherTabs)
  }
}

export function setColourPreference(preference: ColourPreference): void {
  keepStored(colourModeKey, preference)
  update({ preference })
}

/**
 * Forces a colour mode while the calling page is mounted [4.6], in this tab only and without changing the
 * preference. Null forces nothing.
 */
export function useForcedColourMode(forced: ColourMode | null): void {
  // A layout effect, so that the mode applies before the first paint.
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
