import { describe, expect, it } from 'vitest'
import { hasTooltipText, parseTooltipHtml, type TooltipNode } from './tooltip-html.ts'

const b = (...children: TooltipNode[]) => ({ tag: 'b', children })
const br = { tag: 'br', children: [] }

function readText(nodes: readonly TooltipNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : readText(node.children))).join('')
}

function readTags(nodes: readonly TooltipNode[]): string[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node.tag, ...readTags(node.children)]))
}

describe('tooltip HTML', () => {
  it('keeps b, i, strong, em, br and code, nested [2.18]', () => {
    expect(
      parseTooltipHtml('Găsit în <b>pagina <i>1</i></b><br/><code>285</code> <em>a</em><strong>b</strong>'),
    ).toEqual([
      'Găsit în ',
      b('pagina ', { tag: 'i', children: ['1'] }),
      br,
      { tag: 'code', children: ['285'] },
      ' ',
      { tag: 'em', children: ['a'] },
      { tag: 'strong', children: ['b'] },
    ])
  })

  it('drops every attribute, including one with a quoted > [2.18]', () => {
    expect(
      parseTooltipHtml('<b onclick="alert(1)" style=x>unu</b><B title="a > b" onmouseover=\'x>y\'>doi</B>'),
    ).toEqual([b('unu'), b('doi')])
  })

  it('drops other tags and keeps their text [2.18]', () => {
    expect(
      parseTooltipHtml('<a href="javascript:alert(1)">aici</a> <p>acolo</p><img src=x onerror=alert(1)>'),
    ).toEqual(['aici acolo'])
  })

  it.each([
    '<script>alert(1)</script>',
    '<SCRIPT SRC=//x>alert(1)</SCRIPT >',
    '<style>*{}</style>',
    '<svg><script>alert(1)</script></svg>',
    '<iframe srcdoc="<b>x</b>">y</iframe>',
    '<!-- <b>x</b> -->',
    '<!doctype html><?php x ?>',
    '<script>alert(1)',
    '<!-- never closed <b>x</b>',
    ' \n ',
    '<b></b><br>',
    '',
  ])('finds no text in %j, so no tooltip is shown [9.12]', (html) => {
    expect(hasTooltipText(parseTooltipHtml(html))).toBe(false)
  })

  it('decodes references once, so that escaped markup stays text [2.18]', () => {
    expect(parseTooltipHtml('&lt;b&gt; &amp;lt; &quot;&#39;&#x218;&nbsp;&nope; &#0; a&b')).toEqual([
      '<b> &lt; "\'Ș\u00a0&nope; &#0; a&b',
    ])
  })

  it('reads a lone < and a tag that never ends as text [2.18]', () => {
    expect(parseTooltipHtml('a <b "c')).toEqual(['a <b "c'])
    expect(parseTooltipHtml('<img src=x onerror="alert(1)')).toEqual(['<img src=x onerror="alert(1)'])
    expect(parseTooltipHtml('x < 5 <> <3')).toEqual(['x < 5 <> <3'])
  })

  it('closes unclosed tags and ignores closing tags without an opening tag [2.18]', () => {
    expect(parseTooltipHtml('</i>a<b>b<i>c</b>d')).toEqual(['a', b('b', { tag: 'i', children: ['c'] }), 'd'])
  })

  it('returns only allowed tags and text for random input [2.18]', () => {
    const fragments = [
      '<b>',
      '</b>',
      '<',
      '>',
      '"',
      "'",
      '<script>',
      '</script>',
      '&lt;',
      '<!--',
      '-->',
      '<x',
      'ș',
      '<br',
      '/',
    ]
    let seed = 20260312
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed
    }
    for (let run = 0; run < 2_000; run++) {
      const html = Array.from({ length: 12 }, () => fragments[next() % fragments.length]).join('')
      const nodes = parseTooltipHtml(html)
      expect(readTags(nodes).every((tag) => ['b', 'br'].includes(tag))).toBe(true)
      expect(readText(nodes).length).toBeLessThanOrEqual(html.length)
    }
  })

  it('limits depth and time on ten thousand open tags', () => {
    const before = process.cpuUsage()
    const nodes = parseTooltipHtml(`${'<b>'.repeat(10_000)}x${'<b "'.repeat(2_000)}`)
    expect(readTags(nodes).length).toBeLessThanOrEqual(8)
    // CPU time in µs, so that other processes of the machine do not count.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
})
