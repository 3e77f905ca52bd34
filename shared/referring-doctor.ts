/** Returns the only doctor that the referrals name; null if they name none or several. */
export function onlyDoctor(doctors: readonly (string | null)[]): string | null {
  const [only, ...others] = new Set(doctors.filter((doctor) => doctor))
  return only && others.length === 0 ? only : null
}
