/** What happens to a file with active content: the reviewer sees a warning, or the file is rejected. */
export const ACTIVE_CONTENT_CHOICES = ['mark', 'refuse'] as const
