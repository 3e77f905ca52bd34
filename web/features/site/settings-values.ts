import { FEATURES, type Feature } from '../../../shared/access/features.ts'
import { SETTING_BOUNDS } from '../../../shared/site/setting-bounds.ts'
import type { SiteSettings } from '../../../shared/site/site-settings.ts'
import { changedFields } from '../../forms/saved-form/changes.ts'

type NumberName = keyof typeof SETTING_BOUNDS
type FeatureField = `feature_${string}`

/** The values of the form of the settings: numbers and words as typed, and one value for each feature. */
export type SettingsValues = Omit<SiteSettings, NumberName | 'features' | 'locales' | 'category_words'> &
  Record<NumberName, string> &
  Record<FeatureField, boolean> & {
    /** A line for each category: its slug, a colon, its words. */
    category_words: string
  }

const NUMBERS = Object.keys(SETTING_BOUNDS) as NumberName[]

/** Returns the field name of a feature; FormKit interprets special characters in names. */
export const featureField = (feature: Feature): FeatureField => `feature_${feature.replace(/\W+/g, '_')}`

export function readSettings({
  features,
  locales: _,
  category_words,
  ...settings
}: SiteSettings): SettingsValues {
  const numbers = NUMBERS.map((name) => [name, settings[name] === null ? '' : String(settings[name])])
  const switches = FEATURES.map((feature) => [featureField(feature), features.includes(feature)])
  const words = category_words.map(({ slug, words }) => `${slug}: ${words.join(', ')}`).join('\n')
  return {
    ...settings,
    ...Object.fromEntries(numbers),
    ...Object.fromEntries(switches),
    category_words: words,
  }
}

/** Returns the settings that differ from the stored ones, in the format of the server. */
export function listSettingsChanges(stored: SettingsValues, values: SettingsValues): Record<string, unknown> {
  const changed = changedFields(stored, values) as string[]
  const isFeature = (name: string) => name.startsWith('feature_')
  const changes = changed
    .filter((name) => !isFeature(name))
    .map((name) => [name, writeValue(name, values[name as keyof SettingsValues])])
  if (changed.some(isFeature))
    changes.push(['features', FEATURES.filter((feature) => values[featureField(feature)])])
  return Object.fromEntries(changes)
}

/** After the slug, whose levels are separated by two colons. */
const COLON = /(?<!:):(?!:)/

/** Reads a line for each category; one without a colon is sent as a slug, for the server to reject. */
function readWords(text: string): { slug: string; words: string[] }[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const colon = line.search(COLON)
    const list = colon < 0 ? '' : line.slice(colon + 1)
    const words = list.split(',').filter((word) => word.trim() !== '')
    return { slug: (colon < 0 ? `${line}:` : line.slice(0, colon)).trim(), words }
  })
}

function writeValue(name: string, value: unknown): unknown {
  if (name === 'category_words') return readWords(String(value ?? ''))
  if (!(NUMBERS as string[]).includes(name)) return value ?? ''
  const text = String(value ?? '').trim()
  if (text === '') return null
  // An invalid number is sent unchanged, for the server to reject.
  return /^\d+$/.test(text) ? Number(text) : text
}
