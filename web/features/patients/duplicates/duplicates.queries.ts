import { graphql, type ResultOf } from '../../../api/graphql.ts'

export const PatientDuplicates = graphql(`
  fragment PatientDuplicates on Patient {
    id
    possibleDuplicates {
      reasons
      patient {
        id
        number
        name
        birthDate
        cnpMasked
        locality
      }
    }
  }
`)
export type PossibleDuplicate = ResultOf<typeof PatientDuplicates>['possibleDuplicates'][number]

export const POSSIBLE_DUPLICATES = graphql(`
  query PossibleDuplicates(
    $surname: String
    $givenNames: String
    $previousSurname: String
    $birthDate: String
    $phone: String
    $exceptId: ID
  ) {
    possibleDuplicates(
      surname: $surname
      givenNames: $givenNames
      previousSurname: $previousSurname
      birthDate: $birthDate
      phone: $phone
      exceptId: $exceptId
    ) {
      reasons
      patient {
        id
        number
        name
        birthDate
        cnpMasked
        locality
      }
    }
  }
`)

export const MARK_DISTINCT = graphql(
  `
    mutation MarkDistinctPatients($patientId: ID!, $otherId: ID!) {
      markDistinctPatients(patientId: $patientId, otherId: $otherId) {
        ...PatientDuplicates
      }
    }
  `,
  [PatientDuplicates],
)
