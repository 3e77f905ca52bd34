import type { VariablesOf } from '../../api/graphql.ts'
import type { CREATE_INTEGRATION, Integration } from './integrations.queries.ts'

type IntegrationKind = Integration['kind']

/** The values of an integration's form. */
export type IntegrationValues = {
  name: string
  kind: IntegrationKind
  institutionId: string | null
  categorySlug: string | null
  /** An address or a network on each line. */
  addresses: string
  submitsToReview: boolean
}

export const NEW_INTEGRATION: IntegrationValues = {
  name: '',
  kind: 'folder',
  institutionId: null,
  categorySlug: null,
  addresses: '',
  submitsToReview: false,
}

export const KIND_NAMES: Record<IntegrationKind, string> = {
  folder: 'Folder urmărit',
  program: 'Program',
}

export const readValues = (integration: Integration): IntegrationValues => ({
  name: integration.name,
  kind: integration.kind,
  institutionId: integration.institution?.id ?? null,
  categorySlug: integration.category?.slug ?? null,
  addresses: integration.addresses.join('\n'),
  submitsToReview: integration.submitsToReview,
})

export const toInput = ({
  addresses,
  ...values
}: IntegrationValues): VariablesOf<typeof CREATE_INTEGRATION>['input'] => ({
  ...values,
  addresses: addresses.split(/[\s,;]+/).filter(Boolean),
})
