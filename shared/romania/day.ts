const DAY_IN_ROMANIA = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Bucharest' })

/** Returns the day of an instant in Romania as yyyy-MM-dd. */
export const dayInRomania = (at: Date): string => DAY_IN_ROMANIA.format(at)

/** Returns today in Romania as yyyy-MM-dd: a day begins there hours before it begins in UTC. */
export const todayInRomania = (): string => dayInRomania(new Date())
