import { createNode, type FormKitNode } from '@formkit/core'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { formKit } from './form-kit.ts'

const options = { plugins: formKit.plugins ?? [], config: { ...formKit.config } }

/** Creates the node of a form with one field „name”, without rendering. */
function createForm(): { form: FormKitNode; field: FormKitNode } {
  const field = createNode({
    ...options,
    type: 'input',
    name: 'name',
    props: { type: 'text', label: 'Nume', validation: 'length:3' },
  })
  return {
    form: createNode({ ...options, type: 'group', props: { type: 'group' }, children: [field] }),
    field,
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})

describe('debounce', () => {
  it('an input commits its value after 20 ms without another key [9.10]', () => {
    const { form, field } = createForm()
    expect(field.props.delay).toBe(20)
    void field.input('a')
    vi.advanceTimersByTime(19)
    expect(field.value).toBeUndefined()
    void field.input('ab')
    vi.advanceTimersByTime(19)
    expect(field.value).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(field.value).toBe('ab')
    expect(form.value).toEqual({ name: 'ab' })
  })

  it.each([
    ['group', { a: 1 }],
    ['list', ['a']],
  ] as const)('a %s commits its value at once [9.10]', (type, value) => {
    const node = createNode({ ...options, type, props: { type } })
    expect(node.props.delay).toBe(0)
    void node.input(value)
    vi.advanceTimersByTime(0)
    expect(node.value).toEqual(value)
  })

  it('rules run right after a value is committed, without another delay [9.10]', () => {
    const { field } = createForm()
    expect(field.props.parsedRules).toEqual([expect.objectContaining({ name: 'length', debounce: 0 })])
    void field.input('ab')
    vi.advanceTimersByTime(20)
    vi.advanceTimersToNextTimer()
    expect(field.store.rule_length?.value).toBe('Nume trebuie să aibă cel puțin 3 caractere.')
    void field.input('abc')
    vi.advanceTimersByTime(20)
    vi.advanceTimersToNextTimer()
    expect(field.store.rule_length).toBeUndefined()
  })
})

it('uses Romanian regardless of the browser language [1.6]', () => {
  const { field } = createForm()
  expect(field.config.locale).toBe('ro')
})

describe('a server error of a field', () => {
  it('is removed when the value of the field changes', () => {
    const { form, field } = createForm()
    form.setErrors([], { name: 'Există deja.' })
    const errors = () => Object.values(field.store).filter((message) => message?.type === 'error')
    expect(errors().map(({ value }) => value)).toEqual(['Există deja.'])
    void field.input('abc')
    vi.advanceTimersByTime(20)
    expect(errors()).toEqual([])
  })
})
