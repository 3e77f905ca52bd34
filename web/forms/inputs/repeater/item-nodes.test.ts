import { createNode, type FormKitNode } from '@formkit/core'
import { inputs } from '@formkit/inputs'
import { expect, test } from 'vitest'
import { keepItemNodes, validateCount } from './item-nodes.ts'

type Contact = { name?: string; email?: string }

/** Creates a form with a list of contacts, each with the fields name and email, as the components would. */
function startForm(contacts: Contact[], props: { min?: number; max?: number } = {}) {
  const form = createNode({
    type: 'group',
    value: { contacts },
    props: { type: 'group', definition: inputs.group! },
  })
  const list = createNode({
    name: 'contacts',
    type: 'list',
    parent: form,
    props: {
      type: 'list',
      label: 'Persoane',
      definition: { type: 'list', features: [keepItemNodes, validateCount], props: ['min', 'max'] },
      ...props,
    },
  })
  const addFields = () =>
    list.children.forEach((item) => {
      const node = item as FormKitNode
      for (const name of ['name', 'email'])
        if (!node.children.some((child) => child.name === name))
          createNode({ name, type: 'input', parent: node, props: { type: 'text', definition: inputs.text! } })
    })
  addFields()
  const values = () => list.value as Contact[]
  const input = async (next: Contact[]) => {
    await list.input(next, false)
    addFields()
  }
  return { form, list, values, input }
}

test('the list has an item for each initial value [3.10]', () => {
  const { form, list } = startForm([{ name: 'Ana' }, { name: 'Ion' }])
  expect(list.children).toHaveLength(2)
  expect(form.at('contacts.1.name')?.value).toBe('Ion')
  expect(form.value).toEqual({ contacts: [{ name: 'Ana' }, { name: 'Ion' }] })
})

test('a moved item keeps its node and its typed values [3.10]', async () => {
  const { form, list, values, input } = startForm([{ name: 'Ana' }, { name: 'Ion' }, { name: 'Maria' }])
  const last = list.children[2]
  await form.at('contacts.2.name')!.input('Maria-Elena', false)
  const [ana, ion, maria] = values()
  await input([maria!, ana!, ion!])
  expect(list.children[0]).toBe(last)
  expect(values()).toEqual([{ name: 'Maria-Elena' }, { name: 'Ana' }, { name: 'Ion' }].map(withEmail))
  await form.at('contacts.0.email')!.input('maria@example.ro', false)
  expect(values()[0]).toEqual({ name: 'Maria-Elena', email: 'maria@example.ro' })
  expect(values()).toHaveLength(3)
})

test('a removed and restored item has its values again [3.10]', async () => {
  const { form, values, input } = startForm([{ name: 'Ana' }, { name: 'Ion' }, { name: 'Maria' }])
  const [ana, ion, maria] = values()
  const kept = { ...ion }
  await input([ana!, maria!])
  expect(values().map(({ name }) => name)).toEqual(['Ana', 'Maria'])
  expect(form.at('contacts.1.name')?.value).toBe('Maria')
  await input([values()[0]!, kept, values()[1]!])
  expect(values().map(({ name }) => name)).toEqual(['Ana', 'Ion', 'Maria'])
  expect(form.at('contacts.1.name')?.value).toBe('Ion')
})

test('values set by the form replace the items and their number [3.10]', async () => {
  const { form, list } = startForm([{ name: 'Ana' }])
  await form.input({ contacts: [{ name: 'Vlad' }, { name: 'Zoe' }, { name: 'Dan' }] }, false)
  expect(list.children).toHaveLength(3)
  expect(form.at('contacts.2')?.value).toEqual({ name: 'Dan' })
  expect(form.at('contacts.0.name')?.value).toBe('Vlad')
  await form.input({ contacts: [] }, false)
  expect(list.children).toHaveLength(0)
  expect(form.value).toEqual({ contacts: [] })
})

test('a server error reaches the field of its item and moves with it [3.10]', async () => {
  const { form, values, input } = startForm([{ name: 'Ana' }, { name: 'Ion' }])
  form.setErrors([], { 'contacts.0.email': 'Adresa este folosită.' })
  const field = form.at('contacts.0.email')!
  expect(Object.values(field.store).map(({ value }) => value)).toContain('Adresa este folosită.')
  const [ana, ion] = values()
  await input([ion!, ana!])
  expect(form.at('contacts.1.email')).toBe(field)
  expect(Object.values(field.store).map(({ value }) => value)).toContain('Adresa este folosită.')
})

test('too few and too many items block the form [3.10]', async () => {
  const { form, list, values, input } = startForm([{ name: 'Ana' }], { min: 2, max: 3 })
  form.ledger.count('blocking', (message) => message.blocking)
  expect(list.store.custom_error?.value).toBe('Persoane: cel puțin 2.')
  expect(form.ledger.value('blocking')).toBe(1)
  await input([...values(), {}])
  expect(form.ledger.value('blocking')).toBe(0)
  await input([...values(), {}, {}])
  expect(list.store.custom_error?.value).toBe('Persoane: cel mult 3.')
})

const withEmail = (contact: Contact) => ({ ...contact, email: undefined })
