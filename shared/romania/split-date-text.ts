/**
 * Returns day, month and year as they are typed in `3.4.1985`, `03/04/1985`, `03041985` or `1985-04-03`; null if the text
 * is not of this form.
 */
export function splitDateText(text: string): readonly string[] | null {
  const match =
    /^(\d{1,2})\s*[./\-\s]\s*(\d{1,2})\s*[./\-\s]\s*(\d{4})$/.exec(text.trim()) ??
    /^(\d{2})(\d{2})(\d{4})$/.exec(text.trim())
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim())
  return match?.slice(1) ?? iso?.slice(1).reverse() ?? null
}
