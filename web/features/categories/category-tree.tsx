import { useRef, useState } from 'react'
import {
  Button as AriaButton,
  Collection,
  DropIndicator,
  type DropTarget,
  Tree,
  TreeItem,
  TreeItemContent,
  useDragAndDrop,
} from 'react-aria-components'
import {
  type Category,
  type CategoryNode,
  categoryTree,
  parentSlug,
} from '../../../shared/uploads/categories.ts'
import { listPolicyLabels } from '../../../shared/uploads/category-policy.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { canBeParent, childrenOf, lastPart, type TreePlace } from './category-edits.ts'
import { CategoryIcon } from './category-icon.tsx'
import { uploadCount } from './category-labels.ts'
import { CategoryMenu, type CategoryMenuActions } from './category-menu.tsx'

/** A row's key is the slug, since a category's id changes with every load. */
type Row = CategoryNode<Category & { key: string }>

/** The drag type; only categories can be dropped on categories. */
const DRAG_TYPE = 'application/x-dosar-category'

export interface CategoryTreeProps extends CategoryMenuActions {
  list: readonly Category[]
  /** The number of uploads by slug. */
  counts: ReadonlyMap<string, number>
  /** The slugs of categories with unsaved changes. */
  unsaved: ReadonlySet<string>
  onMove: (slug: string, place: TreePlace) => void
}

/** Three levels of categories [3.5]; each can be moved by dragging, by the keyboard, or by its menu. */
export function CategoryTree(props: CategoryTreeProps) {
  const { list, onMove } = props
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const dragged = useRef('')

  /** Returns the place of the dragged category if it is dropped on this target. */
  const placeOf = (target: DropTarget): TreePlace => {
    if (target.type === 'root') return { parent: null, before: null }
    const slug = String(target.key)
    if (target.dropPosition === 'on') return { parent: slug, before: null }
    const parent = parentSlug(slug)
    if (target.dropPosition === 'before') return { parent, before: slug }
    const siblings = childrenOf(list, parent).filter((each) => each.slug !== dragged.current)
    return { parent, before: siblings[siblings.findIndex((each) => each.slug === slug) + 1]?.slug ?? null }
  }
  const { dragAndDropHooks } = useDragAndDrop<Row>({
    getItems: (keys) =>
      [...keys].map((key) => {
        dragged.current = String(key)
        return { [DRAG_TYPE]: String(key) }
      }),
    acceptedDragTypes: [DRAG_TYPE],
    getDropOperation: (target) =>
      canBeParent(list, dragged.current, placeOf(target).parent) ? 'move' : 'cancel',
    onMove: ({ keys, target }) => {
      for (const key of keys) onMove(String(key), placeOf(target))
    },
    renderDropIndicator: (target) => (
      <DropIndicator
        target={target}
        className="relative z-10 -my-px h-0.5 rounded-full data-drop-target:bg-accent-mark"
      />
    ),
  })
  const tree = categoryTree(list.map((category) => ({ ...category, key: category.slug })))
  const open = list.map(({ slug }) => slug).filter((slug) => !collapsed.has(slug))

  return (
    <Tree
      aria-label="Categorii"
      items={tree}
      dependencies={[props]}
      dragAndDropHooks={dragAndDropHooks}
      expandedKeys={open}
      onExpandedChange={(keys) =>
        setCollapsed(new Set(list.map(({ slug }) => slug).filter((slug) => !keys.has(slug))))
      }
      onAction={(key) => props.onEdit(String(key))}
      className="p-1.5 outline-none [--tree-step:0.875rem] sm:[--tree-step:1.75rem]"
    >
      {(node) => <CategoryRow node={node} of={props} />}
    </Tree>
  )
}

/**
 * `of` has the props of the tree. Spreading them would also pass on the id that a collection gives to each of
 * its elements.
 */
function CategoryRow({ node, of: props }: { node: Row; of: CategoryTreeProps }) {
  const { slug, name } = node
  const count = props.counts.get(slug) ?? 0
  const details = [
    ...(count > 0 ? [uploadCount(count)] : []),
    ...listPolicyLabels(node),
    ...(props.unsaved.has(slug) ? ['nesalvată'] : []),
  ]
  return (
    <TreeItem
      id={slug}
      textValue={name}
      className="group/row cursor-pointer rounded-md outline-none data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-focus data-hovered:bg-hover data-dragging:opacity-50 data-drop-target:bg-accent-soft data-drop-target:outline-2 data-drop-target:-outline-offset-2 data-drop-target:outline-accent-mark"
    >
      <TreeItemContent>
        {({ hasChildItems, isExpanded, level }) => (
          <div
            className="flex min-w-0 items-center gap-1 py-0.5 pr-1"
            style={{ paddingInlineStart: `calc(${level - 1} * var(--tree-step))` }}
          >
            <AriaButton
              slot="drag"
              aria-label={`Mută ${name}`}
              className="hit-square flex shrink-0 cursor-grab items-center justify-center rounded-md text-faint hover:text-ink"
            >
              <Icon name="grip" size={16} />
            </AriaButton>
            <AriaButton
              slot="chevron"
              aria-label={isExpanded ? 'Restrânge' : 'Extinde'}
              className={`hit-square -ml-2 flex shrink-0 items-center justify-center rounded-md text-muted hover:text-ink ${hasChildItems ? '' : 'invisible'}`}
            >
              <Icon name={isExpanded ? 'chevron-down' : 'chevron-right'} size={16} />
            </AriaButton>
            <CategoryIcon category={node} />
            <span className="ml-1.5 min-w-0 flex-1 py-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="block text-xs break-words text-muted">
                {/* On a phone the rows above show the parent. */}
                <span className="font-mono break-all max-sm:hidden">{slug}</span>
                <span className="font-mono break-all sm:hidden">{lastPart(slug)}</span>
                {details.map((detail) => ` · ${detail}`).join('')}
              </span>
            </span>
            <CategoryMenu category={node} {...props} />
          </div>
        )}
      </TreeItemContent>
      <Collection items={node.children} dependencies={[props]}>
        {(child: Row) => <CategoryRow node={child} of={props} />}
      </Collection>
    </TreeItem>
  )
}
