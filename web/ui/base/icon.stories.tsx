import { CATEGORY_ICONS } from '../../../shared/uploads/categories.ts'
import type { Stories } from '../../catalogue/stories.ts'
import { ICON_KEYWORDS } from '../icons/icon-keywords.ts'
import { Icon, type IconName, iconNames } from './icon.tsx'

const keywords: Partial<Record<IconName, string>> = ICON_KEYWORDS

const Named = ({ names }: { names: readonly IconName[] }) => (
  <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(12rem,100%),1fr))] gap-x-4 gap-y-3 text-sm">
    {names.map((name) => (
      <li key={name} className="flex min-w-0 items-center gap-2.5">
        <Icon name={name} />
        <span className="grid min-w-0">
          {keywords[name]}
          <code className="truncate text-xs text-muted">{name}</code>
        </span>
      </li>
    ))}
  </ul>
)

export default {
  'ale categoriilor': () => <Named names={CATEGORY_ICONS} />,
  'ale ecranelor': () => <Named names={iconNames.filter((name) => !(name in keywords))} />,
  mărimi: () => (
    <div className="flex items-end gap-3">
      <Icon name="stethoscope" size={16} />
      <Icon name="stethoscope" />
      <Icon name="stethoscope" size={32} />
    </div>
  ),
  'singură, cu nume citit': () => <Icon name="lock" label="Doar pentru administratori" />,
} satisfies Stories
