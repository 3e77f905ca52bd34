import type { FactPlace } from '../../../shared/uploads/file-facts.ts'

/** Returns the page of a fact; undefined if it is on none. */
export const pageOf = (place: unknown): number | undefined => (place as Partial<FactPlace> | null)?.page

/** Returns where a fact is in its file, after a comma: `, pagina 2`; empty if that is not known. */
export function describePlace(place: unknown): string {
  const { in: source, entry, page, line, cell, tag } = (place ?? {}) as Partial<FactPlace>
  const parts = [
    source === 'file-name' && 'în numele fișierului',
    source === 'sender' && 'în datele trimise cu fișierul',
    entry !== undefined && `„${entry}”`,
    page !== undefined && `pagina ${page}`,
    source === 'code' && 'în codul de bare',
    cell !== undefined && `celula ${cell}`,
    cell === undefined && line !== undefined && `rândul ${line}`,
    tag !== undefined && `câmpul ${tag}`,
  ].filter((part) => part !== false)
  return parts.map((part) => `, ${part}`).join('')
}
