import type { FileHandle } from 'node:fs/promises'
import { stripInvisible } from '../../../../shared/invisible-characters.ts'
import type { SiteSettings } from '../../../../shared/site/site-settings.ts'
import { isActive } from '../../../../shared/uploads/file-findings.ts'
import type { Scanner } from '../../../platform/clamd.ts'
import { type Inspection, rejectFile } from './inspection.ts'

/**
 * Scans a file for malware, then inspects it with `inspect`; without a scanner it is only inspected.
 * Malware is rejected before any parser of ours reads it. Throws ScannerUnavailable if the scanner gives no
 * result, so that the check is retried and the file is not accepted in the meantime.
 */
export async function scanAndInspect(
  scanner: Scanner | null,
  file: FileHandle,
  inspect: () => Promise<Inspection>,
): Promise<Inspection> {
  const scan = scanner ? await scanner.scan(file) : null
  if (scan?.result === 'infected')
    return rejectFile('infected', { signature: stripInvisible(scan.signature) })
  const inspection = await inspect()
  if (!inspection.accepted || !scan) return inspection
  return scan.result === 'clean'
    ? { ...inspection, isScanned: true }
    : { ...inspection, facts: { ...inspection.facts, scan: 'incomplete' } }
}

/** Rejects a file with active content, where the site setting demands it. */
export function applyActiveContentSetting(
  inspection: Inspection,
  { upload_active_content }: Pick<SiteSettings, 'upload_active_content'>,
): Inspection {
  const active = inspection.facts.findings?.filter(isActive) ?? []
  if (!inspection.accepted || upload_active_content === 'mark' || active.length === 0) return inspection
  return rejectFile('active-content', { findings: active })
}
