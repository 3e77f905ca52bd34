import { z } from 'zod'
import { searchWords } from '../../../shared/romania/names.ts'
import { DELIVERIES } from '../../../shared/site/setting-bounds.ts'
import { optionalEmail, optionalNote, optionalPhone, optionalText } from '../../validation.ts'

/** What an institution may edit itself: its address, its contact data, and how it wants results delivered. */
export const PROFILE = {
  county: optionalText('Județul', 60),
  locality: optionalText('Localitatea', 100),
  address: optionalText('Adresa'),
  phone: optionalPhone,
  email: optionalEmail,
  contacts: optionalNote('Contactele'),
  delivery: z.enum(DELIVERIES),
}

/** Returns the text that institutions are searched by. */
export const institutionSearchText = (...texts: (string | null)[]): string =>
  searchWords(texts.join(' ')).join(' ')
