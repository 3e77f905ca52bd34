import type { Feature } from '../../shared/access/features.ts'

/**
 * Who reads the fields of an object type. `scope`: the type itself requires it. `reader`: the root field decides, and
 * every reader of the object reads all of it. Otherwise `open` fields are for every reader of the object, and `hidden`
 * ones are null or empty for users of institutions.
 */
export type TypeRow =
  | { scope: 'staff' | 'admin' | Feature }
  | { reader: 'own account' | 'public' | 'of the object' }
  | { open: readonly string[]; hidden: readonly string[] }

const admin = { scope: 'admin' } as const
const staff = { scope: 'staff' } as const
const reviewer = { scope: 'admin::review-files' } as const
const own = { reader: 'own account' } as const
const open = { reader: 'public' } as const
const ofObject = { reader: 'of the object' } as const
const fields = (names: string) => names.trim().split(/\s+/)

/** The object types of the schema; a type without a row, or a field of a type with lists in neither, fails the test. */
export const TYPES: Readonly<Record<string, TypeRow>> = {
  AccessCandidate: staff,
  AccessRequest: {
    open: fields(`id institutionId institutionName authorName createdAt surname givenNames birthDate cnpMasked purpose doctor
      number state decidedAt patientId refusal refusalNote`),
    hidden: [],
  },
  AccessRequestPage: ofObject,
  AccountLink: open,
  ActedGroups: staff,
  AddedPasskey: own,
  ApiKey: admin,
  Integration: admin,
  IntegrationCategory: admin,
  IntegrationInstitution: admin,
  NewIntegration: admin,
  AuditChainFault: admin,
  AuditEvent: staff,
  AuditEventPage: ofObject,
  AuditPerson: admin,
  AuditVerification: admin,
  Batch: staff,
  BatchChange: staff,
  BatchCounts: staff,
  BatchFile: staff,
  BatchGroup: staff,
  BatchGroupPage: ofObject,
  BatchPage: ofObject,
  BatchProposal: staff,
  BegunSecondFactor: own,
  CategoryMove: admin,
  CategoryUploads: admin,
  Alarms: admin,
  Dashboard: reviewer,
  QueueCount: reviewer,
  ReviewPlace: reviewer,
  ExaminationUnderWay: { open: fields('filedOn categoryName'), hidden: [] },
  FailedJob: admin,
  File: {
    open: fields('id name type kind size sha256 pageCount facts scanResult unreadable noText'),
    hidden: fields('stated hasThumbnail'),
  },
  FileCheck: staff,
  FileFact: staff,
  FileRefusal: staff,
  Comparison: staff,
  ComparisonLine: staff,
  ComparisonMark: staff,
  DeletionRequest: {
    open: fields('id uploadNumber releasedAt createdAt institutionName openings answeredAt answeredByName'),
    hidden: [],
  },
  Recall: {
    open: fields(`id uploadId uploadNumber kind recalledAt replacementId patientName title examinedOn releasedAt
      institutionName openings acknowledgedAt acknowledgedByName`),
    hidden: [],
  },
  UploadRecall: staff,
  Department: ofObject,
  DisagreeingFact: staff,
  DraftFact: staff,
  FirstAcceptance: staff,
  FormerInboxMark: ofObject,
  FoundPerson: staff,
  Hold: staff,
  Institution: {
    open: fields(`id name shortName kind code cui tradeRegister county locality address phone email contacts delivery
      mayUpload accent logo suspendedAt version updatedAt users can departments doctors`),
    hidden: [],
  },
  InstitutionAbilities: ofObject,
  InstitutionFigures: staff,
  InstitutionPage: ofObject,
  InstitutionSuspension: admin,
  InstitutionUser: {
    open: fields('id name email status isShutOut invitationExpiresAt lastSignInAt'),
    hidden: fields('lastUsedAt'),
  },
  InboxCounts: own,
  InboxItem: ofObject,
  MarkedResults: ofObject,
  Membership: own,
  ReferringDoctor: ofObject,
  ImportCount: staff,
  ImportRowChange: staff,
  ImportRowProblem: staff,
  Incident: staff,
  IncidentNote: staff,
  IncidentPage: ofObject,
  IncidentPatient: staff,
  IncidentRequest: staff,
  Invitation: admin,
  JobCount: admin,
  LeftGroup: staff,
  Me: own,
  MergePreview: staff,
  Message: admin,
  MessagePage: ofObject,
  MoveComparison: staff,
  NewApiKey: admin,
  NotShown: staff,
  Opening: ofObject,
  OwnNotice: staff,
  OpeningActs: ofObject,
  OpenedAccessRequest: staff,
  Operation: staff,
  OperationCount: staff,
  OperationItem: staff,
  OperationItemPage: ofObject,
  OperationPage: ofObject,
  OwnSecurity: own,
  Patient: {
    open: fields(`id number surname givenNames name previousSurname cnpMasked birthDate sex version createdAt updatedAt
      referrals can uploads underWay`),
    hidden: fields('phone email county locality address preferredChannel notes possibleDuplicates merges'),
  },
  Passkey: own,
  PatientAbilities: ofObject,
  PatientPage: ofObject,
  PatientImport: staff,
  PatientImportLine: staff,
  PatientImportLinePage: ofObject,
  PatientImportPage: ofObject,
  PatientMerge: staff,
  PossibleDuplicate: staff,
  PublicSite: open,
  Question: {
    open: fields(`id uploadId uploadNumber upload institutionName state createdAt changedAt waitingSince isUnread messageCount
      version messages`),
    hidden: fields('answererName'),
  },
  QuestionMessage: { open: fields('position byOrganisation isOwn authorName createdAt text'), hidden: [] },
  QuestionPage: ofObject,
  Referral: {
    open: fields(
      'id institutionId institutionName institutionSuspended doctor referredOn number endedOn isMistaken version createdAt',
    ),
    hidden: [],
  },
  RefusedFile: ofObject,
  RemovedFile: staff,
  RequestInstitution: { open: fields('id name'), hidden: [] },
  Review: staff,
  ReviewPolicy: staff,
  SearchCategory: ofObject,
  SearchReason: ofObject,
  SearchResults: ofObject,
  ProposedCategory: staff,
  ProposedInstitution: staff,
  ProposedPatient: staff,
  SearchScreen: ofObject,
  SendingInstitution: ofObject,
  SentComparisonLine: own,
  SentDraft: own,
  SentFileCheck: own,
  SentPatient: ofObject,
  SentProposal: own,
  SentUpload: ofObject,
  SentUploadPage: ofObject,
  Session: own,
  SetupChecklist: admin,
  SetupItem: admin,
  SiteSettings: admin,
  System: admin,
  SystemProxy: ofObject,
  SystemScanner: ofObject,
  SystemDatabase: admin,
  SystemStorage: admin,
  Transfer: own,
  UndoneMerge: staff,
  UpdatedReferral: staff,
  Upload: {
    open: fields(`id number title state stateSince examinedOn accessionNumber referringDoctor source releasedAt releaseAt
      createdAt isOwn version fileCount openedAt category patient institution files transfers can isUpdate inbox`),
    hidden:
      fields(`note authorName sentBy removedFiles comparison isDisagreeing firstOpenedAt reviews policy firstAcceptance
      undoUntil nextInReview proposal duplicates fileChecks draftFacts replaces replacedBy incidents recalls notShown`),
  },
  UploadAbilities: ofObject,
  UploadCategory: { open: fields('slug name icon color'), hidden: [] },
  UploadChange: ofObject,
  UploadInstitution: { open: fields('id name isSuspended'), hidden: [] },
  UploadDuplicate: staff,
  UploadPage: ofObject,
  UploadPatient: { open: fields('id number name cnpMasked birthDate sex'), hidden: [] },
  UploadProposal: staff,
  UploadVersion: staff,
  UploadsOfDay: reviewer,
  User: admin,
  UserInstitution: admin,
  UserPage: ofObject,
  Waiting: reviewer,
}
