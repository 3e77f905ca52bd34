/** The bounds of the numeric site settings, both ends included. */
export const SETTING_BOUNDS = {
  /** px */
  logo_navigation_width: { min: 16, max: 400 },
  /** Not below a second: each open page sends these requests. */
  session_idle_hours: { min: 1, max: 168 },
  session_refresh_ms: { min: 1_000, max: 86_400_000 },
  share_days: { min: 1, max: 365 },
  share_days_max: { min: 1, max: 365 },
  target_filing_hours: { min: 1, max: 2_160 },
  target_release_hours: { min: 1, max: 2_160 },
  target_opening_hours: { min: 1, max: 2_160 },
  /** 0: nobody is reminded. */
  reminder_days: { min: 0, max: 90 },
  retention_years: { min: 1, max: 100 },
  /** 0: a verdict cannot be undone, and a release waits for nothing. */
  undo_seconds: { min: 0, max: 60 },
  upload_file_mib: { min: 1, max: 2048 },
  upload_files: { min: 1, max: 100 },
  upload_unfinished_hours: { min: 1, max: 168 },
  upload_unfinished_per_user: { min: 1, max: 500 },
} as const

/** Words and phrases of a category. */
export const CATEGORY_WORDS_MAX = 50

/** What a share link may require its recipient to prove. */
export const SHARE_PROOFS = ['birth_date', 'pin', 'email'] as const
export type ShareProof = (typeof SHARE_PROOFS)[number]

/** When an institution is notified of new results. */
export const DELIVERIES = ['at_once', 'hourly', 'daily', 'none'] as const
export type Delivery = (typeof DELIVERIES)[number]
export const DELIVERY_NAMES: Readonly<Record<Delivery, string>> = {
  at_once: 'Imediat',
  hourly: 'Din oră în oră',
  daily: 'O dată pe zi',
  none: 'Fără e-mail',
}

/** What users choose for themselves: only less mail than their institution has. */
export const OWN_DELIVERIES = ['hourly', 'daily', 'none'] as const satisfies readonly Delivery[]
export type OwnDelivery = (typeof OWN_DELIVERIES)[number]

/** Returns the choices that narrow what the institution has. */
export const narrowerDeliveries = (delivery: Delivery): readonly OwnDelivery[] =>
  OWN_DELIVERIES.filter((own) => DELIVERIES.indexOf(own) > DELIVERIES.indexOf(delivery))

/** Returns when a user gets mail: as the institution has it, or as they have narrowed it. */
export const deliveryInForce = (delivery: Delivery, own: OwnDelivery | null): Delivery =>
  own !== null && narrowerDeliveries(delivery).includes(own) ? own : delivery

/** Images of the organisation; each is a setting of this name with the image's address. */
export const SITE_IMAGES = ['logo', 'logo_navigation', 'favicon'] as const
/** All images that administrators upload: those of the settings and the logos of institutions. */
export const SITE_IMAGE_KINDS = [...SITE_IMAGES, 'institution_logo'] as const
export type SiteImageKind = (typeof SITE_IMAGE_KINDS)[number]
/** Maximum bytes of an uploaded image. */
export const SITE_IMAGE_BYTES = 5 * 1024 * 1024
