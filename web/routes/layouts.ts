import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root.tsx'

const frames = () => import('./frames.tsx')

/** How long the first screen waits for the categories: it works without them [8.11]. */
const CATEGORIES_TIMEOUT_MS = 2_000

/**
 * Loads the categories [4.11] after the guards and before the frame and its screen are mounted, in parallel
 * with the screen's own script and data. The store sends one request per user, however often a layout is
 * entered.
 */
const loadBeforeScreen = async () => {
  const { loadCategories } = await frames()
  const timeout = new Promise((resolve) => setTimeout(resolve, CATEGORIES_TIMEOUT_MS))
  await Promise.race([loadCategories(), timeout])
}

/**
 * The layouts for signed-in users [2.14]: a route names its layout as its parent. They stay mounted while
 * their screens change.
 */
export const defaultLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'default-layout',
  loader: loadBeforeScreen,
  component: lazyScreen(frames, 'DefaultFrame'),
})

export const adminLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'admin-layout',
  loader: loadBeforeScreen,
  component: lazyScreen(frames, 'AdminFrame'),
})

export const institutionLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'institution-layout',
  loader: loadBeforeScreen,
  component: lazyScreen(frames, 'InstitutionFrame'),
})
