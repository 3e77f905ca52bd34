import { graphql, type ResultOf } from '../../api/graphql.ts'

export const DEPARTMENTS = graphql(`
  query Departments($id: ID!) {
    institution(id: $id) {
      id
      departments {
        id
        name
        version
      }
      doctors {
        name
        departmentId
      }
    }
  }
`)
type Departments = ResultOf<typeof DEPARTMENTS>['institution']
export type DepartmentLine = Departments['departments'][number]
export type DoctorLine = Departments['doctors'][number]

export const CREATE_DEPARTMENT = graphql(`
  mutation CreateDepartment($institutionId: ID!, $name: String!, $doctors: [String!]!) {
    createDepartment(institutionId: $institutionId, name: $name, doctors: $doctors) {
      id
    }
  }
`)

export const UPDATE_DEPARTMENT = graphql(`
  mutation UpdateDepartment($id: ID!, $version: Int!, $name: String!, $doctors: [String!]!) {
    updateDepartment(id: $id, version: $version, name: $name, doctors: $doctors) {
      id
    }
  }
`)

export const REMOVE_DEPARTMENT = graphql(`
  mutation RemoveDepartment($id: ID!, $version: Int!) {
    removeDepartment(id: $id, version: $version)
  }
`)
