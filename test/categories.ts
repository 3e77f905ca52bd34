import type { CategoryList, SlugMoves } from '../shared/uploads/categories.ts'
import type { GraphqlResponse, TestClient } from './client.ts'

const GET = 'query getCategories { getCategories }'
const SAVE = 'mutation saveCategories($input: String!) { saveCategories(input: $input) }'

/** The flat list, with what the product's editor sends in the `extensions` [7.11]. */
export type SentList = { tree: unknown; version?: unknown; moves?: SlugMoves | Record<string, unknown> }

/** Returns the list of a response of getCategories or saveCategories, with the details of its `extensions`. */
export function toCategoryList({ data, extensions }: GraphqlResponse): CategoryList {
  const { tree } = JSON.parse(data.getCategories ?? data.saveCategories)
  return { tree, ...extensions.categories }
}

/** Reads the categories; throws where the response has no list. */
export const getCategories = async (client: TestClient): Promise<CategoryList> =>
  toCategoryList(await client.graphql(GET))

/** Sends a list of categories; `details`: in the `extensions` of the request. */
export const sendCategories = (
  client: TestClient,
  { tree, ...details }: SentList,
): Promise<GraphqlResponse> => client.graphql(SAVE, { input: JSON.stringify(tree) }, { categories: details })

/** Saves a plain list of categories, as a program does that knows only the specification. */
export async function saveCategories(client: TestClient, tree: readonly unknown[]): Promise<CategoryList> {
  const response = await client.graphql(SAVE, { input: JSON.stringify(tree) })
  if (response.errors.length > 0) throw new Error(JSON.stringify(response.errors))
  return toCategoryList(response)
}
