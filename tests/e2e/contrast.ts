/**
 * Runs inside the page: the lowest contrast (WCAG 2) between any visible text and what lies behind
 * it. Self-contained, because only its text travels into the browser.
 */
export function worstContrast(): { ratio: number; text: string } {
  const numbers = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
  const channel = (value: number) => {
    const share = value / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const luminance = ([r = 0, g = 0, b = 0]: readonly number[]) =>
    0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  const groundOf = (element: Element | null): readonly number[] => {
    if (element === null) return [255, 255, 255]
    const color = numbers(getComputedStyle(element).backgroundColor)
    return color.length === 4 && color[3] === 0 ? groundOf(element.parentElement) : color
  }
  let worst = { ratio: Number.POSITIVE_INFINITY, text: '' }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (element === null || text === '' || element.getClientRects().length === 0) continue
    const light = luminance(numbers(getComputedStyle(element).color))
    const dark = luminance(groundOf(element))
    const ratio = (Math.max(light, dark) + 0.05) / (Math.min(light, dark) + 0.05)
    if (ratio < worst.ratio) worst = { ratio, text }
  }
  return worst
}
