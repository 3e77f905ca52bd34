import { FAILED_MESSAGE } from './sign-in-errors.ts'

/** Returns why a code was rejected; the response does not distinguish a used code from a wrong one. */
export const explainSecondFactorError = (code: string | null): string =>
  code === 'second-factor-wrong'
    ? 'Codul nu este corect. Următorul cod, peste câteva secunde, poate fi bun.'
    : FAILED_MESSAGE
