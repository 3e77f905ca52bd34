import { CATEGORY_DEPTH, type Category, slugParts } from '../../../shared/uploads/categories.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { neighbourPlace } from './category-edits.ts'

export interface CategoryMenuActions {
  onEdit: (slug: string) => void
  onAddChild: (slug: string) => void
  onMoveStep: (slug: string, step: -1 | 1) => void
  onMoveUnder: (slug: string) => void
  onRemove: (slug: string) => void
}

/** The actions of a category, for users who cannot drag (WCAG 2.5.7). */
export function CategoryMenu({
  category: { slug, name },
  list,
  ...actions
}: CategoryMenuActions & { category: Category; list: readonly Category[] }) {
  return (
    <Menu
      label={`Acțiuni pentru ${name}`}
      trigger={<IconButton icon="more-vertical" label={`Acțiuni pentru ${name}`} />}
      sections={[
        {
          items: [
            { id: 'edit', label: 'Editează', icon: 'pencil', onAction: () => actions.onEdit(slug) },
            {
              id: 'add',
              label: 'Adaugă o subcategorie',
              icon: 'plus',
              isDisabled: slugParts(slug).length >= CATEGORY_DEPTH,
              onAction: () => actions.onAddChild(slug),
            },
          ],
        },
        {
          items: [
            {
              id: 'up',
              label: 'Mută sus',
              icon: 'arrow-up',
              isDisabled: !neighbourPlace(list, slug, -1),
              onAction: () => actions.onMoveStep(slug, -1),
            },
            {
              id: 'down',
              label: 'Mută jos',
              icon: 'arrow-down',
              isDisabled: !neighbourPlace(list, slug, 1),
              onAction: () => actions.onMoveStep(slug, 1),
            },
            {
              id: 'under',
              label: 'Mută sub…',
              icon: 'arrow-right',
              onAction: () => actions.onMoveUnder(slug),
            },
          ],
        },
        {
          items: [
            {
              id: 'remove',
              label: 'Șterge',
              icon: 'trash',
              isDangerous: true,
              onAction: () => actions.onRemove(slug),
            },
          ],
        },
      ]}
    />
  )
}
