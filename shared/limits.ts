const MIB = 1024 * 1024

/** Sizes in bytes, lengths in characters, times in milliseconds unless the name says otherwise. */
export const LIMITS = {
  fileBytes: 2048 * MIB,
  filesPerUpload: 20,
  unfinishedPerUser: 50,
  unfinishedLife: 24 * 60 * 60 * 1000,
  pageSize: 50,
  pageSizeMax: 100,
  shortText: 200,
  longText: 4000,
  /** The only factor until a second one is set up (NIST SP 800-63B-4). */
  passwordMin: 15,
  passwordMax: 200,
  sessionSeconds: 604_800,
  idTokenSeconds: 15 * 60,
} as const
