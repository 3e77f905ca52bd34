import { graphql } from '../../api/graphql.ts'

export const GET_CATEGORIES = graphql(`
  query getCategories {
    getCategories
  }
`)

export const CATEGORY_UPLOADS = graphql(`
  query CategoryUploads {
    categoryUploads {
      slug
      count
    }
  }
`)

export const CATEGORY_MOVES = graphql(`
  query CategoryMoves {
    categoryMoves {
      from
      to
      count
      moved
    }
  }
`)

export const SAVE_CATEGORIES = graphql(`
  mutation saveCategories($input: String!) {
    saveCategories(input: $input)
  }
`)
