import { useMutation } from '@apollo/client/react'
import { counted } from '../../../shared/romania/romanian.ts'
import { CATEGORY_TEMPLATE } from '../../../shared/setup/category-template.ts'
import { slugParts } from '../../../shared/uploads/categories.ts'
import { Button } from '../../ui/base/button.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { CategoryBadge } from '../categories/category-icon.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import { INSTALL_CATEGORY_TEMPLATE, SETUP_CHECKLIST } from './setup.queries.ts'

/** Shows the template of categories and fills the list with it. Mounted while it is open. */
export function TemplateDialog({ onClose }: { onClose: () => void }) {
  const [install] = useMutation(INSTALL_CATEGORY_TEMPLATE, { refetchQueries: [SETUP_CHECKLIST] })
  const attempt = useAsyncAction()
  const confirm = () =>
    attempt.run(async () => {
      await install()
      showToast({
        tone: 'success',
        title: `${counted(CATEGORY_TEMPLATE.length, 'categorie adăugată', 'categorii adăugate')}`,
        description: 'Le poți schimba oricând la Administrare, Categorii.',
      })
      onClose()
    })
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Șablonul de categorii"
      actions={
        <>
          <Button onPress={onClose}>Renunță</Button>
          <Button variant="primary" isPending={attempt.isPending} onPress={() => void confirm()}>
            Folosește șablonul
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNotice>{attempt.message}</FailureNotice>
        <p className="text-muted">
          Categoriile unui laborator cu imagistică. După aceea le redenumești, le muți, le ștergi sau adaugi
          altele.
        </p>
        <ul className="grid gap-1">
          {CATEGORY_TEMPLATE.map((category) => (
            <li
              key={category.slug}
              style={{ paddingInlineStart: `${(slugParts(category.slug).length - 1) * 1.75}rem` }}
            >
              <CategoryBadge category={category} />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
