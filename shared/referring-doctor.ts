/** The doctor that referrals name, where all that name one name the same; else null. */
export function onlyDoctor(doctors: readonly (string | null)[]): string | null {
  const [only, ...others] = new Set(doctors.filter((doctor) => doctor))
  return only && others.length === 0 ? only : null
}
