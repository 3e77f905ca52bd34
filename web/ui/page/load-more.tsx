import { Button } from '../base/button.tsx'

export interface MorePages {
  hasMore: boolean
  isLoading: boolean
  onLoadMore: () => void
}

/** The button `Încarcă mai multe` under the rows of a list; nothing after its last page. */
export const LoadMore = ({ hasMore, isLoading, onLoadMore }: MorePages) =>
  hasMore && (
    <div className="flex justify-center py-4 print:hidden">
      <Button onPress={onLoadMore} isPending={isLoading}>
        Încarcă mai multe
      </Button>
    </div>
  )
