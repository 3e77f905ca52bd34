import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadResult } from './reads.ts'
import type { Table } from './table.ts'
import type { UploadResult } from './uploads.ts'

/** The measurements so far, each with its time: a long bench may be run in several parts. */
export type Results = {
  /** By the number of patients. */
  reads: Record<string, { at: string; results: ReadResult[] }>
  uploads?: { at: string; results: UploadResult[] }
  screens?: { at: string; table: Table }
  nextDocument?: { at: string; table: Table }
  clickedRows?: { at: string; table: Table }
  auditLog?: { at: string; table: Table }
  operations?: { at: string; table: Table }
  health?: { at: string; table: Table }
  archives?: { at: string; table: Table }
  batch?: { at: string; table: Table }
  spellings?: { at: string; table: Table }
  bulkKeys?: { at: string; table: Table }
  intakeWays?: { at: string; table: Table }
  imports?: { at: string; table: Table }
  importKills?: { at: string; table: Table }
  restart?: { at: string; table: Table }
  dashboard?: { at: string; table: Table }
  workers?: { at: string; table: Table }
  shapes?: { at: string; table: Table }
  crowd?: { at: string; table: Table }
  /** Queries whose plan would be slower in a larger database; empty if all plans are right. */
  plans?: { at: string; bad: string[] }
}

const pathIn = (folder: string): string => join(folder, 'results.json')

export function readResults(folder: string): Results {
  const path = pathIn(folder)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : { reads: {} }
}

export function saveResults(folder: string, results: Results): void {
  writeFileSync(pathIn(folder), JSON.stringify(results))
}
