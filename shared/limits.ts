const MIB = 1024 * 1024

/** Sizes in bytes, lengths in characters, times in milliseconds unless the name says otherwise. */
export const LIMITS = {
  /** At most, whatever the settings say. */
  fileBytes: 2048 * MIB,
  /** What was removed can be put back for so long. */
  binDays: 30,
  pageSize: 50,
  pageSizeMax: 100,
  shortText: 200,
  /** What is searched for on the whole site; shorter, only screens are. */
  searchTextMin: 2,
  searchText: 100,
  /** Found of a kind at a time. */
  searchHits: 10,
  longText: 4000,
  categories: 512,
  /** The only factor until a second one is set up (NIST SP 800-63B-4). */
  passwordMin: 15,
  /** Beside a second factor. */
  passwordMinWithSecondFactor: 8,
  passwordMax: 200,
  sessionSeconds: 604_800,
  idTokenSeconds: 15 * 60,
  /** Between the password and the second factor. */
  pendingSignInSeconds: 5 * 60,
  recoveryCodes: 10,
  invitationDays: 7,
  resetMinutes: 60,
  /** Between two links that somebody asks for themselves. */
  resetPauseMinutes: 5,
  /** How far back the dashboard counts, today included. */
  dashboardDays: 30,
  /** For so long a mail that does not go out is tried again. */
  messageTryHours: 24,
} as const
