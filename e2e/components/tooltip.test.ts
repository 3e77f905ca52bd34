import { expectAccessible } from '../harness/accessibility.ts'
import { expect, type Locator, type Page, test } from '../harness/catalogue.ts'

const tooltipOf = (page: Page) => page.getByRole('tooltip')
const boxOf = async (target: Locator) => (await target.boundingBox())!

/** The policy's report about HTML that the sanitiser reads, in a document that runs and shows nothing. */
const BLOCKED = /violates the following Content Security Policy directive|requires 'TrustedScript' assignment/

type Moment = { what: string; at: number; frame: number }
type Recorded = Window & typeof globalThis & { moments: Moment[]; texts: string[] }

/**
 * Records when the mouse or the focus enters and leaves a button, when a tooltip appears and disappears after
 * that (in ms and
 * in frames of the page), and the text of each tooltip.
 */
const record = (page: Page) =>
  page.evaluate(() => {
    const moments: Moment[] = []
    const texts: string[] = []
    Object.assign(window, { moments, texts })
    const seen = new WeakSet<Animation>()
    let frame = 0
    const count = () => {
      frame++
      requestAnimationFrame(count)
    }
    count()
    const note = (what: string, at = performance.now()) => moments.push({ what, at, frame })
    for (const name of ['pointerenter', 'pointerleave', 'focusin', 'focusout'])
      document.addEventListener(
        name,
        ({ target, timeStamp }) => {
          if (target instanceof HTMLButtonElement) note(name, timeStamp)
        },
        true,
      )
    document.addEventListener('transitionrun', ({ target }) => {
      if (!(target instanceof Element && target.role === 'tooltip')) return
      for (const animation of target.getAnimations() as CSSTransition[]) {
        if (seen.has(animation)) continue
        seen.add(animation)
        const { duration, easing } = animation.effect!.getTiming()
        note(`${animation.transitionProperty} ${duration} ${easing}`)
      }
    })
    document.addEventListener('transitionend', ({ target }) => {
      if (target instanceof Element && target.role === 'tooltip') note('there')
    })
    const findTooltip = (node: Node) => node instanceof Element && node.querySelector('[role=tooltip]')
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records) {
        for (const node of addedNodes) if (findTooltip(node)) texts.push(node.textContent ?? '')
        if ([...removedNodes].some(findTooltip)) note('gone')
      }
    }).observe(document.body, { childList: true, subtree: true })
  })

/** Loads the tooltip, as a page does at the first element that has one. */
async function loadTooltip(page: Page): Promise<void> {
  await page.getByRole('button').first().hover()
  await expect(tooltipOf(page)).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(tooltipOf(page)).toHaveCount(0)
}

const readMoments = (page: Page) => page.evaluate(() => (window as unknown as Recorded).moments)
const readTexts = (page: Page) => page.evaluate(() => (window as unknown as Recorded).texts)
const readFades = async (page: Page) =>
  (await readMoments(page)).map(({ what }) => what).filter((what) => what.startsWith('opacity'))
const expectMoment = (page: Page, what: string) =>
  expect.poll(() => readMoments(page)).toContainEqual(expect.objectContaining({ what }))

const FADES = ['opacity 300 ease-in-out', 'opacity 250 ease-in-out']

/**
 * Expects that a tooltip faded without delay and for the right time. A busy machine is late, with longer frames, and never
 * early.
 */
async function expectFades(page: Page, enter: string, leave: string): Promise<void> {
  await expectMoment(page, 'gone')
  const moments = await readMoments(page)
  const find = (wanted: string) => moments.find(({ what }) => what === wanted)!
  const fades = await readFades(page)
  // A busy machine may draw no frame until the tooltip is gone; then no fade out begins, and its time alone is compared.
  const hasFrames = find('gone').frame - find(leave).frame > 1
  expect(fades).toEqual(hasFrames || fades.length > 1 ? FADES : FADES.slice(0, 1))
  expect(find(FADES[0]!).frame - find(enter).frame).toBeLessThan(6)
  if (fades.length > 1) expect(find(FADES[1]!).frame - find(leave).frame).toBeLessThan(6)
  const frame = 17
  expect(find('there').at - find(enter).at).toBeGreaterThan(300 - frame)
  expect(find('gone').at - find(leave).at).toBeGreaterThan(250 - frame)
}

test.describe('a tooltip', () => {
  test('fades in within 300 ms after the mouse enters and out within 250 ms after it leaves [9.12]', async ({
    openStory,
  }) => {
    const page = await openStory('ui/tooltip', { state: 'text' })
    await loadTooltip(page)
    await record(page)
    await page.getByRole('button').hover()
    await expectMoment(page, 'there')
    await expect(tooltipOf(page)).toHaveCSS('opacity', '1')
    await page.mouse.move(0, 0)
    await expectFades(page, 'pointerenter', 'pointerleave')
  })

  test('fades in and out with the keyboard focus, describes the focused element, and closes with Escape [9.12]', async ({
    openStory,
  }) => {
    const page = await openStory('ui/tooltip', { state: 'text' })
    await loadTooltip(page)
    await record(page)
    const button = page.getByRole('button', { name: 'CNP' })
    await page.keyboard.press('Tab')
    await expect(button).toBeFocused()
    await expect(button).toHaveAccessibleDescription('Codul numeric personal, 13 cifre')
    await expectMoment(page, 'there')
    await page.keyboard.press('Tab')
    await expect(tooltipOf(page)).toHaveCount(0)
    await expect(button).toHaveAccessibleDescription('')
    await expectFades(page, 'focusin', 'focusout')

    await page.keyboard.press('Shift+Tab')
    await expect(tooltipOf(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(tooltipOf(page)).toHaveCount(0)
    await expect(button).toBeFocused()
  })

  test('does not fade with reduced motion [9.8]', async ({ openStory }) => {
    const page = await openStory('ui/tooltip', { state: 'text', reducedMotion: 'reduce' })
    await loadTooltip(page)
    await record(page)
    await page.getByRole('button').hover()
    await expect(tooltipOf(page)).toHaveCSS('opacity', '1')
    await page.mouse.move(0, 0)
    await expectMoment(page, 'gone')
    expect(await readFades(page)).toEqual([])
  })

  test('is at most 350 px wide, covers everything with z-index 9999, and is above its element [2.18] [9.12]', async ({
    openStory,
  }) => {
    const page = await openStory('ui/tooltip', { state: 'text lung' })
    const button = page.getByRole('button')
    await button.hover()
    await expect(tooltipOf(page)).toHaveCSS('opacity', '1')
    await expect(tooltipOf(page)).toHaveCSS('max-width', '350px')
    await expect(tooltipOf(page)).toHaveCSS('z-index', '9999')
    const [bubble, anchor] = [await boxOf(tooltipOf(page)), await boxOf(button)]
    expect(bubble.width).toBeLessThanOrEqual(350)
    expect(bubble.width).toBeGreaterThan(300)
    expect(bubble.y + bubble.height).toBeLessThanOrEqual(anchor.y)
    expect(anchor.y - bubble.y - bubble.height).toBeLessThan(12)
  })

  test('moves below its element where there is no room above, and stays within a phone’s screen [9.12]', async ({
    openStory,
  }) => {
    const page = await openStory('ui/tooltip', { viewport: { width: 360, height: 300 } })
    const button = page.getByRole('button', { name: 'Pregătire' })
    await button.evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 4))
    await button.hover()
    await expect(tooltipOf(page)).toHaveCSS('opacity', '1')
    const [bubble, anchor] = [await boxOf(tooltipOf(page)), await boxOf(button)]
    expect(bubble.y).toBeGreaterThanOrEqual(anchor.y + anchor.height)
    expect(bubble.x).toBeGreaterThanOrEqual(12)
    expect(bubble.x + bubble.width).toBeLessThanOrEqual(360 - 12)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  test('opens on an element that the keyboard focus scrolls into view, and closes with the next scroll [9.12]', async ({
    openStory,
  }) => {
    const page = await openStory('ui/tooltip', { viewport: { width: 360, height: 200 } })
    const button = page.getByRole('button', { name: 'Pregătire' })
    await expect(button).toBeVisible()
    await expect(async () => {
      await page.keyboard.press('Tab')
      await expect(button).toBeFocused({ timeout: 100 })
    }).toPass()
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
    await expect(tooltipOf(page)).toHaveText(/^Investigația/)
    await expect(tooltipOf(page)).toHaveCSS('opacity', '1')
    await page.mouse.wheel(0, -60)
    await expect(tooltipOf(page)).toHaveCount(0)
  })

  test('stays when the mouse enters it, and follows the mouse from one button to the next', async ({
    openStory,
  }) => {
    const page = await openStory('ui/tooltip', { state: 'numele unei pictograme' })
    const [first, second] = [page.getByRole('button').nth(0), page.getByRole('button').nth(1)]
    await first.hover()
    await expect(tooltipOf(page)).toHaveText('Editează')
    // Over the gap between the two, slowly.
    const [bubble, anchor] = [await boxOf(tooltipOf(page)), await boxOf(first)]
    await record(page)
    const x = bubble.x + bubble.width / 2
    for (let y = anchor.y + 4; y > bubble.y + 2; y -= 2) await page.mouse.move(x, y)
    await expect(tooltipOf(page)).toHaveCSS('opacity', '1')
    expect(await readFades(page)).toEqual([])
    await second.hover()
    await expect(tooltipOf(page)).toHaveText('Tipărește')
    const middle = ({ x, width }: { x: number; width: number }) => Math.round(x + width / 2)
    const wanted = middle(await boxOf(second))
    await expect.poll(async () => Math.abs(middle(await boxOf(tooltipOf(page))) - wanted)).toBeLessThan(2)
    // The name of the button is not announced twice.
    await expect(second).toHaveAccessibleDescription('')
  })

  test('closes on a press and reopens only when the mouse enters again', async ({ openStory }) => {
    const page = await openStory('ui/tooltip', { state: 'numele unei pictograme' })
    const button = page.getByRole('button').first()
    await button.hover()
    await expect(tooltipOf(page)).toBeVisible()
    await button.click()
    await expect(tooltipOf(page)).toHaveCount(0)
    await record(page)
    const box = await boxOf(button)
    for (const part of [4, box.width / 2, box.width - 4]) await page.mouse.move(box.x + part, box.y + 6)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    expect(await readTexts(page)).toEqual([])
    await page.mouse.move(0, 0)
    await button.hover()
    await expect(tooltipOf(page)).toBeVisible()
    await button.evaluate((element) => element.parentElement?.remove())
    await expect(tooltipOf(page)).toHaveCount(0)
  })

  test('stays on the focused element while the mouse passes over others', async ({ openStory }) => {
    const page = await openStory('ui/tooltip', { state: 'numele unei pictograme' })
    await page.keyboard.press('Tab')
    await expect(tooltipOf(page)).toHaveText('Editează')
    await page.mouse.move(500, 400)
    await page.mouse.move(520, 420)
    await expect(tooltipOf(page)).toHaveText('Editează')
    await page.getByRole('button').nth(1).hover()
    await expect(tooltipOf(page)).toHaveText('Tipărește')
    await page.mouse.move(520, 420)
    await expect(tooltipOf(page)).toHaveText('Editează')
  })

  test('does not open without text [9.12]', async ({ openStory, expectError }) => {
    expectError(BLOCKED)
    const page = await openStory('ui/tooltip')
    await record(page)
    const empty = page.getByRole('button', { name: 'Nimic de spus' })
    for (const html of [
      '',
      ' ',
      '<b></b><br>',
      '<script>1</script>',
      '<!-- 1 -->',
      '<img src=x onerror=alert(1)>',
    ]) {
      await empty.evaluate((element, html) => element.setAttribute('data-tooltip-html', html), html)
      await empty.hover()
      await empty.focus()
      await page.mouse.move(0, 0)
    }
    await page.getByRole('button', { name: 'CNP' }).hover()
    await expect(tooltipOf(page)).toBeVisible()
    expect(await readTexts(page)).toEqual(['Codul numeric personal, 13 cifre'])
  })

  test('does not open on touch', async ({ openStory }) => {
    const page = await openStory('ui/tooltip', { state: 'text', hasTouch: true })
    await record(page)
    await page.getByRole('button').tap()
    await expect.poll(async () => (await readMoments(page)).map(({ what }) => what)).toContain('focusin')
    expect(await readTexts(page)).toEqual([])
  })

  test('works in a dialog: above it, announced and reachable by the mouse [2.18]', async ({ openStory }) => {
    const page = await openStory('ui/tooltip', { state: 'în dialog' })
    await page.getByRole('button').click()
    const button = page.getByRole('dialog').getByRole('button', { name: 'Ce înseamnă' })
    await button.hover()
    await expect(tooltipOf(page)).toHaveText('Ce înseamnă')
    await expect(tooltipOf(page)).toHaveCSS('opacity', '1')
    await tooltipOf(page).hover()
    await expect(page.getByRole('dialog')).toBeVisible()
    const isOnTop = await tooltipOf(page).evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
    expect(isOnTop).toBe(true)
    await expectAccessible(page)
  })
})

const hack = 'window.hacked=1'
const hostile = [
  `<script>${hack}</script>`,
  `<ScRiPt src="data:text/javascript,${hack}"></sCrIpT>`,
  `<scr<script>ipt>${hack}</scr</script>ipt>`,
  `<script\t>${hack}</script\t>`,
  `<script>${hack}`,
  `<img src=x onerror=${hack}>`,
  `<img src=x onerror="${hack}"`,
  `<img/src=x/onerror=${hack}>`,
  `<IMG """><SCRIPT>${hack}</SCRIPT>">`,
  `<svg onload=${hack}>`,
  `<svg><script>${hack}</script></svg>`,
  `<svg><animate onbegin=${hack} attributeName=x dur=1s>`,
  `<svg><foreignObject><iframe onload=${hack}></iframe></foreignObject></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${hack}></style></mglyph></table></mtext></math>`,
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>`,
  `<iframe src="javascript:parent.hacked=1"></iframe>`,
  `<object data="javascript:${hack}"></object>`,
  `<embed src="javascript:${hack}">`,
  `<a href="javascript:${hack}">aici</a>`,
  `<a href="jav&#x09;ascript:${hack}">aici</a>`,
  `<form action="javascript:${hack}"><button>trimite</button></form>`,
  `<input autofocus onfocus=${hack}>`,
  `<details open ontoggle=${hack}>x</details>`,
  `<video><source onerror=${hack}></video>`,
  `<body onload=${hack}>`,
  `<link rel=stylesheet href="data:text/css,*{display:none}">`,
  `<style>*{display:none}</style>`,
  `<base href="https://rau.example/">`,
  `<meta http-equiv=refresh content="0;url=javascript:${hack}">`,
  `<template><img src=x onerror=${hack}></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${hack}>"></noscript>`,
  `<textarea></textarea><img src=x onerror=${hack}>`,
  `<b onclick=${hack} onmouseover=${hack} style="position:fixed;inset:0">x</b>`,
  `<b/onpointerover=${hack}>x</b>`,
  `<br onpointerover=${hack}>x`,
  `<!--><img src=x onerror=${hack}>-->`,
  `<![CDATA[<img src=x onerror=${hack}>]]>`,
  `<?xml version="1.0"?><img src=x onerror=${hack}>`,
  `&lt;img src=x onerror=${hack}&gt;`,
  `&#60;script&#62;${hack}&#60;/script&#62;`,
  `\u003cimg src=x onerror=${hack}\u003e`,
  `<x\u0000img src=x onerror=${hack}>`,
]

test(`hostile HTML in a tooltip is text or nothing: ${hostile.length} ways [2.18]`, async ({
  openStory,
  expectError,
}) => {
  expectError(BLOCKED)
  const page = await openStory('ui/tooltip', { state: 'text' })
  const button = page.getByRole('button')
  // A text besides the hostile HTML, so that each tooltip is shown.
  const show = (name: string, html: string) =>
    button.evaluate((element, { name, html }) => element.setAttribute(name, `acum ${html}`), { name, html })
  await button.hover()
  await expect(tooltipOf(page)).toBeVisible()
  // What is inserted anywhere, if only for a moment: the policy would stop its scripts, and hide that it was there.
  await page.evaluate(() => {
    const inserted: string[] = []
    Object.assign(window, { inserted })
    const isHarmless = ({ localName, attributes, id }: Element) =>
      id === 'global-tooltip' ||
      (attributes.length === 0 && ['b', 'i', 'strong', 'em', 'br', 'code'].includes(localName))
    new MutationObserver((records) => {
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element)) continue
        for (const each of [node, ...node.querySelectorAll('*')])
          if (!isHarmless(each)) inserted.push(each.outerHTML)
      }
    }).observe(document, { childList: true, subtree: true })
  })
  for (const html of hostile) {
    await test.step(html, async () => {
      await show('data-tooltip-html', html)
      await expect(tooltipOf(page)).toContainText('acum')
      await expect(tooltipOf(page)).not.toContainText('Codul')
      const found = await tooltipOf(page).evaluate((element) =>
        [...element.querySelectorAll('#global-tooltip *')].map(({ outerHTML, attributes, localName }) =>
          attributes.length === 0 && ['b', 'i', 'strong', 'em', 'br', 'code'].includes(localName)
            ? 'harmless'
            : outerHTML,
        ),
      )
      expect(found.filter((each) => each !== 'harmless')).toEqual([])
    })
  }
  await button.evaluate((element) => element.removeAttribute('data-tooltip-html'))
  for (const text of hostile) {
    await show('data-tooltip', text)
    await expect(tooltipOf(page).locator('#global-tooltip')).toHaveText(`acum ${text}`, {
      useInnerText: false,
    })
    await expect(tooltipOf(page).locator('#global-tooltip *')).toHaveCount(0)
  }
  expect(await page.evaluate(() => (window as unknown as { inserted: string[] }).inserted)).toEqual([])
  await tooltipOf(page).hover()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(await page.title()).toContain('Catalog')
})
