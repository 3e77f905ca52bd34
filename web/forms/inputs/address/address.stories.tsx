import type { Stories } from '../../../catalogue/stories.ts'
import { StoryForm } from '../../../catalogue/story-form.tsx'
import { AddressFields } from './address-fields.tsx'

const address = { county: 'Cluj', locality: 'Gherla', address: 'Str. Bobâlna 12' }

export default {
  goală: () => (
    <StoryForm start={{ county: '', locality: '', address: '' }}>
      <AddressFields />
    </StoryForm>
  ),
  completată: () => (
    <StoryForm start={address}>
      <AddressFields />
    </StoryForm>
  ),
  'nume care nu sunt în listă': () => (
    <StoryForm start={{ ...address, county: 'jud. Cluj', locality: 'Valea Lungă de Sus' }}>
      <AddressFields />
    </StoryForm>
  ),
} satisfies Stories
