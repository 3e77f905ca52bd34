/** `open`: it waits for the organisation. A new message opens a closed question again. */
export const QUESTION_STATES = ['open', 'answered', 'closed'] as const
export type QuestionState = (typeof QUESTION_STATES)[number]
