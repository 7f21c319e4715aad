import type { Blueprint } from './blueprint.ts'
import { parsePlacedName } from './names.ts'

const SOURCE = 'apps/dashboard/src'

/** `npm run new page findings/findings` */
export function planPage(text: string): Blueprint {
  const { area, name } = parsePlacedName(text)
  const folder = `${SOURCE}/pages/${area.kebab}`
  const component = `${name.pascal}Page`
  const title = name.words.charAt(0).toUpperCase() + name.words.slice(1)
  const page = `import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'

export function ${component}() {
  return (
    <Page title="${title}">
      <EmptyState>Nothing here yet.</EmptyState>
    </Page>
  )
}
`
  const test = `import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ${component} } from './${component}.tsx'

describe('${component}', () => {
  it('says so when there is nothing to show', () => {
    expect(renderToStaticMarkup(<${component} />)).toContain('Nothing here yet.')
  })
})
`
  return {
    create: { [`${folder}/${component}.tsx`]: page, [`${folder}/${component}.test.tsx`]: test },
    share: { [`${SOURCE}/ui/Page.tsx`]: pageFrame, [`${SOURCE}/ui/EmptyState.tsx`]: emptyState },
    change: {},
    next: [
      `Add ${component} to ${SOURCE}/router.tsx.`,
      'Read its data with one hook of api/ per endpoint, and draw all four states.',
    ],
  }
}

const pageFrame = `import type { ReactNode } from 'react'

export function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main>
      <h1>{title}</h1>
      {children}
    </main>
  )
}
`

const emptyState = `import type { ReactNode } from 'react'

export function EmptyState({ children }: { children: ReactNode }) {
  return <p>{children}</p>
}
`
