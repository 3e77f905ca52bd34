const MIB = 1024 * 1024

/** A file up to this size can be sent in one request, and is kept in memory until it is whole. */
export const WHOLE_FILE_BYTES = MIB

/** Sizes in bytes, lengths in characters, times in milliseconds unless the name says otherwise. */
export const LIMITS = {
  /** The maximum, for any setting. */
  fileBytes: 2048 * MIB,
  /** The announced bytes of all unfinished files of a person together. */
  unfinishedBytes: 20 * 1024 * MIB,
  /** Uploads that a user of an institution has begun and not submitted. */
  sentDrafts: 50,
  /** Free bytes of the disk that files never fill. */
  reservedBytes: 256 * MIB,
  /** How long removed files can be restored. */
  binDays: 30,
  /** Files announced in a batch. */
  batchFiles: 1_000,
  /** Files announced in one request. */
  announcedFiles: 100,
  /** Groups of a batch filed, or taken back, in one request. */
  batchGroups: 50,
  /** Results of the inbox that are marked, or downloaded, at once. */
  inboxSelection: 100,
  departments: 50,
  departmentName: 60,
  /** Referring doctors of an institution that are listed. */
  institutionDoctors: 1_000,
  /** How long the filing of a group can be undone. */
  undoFilingMinutes: 30,
  /** How long a merge of patients can be undone. */
  undoMergeDays: 30,
  pageSize: 50,
  pageSizeMax: 100,
  shortText: 200,
  /** The shortest text that the site search looks up; a shorter one finds only screens. */
  searchTextMin: 2,
  searchText: 100,
  /** The most results of one kind. */
  searchHits: 10,
  longText: 4000,
  categories: 512,
  /** If the password is the only factor (NIST SP 800-63B-4). */
  passwordMin: 15,
  /** With a second factor. */
  passwordMinWithSecondFactor: 8,
  passwordMax: 200,
  sessionSeconds: 604_800,
  /** How long a browser counts as known after a sign-in. */
  deviceSeconds: 365 * 24 * 60 * 60,
  /** Without use, of a session that was begun on a shared computer. */
  sharedIdleMinutes: 30,
  idTokenSeconds: 15 * 60,
  /** With the key that every page has, from one network: forty recipients of results behind one address may have them open. */
  pageKeyRequestsPerMinute: 300,
  /** With an API key that an administrator issued. */
  issuedKeyRequestsPerMinute: 300,
  /** Root fields of a document that is sent with a key. */
  keyRootFields: 2,
  /** Between the password and the second factor. */
  pendingSignInSeconds: 5 * 60,
  /** How long a proof of the user's identity counts for acts that require a fresh one. */
  freshProofSeconds: 5 * 60,
  recoveryCodes: 10,
  passkeyChallengeSeconds: 5 * 60,
  /** Of one account. */
  passkeys: 20,
  passkeyName: 60,
  invitationDays: 7,
  resetMinutes: 60,
  /** Between two reset links requested for one account. */
  resetPauseMinutes: 5,
  /** How far back the dashboard counts, today included. */
  dashboardDays: 30,
  /** A count of what waits, beside a tab or the menu, goes no further; one that reaches it is shown as `99+`. */
  shownCount: 100,
  /** From how many days on a released upload that nobody has opened needs somebody, and how far back failed mails do. */
  alarmDays: 7,
  /** How far back the bell goes for what no list shows as waiting: decisions, and shares that wrong proofs have closed. */
  notificationDays: 30,
  /** Of one kind in the list of the bell. */
  shownNotifications: 5,
  /** How long a mail that fails is retried. */
  messageTryHours: 24,
  /** Requests for access in 24 hours. */
  accessRequestsOfUser: 20,
  accessRequestsOfInstitution: 50,
  accessPurpose: 500,
  /** How long a request for access is kept after the decision. */
  accessRequestDays: 90,
  /** Results in one share. */
  shareUploads: 50,
  /** Openings to which a share can be limited. */
  shareOpenings: 1_000,
  /** Shares that are ended in one request. */
  endedShares: 100,
  sharePinDigits: 6,
  /** Wrong proofs after which a share is locked for a while, and after which it ends. */
  shareWrongProofs: { lock: 5, end: 10 },
  shareLockMinutes: 15,
  /** How long a proof opens a share in a browser. */
  shareSessionMinutes: 60,
  shareCodeMinutes: 10,
  /** Between two codes by mail, and codes of one share. */
  shareCodePauseSeconds: 60,
  shareCodes: 20,
  /** Shares whose cookies one browser keeps. */
  shareCookies: 30,
  /** After the end of a share: how long a browser shows why, and how long its events are kept. */
  shareSessionDays: 30,
  shareEventDays: 365,
  /** Events of a share that are listed. */
  shareEvents: 200,
  questionText: 2_000,
  /** Of one institution about one result. */
  questionMessages: 50,
  newsText: 2_000,
  /** How soon the same text of the same author is a repeated request. */
  repeatedNewsMinutes: 10,
  /** Of one patient, with those that were removed and can still be read. */
  patientNews: 100,
  /** How far ahead news can be pinned. */
  pinnedDays: 365,
} as const
