import { useNavigate, useSearch } from '@tanstack/react-router'
import type { TURNAROUND_DAYS } from '../../../shared/uploads/upload-state-list.ts'

export type DashboardFilters = {
  days?: (typeof TURNAROUND_DAYS)[number]
  category?: string
  institution?: string
}

/** Returns the filters of the times, which the address has, and what changes them. */
export function useDashboardFilters() {
  const filters: DashboardFilters = useSearch({ from: '/default-layout/dashboard' })
  const navigate = useNavigate({ from: '/dashboard' })
  const days = filters.days ?? DEFAULT_DAYS
  const change = (more: Partial<Record<keyof DashboardFilters, string | number | null>>) => {
    const next = Object.entries({ ...filters, ...more }).filter(([, value]) => value !== null)
    void navigate({ search: Object.fromEntries(next), replace: true, resetScroll: false })
  }
  return { ...filters, days, change }
}

const DEFAULT_DAYS = 30
