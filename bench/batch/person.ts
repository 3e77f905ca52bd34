import type { FileChooser, Locator, Page } from '@playwright/test'

/** The keys after which something that should be in reach counts as unreachable. */
const MAX_STEPS = 80

/** A person without a mouse at a page; counts the keys. */
export class Person {
  keys = 0
  readonly page: Page
  #chosen = Promise.withResolvers<FileChooser>()

  constructor(page: Page) {
    this.page = page
    // From the beginning: a listener that is added just before the key may come too late.
    page.on('filechooser', (chooser) => this.#chosen.resolve(chooser))
  }

  async press(key: string): Promise<void> {
    this.keys += 1
    await this.page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    this.keys += text.length
    await this.page.keyboard.type(text)
  }

  /** Presses `key` until the element has the focus. */
  async moveTo(target: Locator, key = 'Tab'): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (await target.evaluateAll((all) => all.includes(document.activeElement as never))) return
      await this.press(key)
    }
    throw new Error(`${target} cannot be reached with ${key}`)
  }

  /** Chooses what `path` names with the button that has the focus; the chooser of the system is not counted. */
  async choose(path: string | string[]): Promise<void> {
    await this.press('Enter')
    const chooser = await this.#chosen.promise
    this.#chosen = Promise.withResolvers()
    await chooser.setFiles(path)
  }
}
