import { graphql } from '../../api/graphql.ts'

export const GET_CATEGORIES = graphql(`
  query getCategories {
    getCategories
  }
`)

export const SAVE_CATEGORIES = graphql(`
  mutation saveCategories($input: String!) {
    saveCategories(input: $input)
  }
`)
