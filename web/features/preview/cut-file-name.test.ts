import { expect, it } from 'vitest'
import { cutFileName } from './cut-file-name.ts'

it.each([
  ['Imagini RMN cerebral CD 2.zip', 'Imagini RMN cereb', 'ral CD 2.zip'],
  ['Imagini RMN cerebral CD 3.zip', 'Imagini RMN cereb', 'ral CD 3.zip'],
  ['buletin.pdf', '', 'buletin.pdf'],
  ['fără extensie, dar lung', 'fără extensie, ', 'dar lung'],
  // A dot in a sentence begins no ending.
  ['Dr. Ionescu Ștefan', 'Dr. Ionesc', 'u Ștefan'],
  ['.ascuns', '', '.ascuns'],
  ['👩‍⚕️', '', '👩‍⚕️'],
])('%s keeps its end', (name, start, end) => {
  expect(cutFileName(name)).toEqual([start, end])
})
